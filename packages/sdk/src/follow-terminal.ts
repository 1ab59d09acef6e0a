import type { Client } from './client-types.ts';
import { EventStream, type Source } from './event-stream.ts';
import type { AnswerOf } from './operation-types.ts';
import type { StreamOptions } from './options.ts';
import { makeSender } from './send-request.ts';

type Terminal = AnswerOf<'terminals.get'>;

/** A piece of what the terminal shows, that its screen begins anew, or how it ended. */
export type TerminalPart =
  | { event: 'output'; text: string }
  | { event: 'reset' }
  | { event: 'end'; exit_code: Terminal['exit_code']; reason: NonNullable<Terminal['reason']> };

/**
 * Follows the output of a terminal. The stream joins again by itself when the connection is lost, without losing or
 * doubling a piece, and ends with the terminal or when its signal is aborted.
 */
export function followTerminal(
  client: Client,
  sandboxId: string,
  terminalId: string,
  options: Omit<StreamOptions, 'query'> = {},
): EventStream<TerminalPart> {
  const send = makeSender(client.options);
  const url = client.url('terminals.follow', sandboxId, terminalId);
  let last = options.lastEventId;
  const source: Source<TerminalPart> = {
    position: () => last,
    open: (signal) =>
      send(
        { method: 'GET', url, body: undefined, isRepeatable: false },
        {
          signal,
          maxRetries: 0,
          headers: { ...options.headers, accept: 'text/event-stream', ...(last && { 'last-event-id': last }) },
        },
        ({ body }) => body as ReadableStream<Uint8Array>,
      ),
    read({ id, event, data }) {
      last = id ?? last;
      const part = { event, ...JSON.parse(data) } as TerminalPart;
      return event === 'end' ? { part, end: 'done' } : { part };
    },
  };
  return new EventStream(source, options, client.options.retryPause);
}
