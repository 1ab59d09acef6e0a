import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import type { Agent } from 'undici';
import type { AllowList } from './allow-list.ts';
import { type Connect, makeCheckedSockets, type Resolve } from './checked-socket.ts';
import type { KeptConnections } from './driver.ts';
import { makeKeepAlivePost } from './keep-alive-post.ts';

const connect_ms = 10_000;
/** Loaded at the first request; not by `import`, since a request is sent at once. */
const undici = (): typeof import('undici') => createRequire(import.meta.url)('undici');

export interface KeepAliveFetch extends KeptConnections {
  close(): Promise<void>;
}

/**
 * The guarded fetch for addresses that are called often. A connection is checked when it opens, by the same rules, and
 * then used for many requests. Each allow list has its own connections.
 */
export function makeKeepAliveFetch(options: {
  allow: AllowList;
  resolve?: Resolve;
  connect?: Connect;
}): KeepAliveFetch {
  const open = makeCheckedSockets(options);
  let agent: Agent | undefined;
  let isClosed = false;
  const makeAgent = () =>
    new (undici().Agent)({
      connect: ({ protocol, hostname, port }, answer) => {
        // The library has removed the brackets of an IPv6 address.
        const url = new URL(`${protocol}//${isIP(hostname) === 6 ? `[${hostname}]` : hostname}`);
        url.port = port;
        open(url, AbortSignal.timeout(connect_ms)).then(
          (socket) => answer(null, socket.setNoDelay(true)),
          (error: Error) => answer(error, null),
        );
      },
    });
  const openAgent = () => {
    if (isClosed) throw new Error('The connections are closed');
    agent ??= makeAgent();
    return agent;
  };
  const checkedFetch = async (input: unknown, init?: object) =>
    undici().fetch(input as string, { ...init, redirect: 'error', dispatcher: openAgent() });
  return {
    fetch: checkedFetch as unknown as typeof fetch,
    post: makeKeepAlivePost((...request) => openAgent().dispatch(...request)),
    async close() {
      isClosed = true;
      await agent?.destroy();
    },
  };
}
