import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ModelRequest, ModelWarning } from '../driver.ts';
import {
  callOptions,
  changesNothing,
  leftOut,
  type ProviderTraits,
  type Refusals,
  type Setting,
} from './call-options.ts';
import { findRefusal, wasAsked } from './find-refusal.ts';
import type { AssistantParts } from './reasoning-store.ts';
import type { RememberedRefusals } from './refusal-memory.ts';

/** Settings that are sent without; a request that would be the same with them needs no warning. */
const leftOutWarnings = (settings: ReadonlySet<Setting>, request: ModelRequest): ModelWarning[] =>
  [...settings]
    .filter((setting) => wasAsked(setting, request) && !changesNothing(setting, request))
    .map((setting) => ({ message: leftOut(setting, request.model) }));

interface OpenAnswerOptions<Answer> {
  request: ModelRequest;
  traits: ProviderTraits;
  /** What the server has refused in earlier requests to the model. */
  remembered: RememberedRefusals;
  /** The reasoning before a tool call, by the id of the call. */
  thoughts(call_id: string): AssistantParts | undefined;
  /** Sends a request and waits for the beginning of its answer. Fails with an AnswerError when the server refuses it. */
  send(options: LanguageModelV4CallOptions): Promise<Answer>;
}

/** Opens the answer to a request. No retries: a setting the server refuses is left out, nothing else. */
export async function openAnswer<Answer>(
  given: OpenAnswerOptions<Answer>,
): Promise<{ answer: Answer; warnings: ModelWarning[] }> {
  const { request, traits, remembered, thoughts, send } = given;
  const known: Refusals & { settings: Set<Setting> } = { ...remembered, settings: new Set(remembered.settings) };
  let lowered = false;
  for (;;) {
    const { options, warnings } = callOptions(request, traits, known, thoughts);
    try {
      const answer = await send(options);
      return { answer, warnings: [...leftOutWarnings(known.settings, request), ...warnings] };
    } catch (error) {
      const refusal = findRefusal(error, request, known);
      if (!refusal) throw error;
      if ('setting' in refusal) {
        known.settings.add(refusal.setting);
        if (!refusal.once) remembered.settings.add(refusal.setting);
        continue;
      }
      if ('stop_sequences' in refusal) {
        known.stop_sequences = remembered.stop_sequences = refusal.stop_sequences;
        continue;
      }
      // A server that states another limit each time must not keep the call going.
      if (lowered) throw error;
      lowered = true;
      known.max_tokens = refusal.max_tokens;
      if (!refusal.once) remembered.max_tokens = refusal.max_tokens;
    }
  }
}
