import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import type { ProviderAddress } from '../../providers/driver.ts';
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

/** The largest reasoning budget of providers that count it besides `max_tokens`. */
const max_thinking_tokens = 64_000;

/** A model of a provider package as our Model. No retries: a setting the server refuses is left out, nothing else. */
function aiSdkModel(
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
    extraTokens: ({ reasoning }) => (traits.thinks_on_top && reasoning !== 'off' ? max_thinking_tokens : 0),

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
        // Close the connection when the reader stops early; otherwise the rest of the answer is still charged.
        if (!ended) over.abort(readerStopped);
      }
    },
  };
}

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
  return aiSdkModel((name) => languageModel(address, name || model), address.provider.traits(address, model), secrets);
}
