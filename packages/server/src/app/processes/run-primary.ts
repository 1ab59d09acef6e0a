import type { Config } from '../../config.ts';
import type { LimitMemory } from '../../db/query-connections.ts';
import { reservePort } from '../../http/reserve-port.ts';
import { makeCounters } from '../../lib/counters/make-counters.ts';
import type { Log } from '../../lib/log.ts';
import type { ChildHandle } from './child-handle.ts';
import { makeMetricsGatherer } from './gather-metrics.ts';
import { makeMachineLocks } from './machine-locks.ts';
import { openStorage } from './open-storage.ts';
import { makeWorkRelease } from './release-work.ts';
import type { ChildStart } from './run-child.ts';
import type { Shutdown } from './shutdown.ts';
import { superviseChildren } from './supervise-children.ts';

/**
 * Starts the processes that do the work, and has what a machine has once: the port until they serve, the data directory,
 * the embedded database, the counters of limits and the sum of the metrics.
 */
export async function runPrimary(
  config: Config,
  { log, shutdown, fail }: { log: Log; shutdown: Shutdown; fail(error: unknown): void },
): Promise<void> {
  const { processes } = config;
  const port = config.roles.includes('http') ? await reservePort(config) : undefined;
  if (port) shutdown.add(port.release);
  const { connection, direct, limitMemory } = await openStorage(config, { log, shutdown, onGone: fail });
  const work = await makeWorkRelease(direct ?? connection, log);
  shutdown.add(work.close);
  if (config.database_url === undefined) await work.releaseAll();

  const [metrics, counters, locks] = [makeMetricsGatherer(), makeCounters(), makeMachineLocks()];
  const start: ChildStart = { processes, connection, direct, limitsMemory: limitMemory !== undefined };
  const opened = Promise.withResolvers<void>();
  const ready = new Set<ChildHandle>();
  let address: unknown;

  async function bringUp(child: ChildHandle): Promise<void> {
    await child.hello;
    child.node_ids = (await child.peer.call('start', start)) as string[];
    ready.add(child);
    // The port is given up when all can take it, so that it is without a listener for a moment only.
    if (ready.size === processes) {
      await port?.release();
      opened.resolve();
    }
    await opened.promise;
    address = (await child.peer.call('serve', port?.port)) ?? address;
  }

  const children = superviseChildren({
    ...{ processes, log, bringUp, isDatabaseAway: work.isDatabaseAway, onGone: fail },
    functionsFor: (number) => ({
      ...counters,
      takeLock: (key: string, wait_ms: number) => locks.take(number, key, wait_ms),
      releaseLock: (key: string) => locks.release(number, key),
      limitMemory: ((pid, bytes) => limitMemory?.(pid, bytes) ?? false) as LimitMemory,
      gatherMetrics: () => metrics.gather(measured()),
      sumMemory: () => metrics.sumMemory(measured()),
    }),
    onEnd(child, number) {
      locks.releaseAll(number);
      ready.delete(child);
      void metrics.retire(child.pid);
      void work.releaseRunsOf(child.node_ids);
    },
  });
  const measured = () => children.all().map(({ pid, peer }) => ({ pid, read: () => peer.call('readMetrics') }));
  shutdown.add(children.end);
  shutdown.onDrain(children.drain);
  await children.started;

  // One that dies meanwhile leaves the announcement to the next.
  let failure: unknown;
  for (const { peer, isServing } of children.all()) {
    if (!isServing) continue;
    failure = await peer.call('announce', address).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
  }
  throw failure ?? new Error('no process serves');
}
