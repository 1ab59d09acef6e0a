import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage, ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { LogLevel } from './log-levels.ts';
import { type StreamedCall, streamEnd, writeEventId } from './stream-position.ts';

type Notify = (notification: ServerNotification) => Promise<void>;

export interface WaitingClient {
  events: EventStore;
  /**
   * Makes a function that reports progress: as progress notifications if the client asked for them, and as log messages if
   * it listens. Messages that the client has already received are skipped.
   */
  makeReporter(
    notify: Notify,
    tool: string,
    hears: (level: LogLevel) => boolean,
  ): (message: string, position: number) => void;
  /** Resolves when all notifications are sent, so that the result comes after them. */
  flush(): Promise<unknown>;
}

/** A client that waits for one call. Each message to it carries an id from which the client can resume the stream. */
export function makeWaitingClient(call: StreamedCall, { from }: { from: number }): WaitingClient {
  const positions = new WeakMap<object, { at: number; part: number }>();
  const pending: Promise<unknown>[] = [];
  let step = 0;

  const events: EventStore = {
    /** Stores nothing: the run's log has all messages, and the id holds the position in it. */
    async storeEvent(_stream, message: Partial<JSONRPCMessage>) {
      const params = 'params' in message ? message.params : undefined;
      const ended = 'result' in message || 'error' in message;
      const { at, part } = (params && positions.get(params)) ?? { at: ended ? streamEnd : from, part: 0 };
      return writeEventId({ ...call, at }, part);
    },
    replayEventsAfter: () => Promise.reject(new Error('Streams are gone on with by following their run')),
  };

  return {
    events,

    makeReporter: (notify, tool, hears) => (message, position) => {
      step++;
      if (position <= from) return;
      const send = (part: number, notification: ServerNotification & { params: object }) => {
        positions.set(notification.params, { at: position, part });
        // A client that has disconnected misses the notification; the call goes on.
        pending.push(notify(notification).catch(() => {}));
      };
      const { progress_token: progressToken } = call;
      if (progressToken !== undefined)
        send(0, { method: 'notifications/progress', params: { progressToken, progress: step, message } });
      if (hears('info'))
        send(1, { method: 'notifications/message', params: { level: 'info', logger: tool, data: message } });
    },

    flush: () => Promise.all(pending),
  };
}
