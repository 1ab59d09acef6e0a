import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { errorFields, type Log } from '../lib/log.ts';
import type { Scope } from '../lib/scope.ts';
import { type LeasedRun, LeaseLost, type RunQueue } from './run-queue.ts';
import type { Slot, Slots } from './slots.ts';

export type Executor<R extends LeasedRun, H> = ReturnType<typeof makeExecutor<R, H>>;

const renewEvery = 3000;
const sweepEvery = 2000;
const takeAtOnce = 50;
/** One for all: a new error has to walk the stack. */
const isOver = new Error('The run is over');

export interface ExecutorOptions<R extends LeasedRun, H> {
  db: Database;
  notifier: Notifier;
  log: Log;
  /** The kind of runs, in topics of the bell. */
  topic: string;
  queue: RunQueue<R>;
  /** Told which runs are carried here, and when none is any more. */
  runLog: { open(run_id: string, last_seq: number): void; close(run_id: string): void; leave(): void };
  node_id: string;
  slots: Slots;
  /** No other node has this database: what is under way in it at the start was left by one that died. */
  alone?: boolean | undefined;
  /** `held` is what whoever began the run knows of it already. */
  execute(scope: Scope, run: R, signal: AbortSignal, held?: H): Promise<void>;
  /** Begins a run that has waited; undefined when it could not be begun after all. */
  begin(run: R): Promise<R | undefined>;
  /** Ends what people were asked and have not answered in time. */
  expire?(): Promise<void>;
}

/**
 * Runs that this node carries. They go on whether or not anybody watches. A node that dies leaves its leases to run
 * out, and whoever notices takes its runs over; a run is stopped by its row, so any node can ask for it.
 */
export function makeExecutor<R extends LeasedRun, H>(options: ExecutorOptions<R, H>) {
  const { db, notifier, log, runLog, node_id, slots, queue } = options;
  const stopTopic = `${options.topic}-stop`;
  const waitTopic = `${options.topic}-waits`;
  const running = new Map<string, { group_id: string; abort: AbortController; done: Promise<void> }>();
  let closing = false;
  /** Whether a run may be waiting somewhere: looking after the end of every run would cost each of them a statement. */
  let mayWait = true;
  let filling: Promise<void> | undefined;
  let mustLook = false;
  let sweeping: Promise<void> | undefined;
  const warned = (what: string) => (error: unknown) => log.warn(what, errorFields(error));
  notifier.on(stopTopic, (run_id) => running.get(run_id)?.abort.abort());
  notifier.on(waitTopic, () => {
    mayWait = true;
  });

  /** The run acts for whoever asked for it, on this node or on the one that takes it over. */
  function scopeOf(run: R, signal: AbortSignal): Scope {
    const { permissions, depth = 0, ...principal } = run.principal;
    const { group_id: workspace_id, id: request_id } = run;
    const own = { permissions: new Set(permissions), depth: depth + 1 };
    return { ...principal, ...own, workspace_id, request_id, log, signal };
  }

  /** Carries the run from now on; its row names this node already. */
  function start(run: R, slot: Slot, held?: H): void {
    if (closing) {
      slot.release();
      return;
    }
    const abort = new AbortController();
    if (run.stop_requested) abort.abort();
    // One that was put away a moment ago may be taken up again before its last carrying is quite over.
    const before = running.get(run.id)?.done;
    const carry = () => {
      runLog.open(run.id, run.last_seq);
      return options.execute(scopeOf(run, abort.signal), run, abort.signal, held);
    };
    const done = (before ? before.then(carry) : carry())
      .catch((error) => {
        if (error instanceof LeaseLost) log.debug('A run went to another node', { run_id: run.id });
        else log.error('A run could not be ended', { run_id: run.id, ...errorFields(error) });
      })
      .finally(() => {
        // Whatever it left behind, a provider's answer that nobody reads any more, ends with it.
        abort.abort(isOver);
        if (running.get(run.id)?.abort === abort) running.delete(run.id);
        runLog.close(run.id);
        slot.release();
        if (mayWait) void fill();
      });
    running.set(run.id, { group_id: run.group_id, abort, done });
  }

  /** Begins runs that wait, as far as there is room: the workspace that was served longest ago comes first. */
  async function beginWaiting(): Promise<void> {
    while (!closing && !slots.isFull) {
      // Lowered before looking: a bell that rings in the meantime is not overheard.
      mayWait = false;
      const waiting = await queue.waitingRuns(db);
      // Those that can't begin yet, behind another of their conversation, wait for its end.
      if (waiting.length > 0 || (await queue.someWait(db))) mayWait = true;
      const workspace_id = slots.fairest(waiting.map(({ group_id }) => group_id));
      const next = waiting.find(({ group_id }) => group_id === workspace_id);
      const slot = next && slots.take(next.group_id);
      if (!slot) return;
      const begun = await options.begin(next).catch(warned('A waiting run could not be begun'));
      if (begun) start(begun, slot);
      else {
        slot.release();
        return;
      }
    }
  }

  /** Whoever asks while others look has it looked at again: what they saw may be from before. */
  function fill(): Promise<void> {
    mustLook = true;
    filling ??= look();
    return filling;
  }

  async function look(): Promise<void> {
    try {
      while (mustLook) {
        mustLook = false;
        await beginWaiting();
      }
    } catch (error) {
      warned('Waiting runs were not looked at')(error);
    } finally {
      filling = undefined;
    }
  }

  /** A place beyond the limits, if need be. */
  const beyond = (workspace_id: string): Slot => slots.take(workspace_id) ?? { workspace_id, release() {} };

  /** All that lapsed, also when a whole node's worth of them has. */
  async function takeOver(): Promise<void> {
    for (let found = takeAtOnce; found === takeAtOnce && !closing; ) {
      const lapsed = await queue.takeOver(db, node_id, takeAtOnce);
      found = lapsed.length;
      for (const run of lapsed) {
        log.info('Taking over a run', { run_id: run.id });
        // It is under way already and must not wait again.
        if (!running.has(run.id)) start(run, beyond(run.group_id));
      }
    }
  }

  function sweep(): void {
    sweeping ??= takeOver()
      .then(() => options.expire?.())
      .then(fill)
      .catch(warned('Lapsed runs were not looked at'))
      .finally(() => {
        sweeping = undefined;
      });
  }

  /** Only of what is carried here: a run that could not be ended lapses and is taken up again. */
  async function renew(): Promise<void> {
    if (running.size === 0) return;
    const carried = [...running].map(([id, { group_id }]) => ({ group_id, id }));
    const renewed = await queue.renewLeases(db, node_id, [...running.keys()]);
    // A bell that asked for a stop may have been lost.
    for (const { id, stop_requested } of renewed) if (stop_requested) running.get(id)?.abort.abort();
    const kept = new Set(renewed.map(({ id }) => id));
    const others = carried.filter(({ id }) => !kept.has(id));
    if (others.length === 0) return;
    // One that was deleted would otherwise be noticed only when it has something to store: a model may think for long.
    for (const id of await queue.deletedRuns(db, others)) running.get(id)?.abort.abort(isOver);
  }

  const timers = [
    setInterval(() => void renew().catch(warned('Leases were not renewed')), renewEvery),
    setInterval(sweep, sweepEvery),
  ];
  for (const timer of timers) timer.unref();
  // What was left when the program was last stopped, or killed, goes on at once.
  const left = options.alone ? queue.lapseAll(db) : Promise.resolve(0);
  void left.catch(warned('Runs of the last start were not looked at')).then(sweep);

  return {
    node_id,
    start,
    take: slots.take,
    beyond,
    /** Resolves when the run is not carried here any more; at once when it is not. */
    ended: async (run_id: string) => running.get(run_id)?.done,

    /** A run was left waiting: every node looks for it when a place is free. */
    async waits(): Promise<void> {
      mayWait = true;
      await notifier.notify(db, waitTopic);
      // What it was to wait for may have ended just before this was known to anybody.
      void fill();
    },

    /** Asks whichever node carries the run to stop it. Answers how the run stands. */
    async stop(workspace_id: string, run_id: string): Promise<RunStatus | undefined> {
      const run = await queue.requestStop(db, workspace_id, run_id);
      running.get(run_id)?.abort.abort();
      await notifier.notify(db, stopTopic, run_id);
      return run?.status;
    },

    /**
     * Runs that are under way are let go of, to be taken up by another node or after the next start: a restart is no
     * reason to lose an answer. From then on they can't be written to from here, so nothing of them is stored as ended.
     */
    async close(): Promise<void> {
      closing = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all([filling, sweeping]);
      await queue.releaseRuns(db, node_id).catch(warned('Runs were not let go of'));
      for (const { abort } of running.values()) abort.abort(isOver);
      await Promise.all([...running.values()].map(({ done }) => done));
      // One whose message was taken in the meantime was not begun.
      await queue.releaseRuns(db, node_id).catch(warned('Runs were not let go of'));
      runLog.leave();
    },
  };
}
