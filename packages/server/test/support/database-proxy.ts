import { once } from 'node:events';
import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

type Target = { host: string; port: number };

/** Stands between a node and PostgreSQL, and can do to its connections what networks do. */
export interface DatabaseProxy {
  readonly port: number;
  /** Swallows every byte in both directions, of all connections or of the notifier's alone; new ones are swallowed too. */
  swallow(which: 'all' | 'notifier' | 'none'): void;
  /** How many messages of nodes were swallowed. */
  readonly lost: number;
  /** Every byte is so many milliseconds late, in both directions. */
  delay(ms: number): void;
  /** Takes a piece of what nodes send (64 KB at most) every so many milliseconds, as a slow link does. */
  throttle(ms: number): void;
  /**
   * Waits for a connection that sends each of these texts, one after the other, and breaks it instead of passing on the
   * answer to the last: what it asked for is done, and the node can't know.
   */
  loseAnswer(...texts: readonly string[]): void;
  /** Breaks the connections that are open. */
  cut(): void;
  /** New connections lead there from now on; the ones that are open are broken. */
  redirect(target: Target): void;
  close(): Promise<void>;
}

/** How a server of PostgreSQL is reached: by a socket file when the host is a folder. */
const open = ({ host, port }: Target): Socket =>
  host.startsWith('/') ? tcpConnect(`${host}/.s.PGSQL.${port}`) : tcpConnect({ host, port });

/** Whether the server is ready for the next statement: what the last one asked for is committed only then. */
const endsAnswer = (bytes: Buffer) => bytes.subarray(-6, -1).toString('latin1') === 'Z\0\0\0\x05';

export async function startDatabaseProxy(given: Target): Promise<DatabaseProxy> {
  let target = given;
  let delay_ms = 0;
  let throttle_ms = 0;
  /** Writes to a socket in the order of the calls, late if it is to be. */
  const makeWriter = (socket: Socket) => {
    let before: Promise<unknown> = Promise.resolve();
    let waiting = 0;
    return (bytes: Buffer) => {
      if (delay_ms === 0 && waiting === 0) return void socket.write(bytes);
      waiting++;
      before = Promise.all([before, sleep(delay_ms)]).then(() => {
        waiting--;
        if (!socket.destroyed) socket.write(bytes);
      });
    };
  };
  let lost = 0;
  let awaited: readonly string[] = [];
  let swallowed: 'all' | 'notifier' | 'none' = 'none';
  const pairs = new Set<readonly [Socket, Socket]>();
  const server: Server = createServer((client) => {
    let isNotifier = false;
    const isSwallowed = () => swallowed === 'all' || (swallowed === 'notifier' && isNotifier);
    const upstream = open(target);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const [toUpstream, toClient] = [makeWriter(upstream), makeWriter(client)];
    let isFirst = true;
    let sent = 0;
    let isLost = false;
    client.on('data', (bytes) => {
      const text = awaited[sent];
      if (text !== undefined && bytes.includes(text)) sent += 1;
      if (awaited.length > 0 && sent === awaited.length) {
        awaited = [];
        isLost = true;
      }
      // The first message of a connection names its application.
      if (isFirst) isNotifier = / bell\0/.test(bytes.toString('latin1'));
      isFirst = false;
      if (isSwallowed()) lost += 1;
      else toUpstream(bytes);
      if (throttle_ms === 0) return;
      client.pause();
      setTimeout(() => client.resume(), throttle_ms);
    });
    upstream.on('data', (bytes) => {
      if (isLost && endsAnswer(bytes)) for (const socket of pair) socket.destroy();
      else if (!isLost && !isSwallowed()) toClient(bytes);
    });
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('error', () => {});
      from.on('close', () => {
        if (!isSwallowed()) to.destroy();
        if (to.destroyed) pairs.delete(pair);
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const breakAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    swallow(which) {
      swallowed = which;
    },
    get lost() {
      return lost;
    },
    delay(ms) {
      delay_ms = ms;
    },
    throttle(ms) {
      throttle_ms = ms;
    },
    loseAnswer(...texts) {
      awaited = texts;
    },
    cut: breakAll,
    redirect(next) {
      target = next;
      breakAll();
    },
    async close() {
      breakAll();
      await new Promise((closed) => server.close(closed));
    },
  };
}
