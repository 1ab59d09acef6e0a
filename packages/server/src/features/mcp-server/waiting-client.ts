import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage, ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { LogLevel } from './sessions.ts';
import { type StreamedCall, streamEnd, writeEventId } from './stream-position.ts';

type Notify = (notification: ServerNotification) => Promise<void>;

/** One client that waits for one call: what it is told on the way, each message with an id to come back to. */
export function makeWaitingClient(call: StreamedCall, { from }: { from: number }) {
  const places = new WeakMap<object, { at: number; part: number }>();
  const pending: Promise<unknown>[] = [];
  let step = 0;

  const events: EventStore = {
    /** Nothing is stored: the run has it all, and the id says where to look. */
    async storeEvent(_stream, message: Partial<JSONRPCMessage>) {
      const params = 'params' in message ? message.params : undefined;
      const ended = 'result' in message || 'error' in message;
      const { at, part } = (params && places.get(params)) ?? { at: ended ? streamEnd : from, part: 0 };
      return writeEventId({ ...call, at }, part);
    },
    replayEventsAfter: () => Promise.reject(new Error('Streams are gone on with by following their run')),
  };

  return {
    events,

    /** Tells of progress where the client asked for it, and in the log where it listens. What it has heard is left out. */
    teller:
      (notify: Notify, tool: string, hears: (level: LogLevel) => boolean) =>
      (message: string, at: number): void => {
        step++;
        if (at <= from) return;
        const send = (part: number, method: string, params: Record<string, unknown>) => {
          places.set(params, { at, part });
          // A client that has gone hears nothing more, which is no reason to stop.
          pending.push(notify({ method, params } as unknown as ServerNotification).catch(() => {}));
        };
        const { progress_token: progressToken } = call;
        if (progressToken !== undefined) send(0, 'notifications/progress', { progressToken, progress: step, message });
        if (hears('info')) send(1, 'notifications/message', { level: 'info', logger: tool, data: message });
      },

    /** The result comes after whatever was told before it. */
    told: () => Promise.all(pending),
  };
}
