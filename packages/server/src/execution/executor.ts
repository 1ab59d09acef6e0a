import { setTimeout as sleep } from 'node:timers/promises';
import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { Database, Db } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { errorFields, type Log } from '../lib/log.ts';
import { isDatabaseOutage, retryThroughOutage } from '../lib/outages/database-outages.ts';
import type { Scope } from '../lib/scope.ts';
import { ageOf, currentMoment, type Moment } from '../lib/timetable/moment.ts';
import { leaseIsSureMs, renewEveryMs } from './lease-store.ts';
import { type LeasedRun, LeaseLost, type RunQueue } from './run-queue.ts';
import type { Slot, Slots } from './slots.ts';
import { makeWaitingRuns } from './waiting-runs.ts';

const sweepEvery = 2000;
const takeAtOnce = 50;
/** How long a shutdown tries to release its runs; those that are left are taken over when their leases expire. */
const releaseWithinMs = 2000;
/** One error for all runs: creating one walks the stack. */
const isOver = new Error('The run is over');

export interface ExecutorOptions<R extends LeasedRun, L> {
  db: Database;
  notifier: Notifier;
  log: Log;
  /** The kind of runs, as the prefix of the notifier's topics. */
  topic: string;
  queue: RunQueue<R>;
  /** Notified which runs this node executes, and when it executes none any more. */
  runLog: {
    open(run_id: string, last_seq: number): void;
    close(run_id: string): void;
    /** Whether this node has stored the end of the run, or is storing it: then it does not belong to a node any more. */
    isEnding(run_id: string): boolean;
    /** Stores what clients have seen and the log lacks, before other nodes may take the runs over. */
    settle?(): Promise<void>;
    leave(): void;
  };
  node_id: string;
  slots: Slots;
  /** No other node uses this database: every run that is marked as running at the start belongs to a dead process. */
  alone?: boolean | undefined;
  /** `loaded`: data of the run that its starter has read already. */
  execute(scope: Scope, run: R, signal: AbortSignal, loaded?: L): Promise<void>;
  /** Marks a waiting run as running on this node; undefined when it cannot start after all. */
  begin(run: R): Promise<R | undefined>;
  /** Expires requests to people that are past their deadline. */
  expire?(): Promise<void>;
}

/** One execution of a run on this node. A run that comes back to the node has another one. */
interface Execution {
  group_id: string;
  abort: AbortController;
  done: Promise<void>;
  /** When its lease was asked for. */
  leased: Moment;
}

/** Executes runs of one kind on this node. */
export interface Executor<R extends LeasedRun, L> {
  readonly node_id: string;
  /** Executes a run whose row names this node already. The slot is released at its end. */
  start(run: R, slot: Slot, loaded?: L): void;
  /**
   * Marks a run that waits for people as running on this node, in the caller's transaction. Answers the function that
   * starts it after the commit; undefined when the run does not wait any more.
   */
  resume(tx: Db, workspace_id: string, run_id: string): Promise<(() => void) | undefined>;
  takeSlot: Slots['take'];
  takeExtraSlot: Slots['takeExtra'];
  /** Resolves when this node does not execute the run any more; at once when it does not execute it now. */
  whenReleased(run_id: string): Promise<void>;
  /** Notifies every node that a run waits for a slot. */
  notifyWaiting(): Promise<void>;
  /** Asks the node that executes the run to stop it. Answers the status of the run. */
  stop(workspace_id: string, run_id: string): Promise<RunStatus | undefined>;
  /** Releases the runs of this node, so that another node or the next start continues them. */
  close(): Promise<void>;
}

/**
 * Runs continue without a connected client. When a node dies, its leases expire and another node takes its runs over. A
 * stop is requested through the row of the run, so any node can request it.
 */
export function makeExecutor<R extends LeasedRun, L>(options: ExecutorOptions<R, L>): Executor<R, L> {
  const { db, notifier, log, runLog, node_id, slots, queue } = options;
  const stopTopic = `${options.topic}-stop`;
  const waitTopic = `${options.topic}-waits`;
  const running = new Map<string, Execution>();
  let closing = false;
  let sweeping: Promise<void> | undefined;
  const logWarning = (what: string) => (error: unknown) => log.warn(what, errorFields(error));
  notifier.on(stopTopic, (run_id) => running.get(run_id)?.abort.abort());
  const waiting = makeWaitingRuns<R>({
    ...{ db, queue, slots, begin: options.begin, start, logWarning },
    isClosing: () => closing,
  });
  notifier.on(waitTopic, () => {
    waiting.expect();
    // Another node may have no slot for it, and this one has.
    if (!slots.isFull) void waiting.fill();
  });
  slots.onFree(waiting.fillIfAny);

  /** A run acts for the actor that requested it, also on the node that takes it over. */
  function scopeOf(run: R, abort: AbortController): Scope {
    const { permissions, depth = 0, ...principal } = run.principal;
    const { group_id: workspace_id, id: request_id } = run;
    const nested = { permissions: new Set(permissions), depth: depth + 1 };
    const { signal } = abort;
    const requireLease = () => confirmLease(workspace_id, request_id, abort);
    return { ...principal, ...nested, workspace_id, request_id, log, signal, requireLease };
  }

  /** Stops a run that this node has lost. Its followers read the log that the other node writes. */
  function drop(run_id: string): void {
    log.info('run.lease-lost', { run_id });
    running.get(run_id)?.abort.abort(new LeaseLost());
    runLog.close(run_id);
  }

  /** Asks the database only when the last renewal is too old, as it is in a process that was stopped for a while. */
  async function confirmLease(group_id: string, id: string, abort: AbortController): Promise<void> {
    const own = running.get(id);
    // The lease of a later execution is not that of this one.
    if (own?.abort !== abort) throw new LeaseLost();
    if (ageOf(own.leased) < leaseIsSureMs) return;
    for (let attempt = 0; attempt < 5; attempt++) {
      const asked = currentMoment();
      if ((await queue.renewLeases(db, node_id, [id])).length > 0) {
        own.leased = asked;
        return;
      }
      // Another statement may have locked the row.
      if ((await queue.lostRuns(db, node_id, [{ group_id, id }])).length > 0) break;
      await sleep(50);
    }
    if (running.get(id) === own) drop(id);
    throw new LeaseLost();
  }

  /** A run that failed because the database was away goes on when it is back, on any node. */
  async function giveBack(run: R, isCurrent: () => boolean): Promise<void> {
    // This node may take the run over between two attempts: then the lease belongs to the new execution.
    const release = async () => (isCurrent() ? queue.releaseRun(db, node_id, run) : undefined);
    await retryThroughOutage(leaseIsSureMs, release).catch(logWarning('A run was not released'));
  }

  /** A connection can have been lost without notice, so that the first attempt fails. */
  async function releaseAll(): Promise<void> {
    const release = () => queue.releaseRuns(db, node_id);
    await retryThroughOutage(releaseWithinMs, release).catch(logWarning('The runs of this node were not released'));
  }

  function start(run: R, slot: Slot, loaded?: L): void {
    if (closing) {
      slot.release();
      return;
    }
    const abort = new AbortController();
    if (run.stop_requested) abort.abort();
    const isCurrent = () => running.get(run.id)?.abort === abort;
    // A run that was suspended a moment ago can be resumed before its previous execution has returned.
    const before = running.get(run.id);
    // Other nodes may have had the run since: then the previous execution can't write to it, and must not go on.
    if (before && !runLog.isEnding(run.id)) before.abort.abort(new LeaseLost());
    const execute = async () => {
      // It may have waited for the previous one until it was lost itself, or the node shuts down.
      if (closing || abort.signal.reason instanceof LeaseLost) throw new LeaseLost();
      runLog.open(run.id, run.last_seq);
      return options.execute(scopeOf(run, abort), run, abort.signal, loaded);
    };
    const done = (before ? before.done.then(execute) : execute())
      .catch((error): void | Promise<void> => {
        if (error instanceof LeaseLost) log.debug('A run went to another node', { run_id: run.id });
        else if (isDatabaseOutage(error)) return giveBack(run, isCurrent);
        else log.error('A run could not be ended', { run_id: run.id, ...errorFields(error) });
      })
      .finally(() => {
        // Ends everything the run has left open, such as a model answer that is not read any more.
        abort.abort(isOver);
        if (isCurrent()) running.delete(run.id);
        runLog.close(run.id);
        slot.release();
        slots.notifyFree();
      });
    running.set(run.id, { group_id: run.group_id, abort, done, leased: currentMoment() });
  }

  /** Takes over all runs with an expired lease, in batches. */
  async function takeOver(): Promise<void> {
    // After an outage, leases of this node may have expired that no other node took: their executions go on.
    await renew();
    for (let count = takeAtOnce; count === takeAtOnce && !closing; ) {
      const lapsed = await queue.takeOver(db, node_id, takeAtOnce);
      count = lapsed.length;
      for (const run of lapsed) {
        log.info('Taking over a run', { run_id: run.id });
        // Its lease expired and could not be renewed. Of an agent run, the take-over has raised the number of the last
        // event, so that the execution can't store anything.
        if (running.has(run.id)) drop(run.id);
        // The run was started before and must not wait for a slot again.
        start(run, slots.takeExtra(run.group_id));
      }
    }
  }

  function sweep(): void {
    sweeping ??= takeOver()
      .then(() => options.expire?.())
      .then(waiting.fill)
      .catch(logWarning('Lapsed runs were not looked at'))
      .finally(() => {
        sweeping = undefined;
      });
  }

  /** Renews the leases of the runs that execute here; a run that could not be ended lapses and is taken over. */
  async function renew(): Promise<void> {
    if (running.size === 0) return;
    const executed = [...running].map(([id, execution]) => ({ group_id: execution.group_id, id, execution }));
    const asked = currentMoment();
    const renewed = await queue.renewLeases(db, node_id, [...running.keys()]);
    for (const { id, stop_requested } of renewed) {
      const own = running.get(id);
      if (own) own.leased = asked;
      // The notification of a stop may have been lost.
      if (stop_requested) own?.abort.abort();
    }
    const kept = new Set(renewed.map(({ id }) => id));
    const others = executed.filter(({ id }) => !kept.has(id));
    if (others.length === 0) return;
    // Without this, a lost or deleted run would be noticed only when it stores something: a model can take long to answer.
    const lost = new Set(await queue.lostRuns(db, node_id, others));
    // A run that was suspended when the database was asked may have been resumed here since.
    for (const { id, execution } of others)
      if (lost.has(id) && running.get(id) === execution && !runLog.isEnding(id)) drop(id);
  }

  const timers = [
    setInterval(() => void renew().catch(logWarning('Leases were not renewed')), renewEveryMs),
    setInterval(sweep, sweepEvery),
  ];
  for (const timer of timers) timer.unref();
  // Runs of the previous process on this database continue at once.
  const left = options.alone ? queue.lapseAll(db) : Promise.resolve(0);
  void left.catch(logWarning('Runs of the last start were not looked at')).then(sweep);

  return {
    node_id,
    start,

    async resume(tx, workspace_id, run_id) {
      const run = await queue.resumeRun(tx, workspace_id, run_id, node_id);
      // It was started before and must not wait for a slot again.
      return run && (() => start(run, slots.takeExtra(workspace_id)));
    },

    takeSlot: slots.take,
    takeExtraSlot: slots.takeExtra,
    whenReleased: async (run_id) => running.get(run_id)?.done,

    async notifyWaiting() {
      waiting.expect();
      await notifier.notify(db, waitTopic);
      // The run that it waits for may have ended just before.
      void waiting.fill();
    },

    async stop(workspace_id, run_id) {
      const run = await queue.requestStop(db, workspace_id, run_id);
      running.get(run_id)?.abort.abort();
      await notifier.notify(db, stopTopic, run_id);
      return run?.status;
    },

    // After the release this node cannot write to the runs any more, so none of them is stored as ended.
    async close() {
      closing = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all([waiting.settled(), sweeping]);
      await runLog.settle?.();
      await releaseAll();
      for (const [id, { abort }] of running) {
        // Also where the release has failed: the abort would be stored as a stop that no person asked for.
        runLog.close(id);
        abort.abort(isOver);
      }
      await Promise.all([...running.values()].map(({ done }) => done));
      // A run that was stored during the shutdown has not been started.
      await releaseAll();
      runLog.leave();
    },
  };
}
