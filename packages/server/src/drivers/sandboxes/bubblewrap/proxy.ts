import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { WebRefused } from '../../web/driver.ts';

/** Opens a connection to a public address, or refuses. */
export type OpenSocket = (url: URL, signal: AbortSignal) => Promise<Socket>;

const [mostConnections, connectMs, idleMs] = [64, 15_000, 60_000];
/** Only the web; mail servers and remote shells are not reachable. */
const ports = new Set(['', '80', '443']);

const why = (error: unknown) =>
  error instanceof WebRefused ? `Refused: ${error.message}\n` : 'The host can not be reached\n';

/** Hop-by-hop headers, which are not forwarded. */
const ownHeaders = new Set(['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'te', 'upgrade']);

/**
 * The only way from a sandbox to the internet: an HTTP proxy on a Unix socket. Names are resolved when the connection
 * opens, and private addresses are always refused.
 */
export async function openProxy(path: string, open: OpenSocket): Promise<{ close(): Promise<void> }> {
  const sockets = new Set<Duplex>();
  const closing = new AbortController();
  const keep = <S extends Socket | Duplex>(socket: S): S => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const reach = async (url: URL) => {
    if (!ports.has(url.port)) throw new WebRefused('bad_request', 'only the ports 80 and 443 are reached from here');
    const socket = keep(await open(url, AbortSignal.any([closing.signal, AbortSignal.timeout(connectMs)])));
    socket.setTimeout(idleMs, () => socket.destroy());
    return socket;
  };

  /** Forwards a request for `http://…`. */
  async function forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    try {
      const url = new URL(incoming.url ?? '');
      if (url.protocol !== 'http:') throw new WebRefused('bad_request', 'only http addresses can be asked for so');
      const socket = await reach(url);
      const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !ownHeaders.has(name)));
      const outgoing = request({
        createConnection: () => socket,
        method: incoming.method,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, host: url.host, connection: 'close' },
      });
      outgoing.on('response', (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      outgoing.on('error', () => answer.destroy());
      incoming.pipe(outgoing);
    } catch (error) {
      answer.writeHead(502, { 'content-type': 'text/plain' }).end(why(error));
    }
  }

  /** `CONNECT host:port`: bytes in both directions, usually encrypted. */
  async function tunnel(incoming: IncomingMessage, inner: Duplex, head: Buffer): Promise<void> {
    keep(inner);
    try {
      const target = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(incoming.url ?? '');
      if (!target) throw new WebRefused('bad_request', 'a host and a port are needed');
      const host = target[1] ? `[${target[1]}]` : target[2];
      const outer = await reach(new URL(`http://${host}:${target[3]}/`));
      inner.write('HTTP/1.1 200 Connection established\r\n\r\n');
      outer.write(head);
      outer.once('close', () => inner.destroy());
      inner.once('close', () => outer.destroy());
      inner.pipe(outer).pipe(inner);
    } catch (error) {
      inner.end(`HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${why(error)}`);
    }
  }

  const server = createServer((incoming, answer) => void forward(incoming, answer));
  server.maxConnections = mostConnections;
  server.on('connection', keep);
  server.on('connect', (incoming, socket, head) => void tunnel(incoming, socket, head));
  await mkdir(dirname(path), { recursive: true, mode: 0o711 });
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  // Only this sandbox can enter the directory above.
  await chmod(path, 0o666);
  return {
    async close() {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      await rm(path, { force: true });
    },
  };
}
