import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { allowPrivate } from './allow-list.ts';
import type { Connect } from './checked-socket.ts';
import { type KeptConnections, type Web, WebRefused, type WebRequest } from './driver.ts';
import { makeKeepAliveFetch } from './keep-alive-fetch.ts';

/** A web server on loopback that closes when the tests end. */
export async function loopback(answer: RequestListener): Promise<{ port: number; url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    answer(request, response);
  });
  return { ...(await listening(server)), asked };
}

/** Kept connections that are allowed to reach loopback; they end with the tests. */
export function loopbackConnections(): KeptConnections {
  const { fetch, post, close } = makeKeepAliveFetch({ allow: allowPrivate });
  after(close);
  return { fetch, post };
}

/** A server that sends arbitrary bytes. */
export const rawLoopback = async (talk: (socket: Socket) => void) =>
  listening(
    createTcpServer((socket) => {
      // Unless it is read, the socket does not notice that the client has closed.
      socket.on('error', () => {}).resume();
      talk(socket);
    }),
  );

async function listening(server: ReturnType<typeof createTcpServer>): Promise<{ port: number; url: string }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}

/**
 * Simulates the internet: connections go to a loopback port, while the socket reports the requested address. The
 * address comes from the socket's own lookup, as in a real connection.
 */
export function fakeInternet(port: number): { connect: Connect; connected: string[] } {
  const connected: string[] = [];
  return {
    connected,
    connect: (options) => {
      const socket = connect({ host: '127.0.0.1', port });
      options.lookup?.(options.host ?? '', {}, (_error, address) => {
        connected.push(String(address));
        Object.defineProperty(socket, 'remoteAddress', { get: () => String(address) });
      });
      return socket;
    },
  };
}

/** A connection that must never be made. */
export const noConnection: Connect = ({ host }) => assert.fail(`a connection to ${host} was tried`);

export const refusal = (code: WebRefused['code']) => (error: unknown) => {
  assert.ok(error instanceof WebRefused, `not a refusal: ${String(error)}`);
  assert.equal(error.code, code, error.message);
  assert.doesNotMatch(error.message, /\d+\.\d+\.\d+|::|localhost/, 'a message shows an address');
  return true;
};

export async function fetchText(web: Web, url: string, request?: WebRequest) {
  const answer = await web.fetch(url, request);
  return { ...answer, text: await text(answer.body) };
}
