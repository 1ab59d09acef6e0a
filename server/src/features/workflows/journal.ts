import type { Bell } from '../../db/bell.ts';
import type { Database, Db } from '../../db/database.ts';
import { unavailable } from '../../lib/errors.ts';
import { LeaseLost } from '../runs/carried-run.ts';
import type { Batch, JournalEvent } from './events.ts';
import * as store from './run-store.ts';

export type Journal = ReturnType<typeof makeJournal>;

/** What is stored together with the end of a run or not at all. */
type Alongside = (tx: Db) => Promise<void>;

const topic = 'workflow-run';
const readAtOnce = 200;
/** A lost bell costs at most this. */
const lookAgainAfter = 2000;
/** How long other nodes wait for news of what is carried here. */
const ringEvery = 20;

/**
 * The journals of runs. Events are stored before anybody is told of them; whoever follows replays what is there and
 * then waits for the bell.
 */
export function makeJournal({ db, bell, node_id }: { db: Database; bell: Bell; node_id: string }) {
  /** The number of the last event of each run that is carried here. */
  const carried = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();
  const toRing = new Set<string>();
  /** Set when this node stops: those who wait are sent away, to come back to another. */
  let left = false;

  const wake = (run_id: string) => {
    const sleepers = waiting.get(run_id);
    waiting.delete(run_id);
    for (const resume of sleepers ?? []) resume();
  };
  bell.on(topic, wake);
  const wakeAll = () => {
    for (const run_id of [...waiting.keys()]) wake(run_id);
  };
  bell.onMissed(wakeAll);

  function ring(): void {
    const run_ids = [...toRing];
    toRing.clear();
    // One that is lost costs no more than a lost bell.
    for (const run_id of run_ids) bell.ring(db, topic, run_id).catch(() => {});
  }

  /** Tells those who follow here at once, and other nodes soon. */
  function tell(run_id: string): void {
    wake(run_id);
    if (toRing.size === 0) setTimeout(ring, ringEvery).unref();
    toRing.add(run_id);
  }

  /** Resolves when something may have come, or after a while. */
  function news(run_id: string, signal: AbortSignal): { heard: Promise<void>; cancel: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleepers = waiting.get(run_id) ?? new Set();
    const cancel = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      sleepers.delete(cancel);
      if (sleepers.size === 0 && waiting.get(run_id) === sleepers) waiting.delete(run_id);
      resolve();
    };
    const timer = setTimeout(cancel, lookAgainAfter);
    signal.addEventListener('abort', cancel, { once: true });
    waiting.set(run_id, sleepers.add(cancel));
    return { heard: promise, cancel };
  }

  return {
    open: (run_id: string, last_seq: number) => void carried.set(run_id, last_seq),
    close: (run_id: string) => void carried.delete(run_id),
    leave() {
      left = true;
      wakeAll();
    },
    tell,

    /** Stores events, the last ones together with the end of the run. */
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
      if (alongside)
        await db.transaction(undefined, async (tx) => {
          await add(tx);
          await alongside(tx);
        });
      else await add(db);
      carried.set(run_id, last_seq + events.length);
      tell(run_id);
    },

    async all(workspace_id: string, run_id: string): Promise<Batch[]> {
      const batches: Batch[] = [];
      for (let after = 0; ; after = batches.at(-1)?.first_seq ?? 0) {
        const page = await store.readJournal(db, workspace_id, run_id, after, readAtOnce);
        batches.push(...page);
        if (page.length < readAtOnce) return batches;
      }
    },

    /** The batches of a run from its first, then those that come, until it is over or waits, or the reader leaves. */
    async *follow(workspace_id: string, run_id: string, signal: AbortSignal): AsyncGenerator<Batch> {
      let seen = 0;
      let last_seq = 0;
      while (!signal.aborted) {
        if (left) throw unavailable('The server is being stopped; ask again in a moment');
        // Listening starts before the look, so nothing falls between looking and waiting.
        const { heard, cancel } = news(run_id, signal);
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
            if (!idle) await heard;
          }
        } finally {
          cancel();
        }
      }
    },
  };
}
