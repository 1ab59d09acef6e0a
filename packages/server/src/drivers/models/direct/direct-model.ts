import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ProviderAddress } from '../../providers/driver.ts';
import type { Model, ModelRequest, StreamOptions } from '../driver.ts';
import { asModelError } from '../model-errors.ts';
import { type ProviderTraits, warningText } from '../request/call-options.ts';
import { openAnswer } from '../request/open-answer.ts';
import { makeReasoningStore } from '../request/reasoning-store.ts';
import type { RememberedRefusals } from '../request/refusal-memory.ts';
import { AnswerStream } from './answer-stream.ts';
import type { Protocol } from './protocol.ts';

/** Shared, because creating an error collects a stack trace. */
const readerStopped = new Error('Nobody listens any more');

interface DirectModelOptions {
  address: ProviderAddress;
  protocol: Protocol;
  /** The name to use when a request has none. */
  model: string;
  traits: ProviderTraits;
  secrets: readonly string[];
  refusals(model: string): RememberedRefusals;
}

/** A model that is called over HTTP without a provider package. */
export function makeDirectModel({ address, protocol, model, traits, secrets, refusals }: DirectModelOptions): Model {
  const thoughts = makeReasoningStore();

  /** Sends one request; `begin` gets its stream at once, so that it can be closed while it is waited for. */
  async function send(
    name: string,
    options: LanguageModelV4CallOptions,
    how: StreamOptions | undefined,
    begin: (stream: AnswerStream) => void,
  ) {
    const { url, headers, body, warnings, reader } = protocol.prepare(options, address, name);
    const stream = new AnswerStream(protocol, reader, how);
    begin(stream);
    stream.control = address.post(url, { headers, body: JSON.stringify(body) }, stream);
    await stream.opened;
    return { stream, warnings };
  }

  return {
    async *stream(request: ModelRequest, signal: AbortSignal, how?: StreamOptions) {
      let current: AnswerStream | undefined;
      const hangUp = () => current?.control?.abort(signal.reason);
      signal.addEventListener('abort', hangUp, { once: true });
      try {
        signal.throwIfAborted();
        const { answer, warnings } = await openAnswer({
          ...{ request, traits, remembered: refusals(request.model), thoughts: thoughts.of },
          send(options) {
            signal.throwIfAborted();
            return send(request.model || model, options, how, (begun) => {
              current = begun;
            });
          },
        });
        for (const warning of warnings) yield { type: 'warning', ...warning };
        for (const warning of answer.warnings) {
          const message = warningText(warning, request);
          if (message !== undefined) yield { type: 'warning', message };
        }
        const { stream } = answer;
        for (;;) {
          const batch = stream.take();
          for (const part of batch) {
            if (signal.aborted) throw signal.reason;
            if (part.type === 'finish') thoughts.keep(stream.reader.parts.turn);
            yield part;
          }
          // More may have come while the caller was busy with the batch, also the end.
          if (batch.length > 0) continue;
          if (stream.failure) throw stream.failure.error;
          if (stream.over) return;
          await stream.more();
        }
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw asModelError(error, secrets);
      } finally {
        signal.removeEventListener('abort', hangUp);
        // Close the connection when the reader stops early; otherwise the rest of the answer is still charged.
        if (!current?.over) current?.control?.abort(readerStopped);
      }
    },
  };
}
