import { isIP } from 'node:net';
import { Agent, fetch as undiciFetch } from 'undici';
import type { AllowList } from './allow-list.ts';
import { type Connect, makeCheckedSockets, type Resolve } from './checked-socket.ts';

const connect_ms = 10_000;

export interface KeepAliveFetch {
  /** As the platform's, except that an answer that redirects is an error: what is sent along is for this address alone. */
  fetch: typeof fetch;
  close(): Promise<void>;
}

/**
 * The guard for addresses that are asked again and again: a connection is checked when it is opened, by the same rules as
 * every other, and then used for many requests. One list of allowed addresses has one set of connections.
 */
export function makeKeepAliveFetch(options: {
  allow: AllowList;
  resolve?: Resolve;
  connect?: Connect;
}): KeepAliveFetch {
  const open = makeCheckedSockets(options);
  const dispatcher = new Agent({
    connect: ({ protocol, hostname, port }, answer) => {
      // The library has taken the brackets of an IPv6 address off.
      const url = new URL(`${protocol}//${isIP(hostname) === 6 ? `[${hostname}]` : hostname}`);
      url.port = port;
      open(url, AbortSignal.timeout(connect_ms)).then(
        (socket) => answer(null, socket.setNoDelay(true)),
        (error: Error) => answer(error, null),
      );
    },
  });
  const checkedFetch = (input: unknown, init?: object) =>
    undiciFetch(input as string, { ...init, redirect: 'error', dispatcher });
  return { fetch: checkedFetch as unknown as typeof fetch, close: () => dispatcher.destroy() };
}
