import type { PoolConfig } from 'pg';
import type { App } from '../../app.ts';
import type { Config } from '../../config.ts';
import type { Counters } from '../../lib/counters/ports.ts';
import type { Log } from '../../lib/log.ts';
import type { ProcessMetrics } from '../../lib/machine/machine-metrics.ts';
import { divideRuns } from './divide-runs.ts';
import { makePeer, type Peer, type PeerMessage } from './peer.ts';
import { announce, serveHealthOnly } from './serve-app.ts';
import type { Shutdown } from './shutdown.ts';

/** What a process needs to know of its machine. */
export interface ChildStart {
  processes: number;
  connection: PoolConfig;
  direct: PoolConfig | undefined;
  /** The first process can limit the memory of backends of the database. */
  limitsMemory: boolean;
}

/** Counters in the memory of the first process. */
function countersOf({ call }: Peer): Counters {
  const ask =
    (name: keyof Counters) =>
    (...args: unknown[]) =>
      call(name, ...args) as Promise<number>;
  return {
    takeToken: ask('takeToken'),
    countInWindow: ask('countInWindow'),
    countTry: ask('countTry'),
    forgetTries: ask('forgetTries'),
    countWrongKey: ask('countWrongKey'),
    takeTurn: ask('takeTurn'),
  };
}

/** One of several processes, at the command of the one that has started it. Ends with it. */
export async function runChild(
  number: number,
  given: Config,
  { log, shutdown }: { log: Log; shutdown: Shutdown },
): Promise<void> {
  process.on('disconnect', () => process.exit(1));
  const program = import('../../app.ts');
  let app: App | undefined;
  let isDraining = false;
  let readMetrics: () => Promise<ProcessMetrics> = async () => [];

  const peer = makePeer((message) => process.send?.(message, () => {}), {
    async start({ processes, connection, direct, limitsMemory }: ChildStart) {
      const { makeApp } = await program;
      app = await makeApp(divideRuns(given, number, processes), connection, log, {
        ...{ direct, processes, counters: countersOf(peer) },
        ...(limitsMemory && {
          limitMemory: async (pid, bytes) => (await peer.call('limitMemory', pid, bytes)) === true,
        }),
        metrics: {
          offer(read) {
            readMetrics = read;
          },
          gather: async () => String(await peer.call('gatherMetrics')),
          sumMemory: async () => Number(await peer.call('sumMemory')),
        },
        locks: {
          take: async (key, wait_ms) => (await peer.call('takeLock', key, wait_ms)) === true,
          release: (key) => void peer.call('releaseLock', key),
        },
      });
      const { close, drain } = app;
      shutdown.add(close);
      shutdown.onDrain(() => drain(given.drain_seconds));
      // The machine was told to end while this process started.
      if (isDraining) void drain(given.drain_seconds);
      return app.node_ids;
    },
    async serve(port: number | undefined) {
      if (!app) throw new Error('it has not started');
      await serveHealthOnly(app, given, { log, shutdown });
      return port === undefined ? undefined : app.server.listen({ host: given.host, port });
    },
    announce: (address: string | undefined) => app && announce(app, given, log, address),
    readMetrics: () => readMetrics(),
    drain() {
      isDraining = true;
      return app?.drain(given.drain_seconds);
    },
    end: () => shutdown.end(false),
  });
  process.on('message', (message: PeerMessage) => peer.receive(message));
  await peer.call('hello');
}
