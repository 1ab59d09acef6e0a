import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import type { ProviderAddress } from '../../providers/driver.ts';
import { type Model, ModelError, type ModelPart, type ModelRequest, type ModelWarning } from '../driver.ts';
import { asModelError } from '../model-errors.ts';
import {
  callOptions,
  changesNothing,
  leftOut,
  type ProviderTraits,
  type Setting,
  warningText,
} from './call-options.ts';
import { findRefusal, wasAsked } from './find-refusal.ts';
import { makeReasoningStore, makeTurnRecorder } from './reasoning-store.ts';
import { makeRefusalMemory, type RememberedRefusals } from './refusal-memory.ts';

const usageOf = ({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage => ({
  input_tokens: inputTokens.total ?? 0,
  cached_tokens: inputTokens.cacheRead ?? 0,
  output_tokens: outputTokens.total ?? 0,
  reasoning_tokens: outputTokens.reasoning ?? 0,
});

/** Parses the arguments of a tool call; text that is not JSON stays text, so that the loop can show it to the model. */
function parseArguments(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

const asObject = (input: unknown) =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { arguments: input };

/** Translates one part of the provider's stream; parts without a meaning here are dropped. */
function* partsOf(part: LanguageModelV4StreamPart, request: ModelRequest): Generator<ModelPart> {
  if (part.type === 'reasoning-delta' && part.delta) yield { type: 'reasoning', text: part.delta };
  else if (part.type === 'tool-call' && !part.providerExecuted)
    yield { type: 'tool-call', id: part.toolCallId, name: part.toolName, input: parseArguments(part.input) };
  else if (part.type === 'stream-start') {
    for (const warning of part.warnings) {
      const message = warningText(warning, request);
      if (message !== undefined) yield { type: 'warning', message };
    }
  } else if (part.type === 'error') throw part.error;
  else if (part.type === 'finish') {
    const reason = part.finishReason.unified;
    // The connection was closed properly, but without the provider's end of the answer.
    if (reason === 'interrupted') throw new ModelError('The answer broke off before its end');
    yield { type: 'finish', reason, usage: usageOf(part.usage) };
  }
}

/** Shared, because creating an error collects a stack trace. */
const readerStopped = new Error('Nobody listens any more');

/** Settings that are sent without; a request that would be the same with them needs no warning. */
const leftOutWarnings = (settings: ReadonlySet<Setting>, request: ModelRequest): ModelWarning[] =>
  [...settings]
    .filter((setting) => wasAsked(setting, request) && !changesNothing(setting, request))
    .map((setting) => ({ message: leftOut(setting, request.model) }));

interface AiSdkModelOptions {
  load(model: string): Promise<LanguageModelV4>;
  traits: ProviderTraits;
  secrets: readonly string[];
  /** The settings that the server has refused in earlier requests to the model. */
  refusals(model: string): RememberedRefusals;
}

/** A model of a provider package as our Model. No retries: a setting the server refuses is left out, nothing else. */
function aiSdkModel({ load, traits, secrets, refusals }: AiSdkModelOptions): Model {
  const thoughts = makeReasoningStore();

  async function open(request: ModelRequest, abortSignal: AbortSignal) {
    const model = await load(request.model);
    const remembered = refusals(request.model);
    const known = { settings: new Set(remembered.settings), max_tokens: remembered.max_tokens };
    let lowered = false;
    for (;;) {
      const { options, warnings } = callOptions(request, traits, known, thoughts.of);
      try {
        const { stream } = await model.doStream({ ...options, abortSignal });
        return { stream, warnings: [...leftOutWarnings(known.settings, request), ...warnings] };
      } catch (error) {
        const refusal = findRefusal(error, request, known);
        if (!refusal) throw error;
        if ('setting' in refusal) {
          known.settings.add(refusal.setting);
          if (!refusal.once) remembered.settings.add(refusal.setting);
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

  return {
    async *stream(request, signal) {
      const over = new AbortController();
      const hangUp = () => over.abort(signal.reason);
      signal.addEventListener('abort', hangUp, { once: true });
      const turn = makeTurnRecorder();
      let ended = false;
      try {
        signal.throwIfAborted();
        const { stream, warnings } = await open(request, over.signal);
        const reader = stream.getReader();
        for (const warning of warnings) yield { type: 'warning', ...warning };
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
        // Close the connection when the reader stops early; otherwise the rest of the answer is still charged.
        if (!ended) over.abort(readerStopped);
      }
    },
  };
}

const refusalsOf = makeRefusalMemory();

const cachedModels = new WeakMap<ProviderAddress, LruCache<string, Promise<LanguageModelV4>>>();
/** Model names come from callers and may be anything, so the cache must not grow with them. */
const max_models = 100;

/** Builds a model once for an address and keeps it as long as that: building one costs more than an answer's statements. */
function languageModel(address: ProviderAddress, name: string): Promise<LanguageModelV4> {
  const ofAddress = cachedModels.get(address) ?? new LruCache<string, Promise<LanguageModelV4>>({ max: max_models });
  const cached = ofAddress.get(name);
  if (cached) return cached;
  const model = address.provider.language(address, name);
  ofAddress.set(name, model);
  cachedModels.set(address, ofAddress);
  // The caller gets the error; a later call must be able to try again.
  model.catch(() => ofAddress.delete(name));
  return model;
}

/** A model at one address of a provider. Nothing is loaded or sent before the first request. */
export function makeModel(address: ProviderAddress, model: string): Model {
  const secrets = [address.api_key, address.secret_access_key, address.access_key_id].filter((text) => text != null);
  return aiSdkModel({
    load: (name) => languageModel(address, name || model),
    traits: address.provider.traits(address, model),
    secrets,
    refusals: (name) => refusalsOf(address, name || model),
  });
}
