import type { Bell } from '../../db/bell.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { RunLog } from './log.ts';
import type { RunRow } from './store.ts';
import * as store from './store.ts';

export type Executor = ReturnType<typeof makeExecutor>;

const renewEvery = 5000;

/**
 * Runs that this node carries. They go on whether or not anybody watches; a run is stopped by its row, so that any
 * node can ask for it.
 */
export function makeExecutor(options: {
  db: Database;
  bell: Bell;
  log: Log;
  runLog: RunLog;
  execute(scope: Scope, run: RunRow, signal: AbortSignal): Promise<void>;
}) {
  const { db, bell, log, runLog } = options;
  const node_id = newId();
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  bell.on('run-stop', (run_id) => running.get(run_id)?.abort.abort());
  const timer = setInterval(() => {
    if (running.size)
      store.renewLeases(db, node_id).catch((error) => log.warn('Leases were not renewed', errorFields(error)));
  }, renewEvery).unref();

  return {
    node_id,

    /** Begins at once; the row says `running` and names this node already. */
    start(scope: Scope, run: RunRow): void {
      const abort = new AbortController();
      runLog.open(run.id);
      // The run outlives the request that began it, and with it that request's signal.
      const own: Scope = { ...scope, signal: abort.signal };
      const done = options
        .execute(own, run, abort.signal)
        .catch((error) => log.error('A run could not be ended', { run_id: run.id, ...errorFields(error) }))
        .finally(() => {
          running.delete(run.id);
          runLog.close(run.id);
        });
      running.set(run.id, { abort, done });
    },

    /** Asks whichever node carries the run to stop it. */
    async stop(workspace_id: string, run_id: string): Promise<void> {
      await store.requestStop(db, workspace_id, run_id);
      running.get(run_id)?.abort.abort();
      await bell.ring(db, 'run-stop', run_id);
    },

    /** Runs that are under way are stopped and stored as such. */
    async close(): Promise<void> {
      clearInterval(timer);
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
