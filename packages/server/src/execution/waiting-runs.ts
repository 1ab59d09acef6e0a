import type { Database } from '../db/database.ts';
import type { LeasedRun, RunQueue } from './run-queue.ts';
import type { Slot, Slots } from './slots.ts';

interface WaitingRunsOptions<R extends LeasedRun> {
  db: Database;
  queue: Pick<RunQueue<R>, 'waitingRuns' | 'someWait'>;
  slots: Slots;
  /** Marks a waiting run as running on this node; undefined when it cannot start after all. */
  begin(run: R): Promise<R | undefined>;
  start(run: R, slot: Slot): void;
  logWarning(what: string): (error: unknown) => void;
  isClosing(): boolean;
}

/** Starts the runs that wait for a slot, as slots become free. */
export function makeWaitingRuns<R extends LeasedRun>(options: WaitingRunsOptions<R>) {
  const { db, queue, slots, begin, start, logWarning, isClosing } = options;
  /** Whether a run may be waiting on any node; without it, every end of a run would cost a query. */
  let mayWait = true;
  let filling: Promise<void> | undefined;
  let mustLook = false;

  /** Starts waiting runs while there are free slots: the workspace that was served longest ago comes first. */
  async function startWaiting(): Promise<void> {
    while (!isClosing() && !slots.isFull) {
      // Reset before the query, so that a notification during the query is not lost.
      mayWait = false;
      const waiting = await queue.waitingRuns(db);
      // Runs behind another run of their conversation can start only after its end.
      if (waiting.length > 0 || (await queue.someWait(db))) mayWait = true;
      const workspace_id = slots.fairest(waiting.map(({ group_id }) => group_id));
      const next = waiting.find(({ group_id }) => group_id === workspace_id);
      const slot = next && slots.take(next.group_id);
      if (!slot) return;
      const begun = await begin(next).catch(logWarning('A waiting run could not be begun'));
      if (begun) start(begun, slot);
      else {
        slot.release();
        return;
      }
    }
  }

  async function look(): Promise<void> {
    try {
      while (mustLook) {
        mustLook = false;
        await startWaiting();
      }
    } catch (error) {
      logWarning('Waiting runs were not looked at')(error);
    } finally {
      filling = undefined;
    }
  }

  /** A call while a query runs has it repeated: the query may have missed the newest run. */
  function fill(): Promise<void> {
    mustLook = true;
    filling ??= look();
    return filling;
  }

  return {
    fill,
    /** A run may wait from now on. */
    expect(): void {
      mayWait = true;
    },
    fillIfAny(): void {
      if (mayWait) void fill();
    },
    /** Resolves when the look that is under way is over. */
    settled: async () => filling,
  };
}
