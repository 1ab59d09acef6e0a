import { asError } from '../../lib/as-error.ts';
import { isDatabaseOutage } from '../../lib/outages/database-outages.ts';

/** A call of a function of the other process, or the answer to one. */
export type PeerMessage =
  | { call: number; name: string; args: readonly unknown[] }
  | { answer: number; value?: unknown; error?: string; is_outage?: boolean };

/** The other process could not do it because the database was away at that moment. */
export class PeerOutage extends Error {}

/** The functions that the other process may call. */
export type PeerFunctions = Record<string, (...args: never[]) => unknown>;

export interface Peer {
  /** Calls a function of the other process. Rejects with its error, and when that process ends first. */
  call(name: string, ...args: unknown[]): Promise<unknown>;
  receive(message: PeerMessage): void;
  /** Rejects all calls, those to come too. Messages that come later are not answered. */
  close(reason: Error): void;
}

/** Calls between two processes by messages, in both directions. */
export function makePeer(send: (message: PeerMessage) => void, functions: PeerFunctions): Peer {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  let closed: Error | undefined;

  async function answer(id: number, name: string, args: readonly unknown[]): Promise<void> {
    try {
      const asked = functions[name];
      if (!asked) throw new Error(`There is no function ${name}`);
      send({ answer: id, value: await asked(...(args as never[])) });
    } catch (error) {
      send({ answer: id, error: asError(error).message, is_outage: isDatabaseOutage(error) });
    }
  }

  return {
    call(name, ...args) {
      if (closed) return Promise.reject(closed);
      const id = ++calls;
      const call = Promise.withResolvers<unknown>();
      waiting.set(id, call);
      send({ call: id, name, args });
      return call.promise;
    },

    receive(message) {
      if (closed) return;
      if ('call' in message) {
        void answer(message.call, message.name, message.args);
        return;
      }
      const call = waiting.get(message.answer);
      waiting.delete(message.answer);
      if (message.error === undefined) call?.resolve(message.value);
      else call?.reject(message.is_outage ? new PeerOutage(message.error) : new Error(message.error));
    },

    close(reason) {
      closed = reason;
      for (const call of waiting.values()) call.reject(reason);
      waiting.clear();
    },
  };
}
