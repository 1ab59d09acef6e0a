import { makeChangeWatch } from '../../../db/change-watch.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { storeThroughOutage } from '../../../execution/store-through-outage.ts';
import type { Batch, JournalEvent } from './journal-events.ts';
import * as store from './run-store.ts';

export interface Journal {
  open(run_id: string, last_seq: number): void;
  close(run_id: string): void;
  /** Whether this node has stored the end of the run, or is storing it. */
  isEnding(run_id: string): boolean;
  leave(): void;
  tell(run_id: string): void;
  /** Stores events, the last ones together with the end of the run. */
  append(
    workspace_id: string,
    run_id: string,
    events: readonly JournalEvent[],
    large: readonly store.LargeValue[],
    end?: store.RunEnding,
    alongside?: Alongside,
  ): Promise<void>;
  /** The stored batches of a run, or those that begin after a number. */
  all(workspace_id: string, run_id: string, from?: number): Promise<Batch[]>;
  /**
   * Yields the stored batches of a run, from the first or after a number, and then new ones, until the run is over or
   * waits for an approval, or the signal aborts.
   */
  follow(workspace_id: string, run_id: string, signal: AbortSignal, after?: number): AsyncGenerator<Batch>;
}

/** Statements that run in the transaction that ends a run. */
type Alongside = (tx: Db) => Promise<void>;

const readAtOnce = 200;

/**
 * The journals of runs. Events are stored before readers are notified; a reader replays the stored events and then
 * waits for notifications.
 */
export function makeJournal({ db, notifier, node_id }: { db: Database; notifier: Notifier; node_id: string }): Journal {
  /** The number of the last event of each run of this node. */
  const carried = new Map<string, number>();
  const ending = new Set<string>();
  const changes = makeChangeWatch({ db, notifier, topic: 'workflow-run' });

  /** Wakes readers of this process at once and notifies other nodes. */
  function tell(run_id: string): void {
    changes.wake(run_id);
    changes.notify(run_id);
  }

  return {
    open: (run_id: string, last_seq: number) => void carried.set(run_id, last_seq),
    close(run_id) {
      carried.delete(run_id);
      ending.delete(run_id);
    },
    isEnding: (run_id) => ending.has(run_id),
    leave: changes.close,
    tell,

    async append(
      workspace_id: string,
      run_id: string,
      events: readonly JournalEvent[],
      large: readonly store.LargeValue[],
      end?: store.RunEnding,
      alongside?: Alongside,
    ): Promise<void> {
      const last_seq = carried.get(run_id);
      if (last_seq === undefined) throw new LeaseLost();
      const add = (to: Db) => store.append(to, workspace_id, run_id, { node_id, last_seq }, events, large, end);
      const write = async () => {
        if (!alongside) return add(db);
        await db.transaction(undefined, async (tx) => {
          await add(tx);
          await alongside(tx);
        });
      };
      const stored = { node_id: end ? null : node_id, last_seq: last_seq + events.length };
      if (end) ending.add(run_id);
      try {
        await storeThroughOutage(write, () => store.isStoredUpTo(db, workspace_id, run_id, stored));
      } catch (error) {
        ending.delete(run_id);
        throw error;
      }
      // A run that was woken in the transaction that suspended it goes on.
      if (!end) ending.delete(run_id);
      carried.set(run_id, last_seq + events.length);
      tell(run_id);
    },

    async all(workspace_id: string, run_id: string, from = 0): Promise<Batch[]> {
      const batches: Batch[] = [];
      for (let after = from; ; after = batches.at(-1)?.first_seq ?? from) {
        const page = await store.readJournal(db, workspace_id, run_id, after, readAtOnce);
        batches.push(...page);
        if (page.length < readAtOnce) return batches;
      }
    },

    async *follow(workspace_id: string, run_id: string, signal: AbortSignal, after = 0): AsyncGenerator<Batch> {
      let seen = after;
      let last_seq = after;
      while (!signal.aborted) {
        changes.assertOpen();
        // Listen before reading, so that no event falls between reading and waiting.
        const { changed, cancel } = changes.wait(run_id, signal);
        try {
          const batches = await store.readJournal(db, workspace_id, run_id, seen, readAtOnce);
          for (const batch of batches) {
            yield batch;
            seen = batch.first_seq;
            last_seq = seen + batch.events.length - 1;
            const last = batch.events.at(-1);
            if (last?.type === 'run-end' && last.status !== 'awaiting_human_feedback') return;
          }
          if (batches.length === 0) {
            const run = await store.findRun(db, workspace_id, run_id);
            if (!run) return;
            const idle = run.status === 'awaiting_human_feedback' || run.finished_at !== null;
            if (idle && run.last_seq <= last_seq) return;
            if (!idle) await changed;
          }
        } finally {
          cancel();
        }
      }
    },
  };
}
