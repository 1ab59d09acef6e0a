import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import { type Model, ModelError, type ModelPart, type ModelRequest } from '../driver.ts';
import { asModelError } from '../model-errors.ts';
import {
  callOptions,
  isDefaultedSetting,
  leftOut,
  type ProviderTraits,
  type Setting,
  warningText,
} from './call-options.ts';
import { findRefusedSetting } from './find-refused-setting.ts';
import { makeReasoningStore, makeTurnRecorder } from './reasoning-store.ts';

const usageOf = ({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage => ({
  input_tokens: inputTokens.total ?? 0,
  cached_tokens: inputTokens.cacheRead ?? 0,
  output_tokens: outputTokens.total ?? 0,
  reasoning_tokens: outputTokens.reasoning ?? 0,
});

/** Arguments as the model meant them; text that is no JSON stays text, for the loop to show back to it. */
function parsed(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

const asObject = (input: unknown) =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { arguments: input };

/** One part of the provider's stream as ours; what has no meaning to us is passed over. */
function* partsOf(part: LanguageModelV4StreamPart, request: ModelRequest): Generator<ModelPart> {
  if (part.type === 'reasoning-delta' && part.delta) yield { type: 'reasoning', text: part.delta };
  else if (part.type === 'tool-call' && !part.providerExecuted)
    yield { type: 'tool-call', id: part.toolCallId, name: part.toolName, input: parsed(part.input) };
  else if (part.type === 'stream-start') {
    for (const warning of part.warnings) {
      const message = warningText(warning, request);
      if (message !== undefined) yield { type: 'warning', message };
    }
  } else if (part.type === 'error') throw part.error;
  else if (part.type === 'finish') {
    const reason = part.finishReason.unified;
    // The connection was closed in good order, but the provider had not said that it was done.
    if (reason === 'interrupted') throw new ModelError('The answer broke off before its end');
    yield { type: 'finish', reason, usage: usageOf(part.usage) };
  }
}

/** One for all: a new error has to walk the stack. */
const nobodyListens = new Error('Nobody listens any more');

/** No model is given a longer budget for thinking: providers that add it to the answer allow less than this. */
const mostThinking = 64_000;

/** A model of a provider package as our Model. No retries: a setting the server refuses is left out, nothing else. */
export function aiSdkModel(
  load: (model: string) => Promise<LanguageModelV4>,
  traits: ProviderTraits,
  secrets: readonly string[],
): Model {
  const thoughts = makeReasoningStore();
  const refused = new Set<Setting>();

  async function open(request: ModelRequest, abortSignal: AbortSignal) {
    const model = await load(request.model);
    for (;;) {
      try {
        return await model.doStream({ ...callOptions(request, traits, refused, thoughts.of), abortSignal });
      } catch (error) {
        const setting = findRefusedSetting(error, request, refused);
        if (!setting) throw error;
        refused.add(setting);
      }
    }
  }

  return {
    extraTokens: ({ reasoning }) => (traits.thinks_on_top && reasoning !== 'off' ? mostThinking : 0),

    async *stream(request, signal) {
      const over = new AbortController();
      const hangUp = () => over.abort(signal.reason);
      signal.addEventListener('abort', hangUp, { once: true });
      const turn = makeTurnRecorder();
      let ended = false;
      try {
        signal.throwIfAborted();
        const reader = (await open(request, over.signal)).stream.getReader();
        for (const setting of refused)
          if (!isDefaultedSetting(setting, request))
            yield { type: 'warning', message: leftOut(setting, request.model) };
        for (;;) {
          const { done, value: part } = await reader.read();
          ended = done;
          if (done) return;
          turn.hear(part);
          if (part.type === 'text-delta') {
            if (part.delta) yield { type: 'text', text: part.delta };
            continue;
          }
          for (const own of partsOf(part, request)) {
            if (own.type === 'tool-call' && part.type === 'tool-call')
              turn.call(own.id, own.name, asObject(own.input), part.providerMetadata);
            if (own.type === 'finish') thoughts.keep(turn.parts);
            yield own;
          }
        }
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw asModelError(error, secrets);
      } finally {
        signal.removeEventListener('abort', hangUp);
        // Whoever stops listening also hangs up: an answer nobody reads is still paid for.
        if (!ended) over.abort(nobodyListens);
      }
    },
  };
}
