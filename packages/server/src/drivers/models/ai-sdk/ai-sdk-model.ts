import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import type { ProviderAddress } from '../../providers/driver.ts';
import { type Model, ModelError, type ModelPart, type ModelRequest } from '../driver.ts';
import { type ProviderTraits, warningText } from '../request/call-options.ts';
import { openAnswer } from '../request/open-answer.ts';
import { makeReasoningStore, makeTurnRecorder } from '../request/reasoning-store.ts';
import type { RememberedRefusals } from '../request/refusal-memory.ts';
import { asObject, parseArguments } from '../request/tool-input.ts';

/** Loaded with the first error: the program starts without the provider packages. */
const loadErrors = () => import('./sdk-errors.ts');

const usageOf = ({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage => ({
  input_tokens: inputTokens.total ?? 0,
  cached_tokens: inputTokens.cacheRead ?? 0,
  output_tokens: outputTokens.total ?? 0,
  reasoning_tokens: outputTokens.reasoning ?? 0,
});

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

interface SdkModelOptions {
  load(model: string): Promise<LanguageModelV4>;
  traits: ProviderTraits;
  secrets: readonly string[];
  /** The settings that the server has refused in earlier requests to the model. */
  refusals(model: string): RememberedRefusals;
}

/** A model of a provider package as our Model. */
export function makeSdkModel({ load, traits, secrets, refusals }: SdkModelOptions): Model {
  const thoughts = makeReasoningStore();

  async function open(request: ModelRequest, abortSignal: AbortSignal) {
    const model = await load(request.model);
    const remembered = refusals(request.model);
    return openAnswer({
      ...{ request, traits, remembered, thoughts: thoughts.of },
      async send(options) {
        try {
          return await model.doStream({ ...options, abortSignal });
        } catch (error) {
          throw (await loadErrors()).fromSdkError(error);
        }
      },
    });
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
        const { answer, warnings } = await open(request, over.signal);
        const reader = answer.stream.getReader();
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
        throw (await loadErrors()).sdkModelError(error, secrets);
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
export function loadSdkModel(address: ProviderAddress, name: string): Promise<LanguageModelV4> {
  const ofAddress = cachedModels.get(address) ?? new LruCache<string, Promise<LanguageModelV4>>({ max: max_models });
  const cached = ofAddress.get(name);
  if (cached) return cached;
  const { language, name: kind } = address.provider;
  if (!language) throw new ModelError(`There is no driver for language models of ${kind}`, { status: 400 });
  const model = language(address, name);
  ofAddress.set(name, model);
  cachedModels.set(address, ofAddress);
  // The caller gets the error; a later call must be able to try again.
  model.catch(() => ofAddress.delete(name));
  return model;
}
