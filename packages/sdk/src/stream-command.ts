import type { Client } from './client-types.ts';
import { AtriumError } from './errors.ts';
import type { AnswerOf, BodyOf } from './operation-types.ts';
import { readFrames } from './read-frames.ts';
import { makeSender } from './send-request.ts';

/** A piece of output, or how the command ended. */
export type CommandPart =
  | { event: 'output'; stream: 'stdout' | 'stderr'; text: string }
  | ({ event: 'end' } & Pick<AnswerOf<'sandboxes.exec'>, 'exit_code' | 'reason' | 'duration_ms'>);

/**
 * Runs a command in a sandbox and yields its output as it comes, then its end. It is sent once: a stream of output can't be
 * given again. Aborting the signal ends the command.
 */
export async function* streamCommand(
  client: Client,
  sandboxId: string,
  body: BodyOf<'sandboxes.exec'>,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<CommandPart, void, undefined> {
  const sent = { ...body, stream: true };
  const url = client.url('sandboxes.exec', sandboxId, sent);
  const send = makeSender(client.options);
  const stream = await send(
    { method: 'POST', url, body: sent, isRepeatable: false },
    { signal, maxRetries: 0, headers: { accept: 'text/event-stream' } },
    ({ body: output }) => output as ReadableStream<Uint8Array>,
  );
  for await (const { event, data } of readFrames(stream)) {
    const part = JSON.parse(data);
    // The status was sent before the error came.
    if (event === 'error') throw new AtriumError(409, part);
    yield { event, ...part };
    if (event === 'end') return;
  }
  throw new AtriumError(0, { code: 'network', detail: 'Connection lost' });
}
