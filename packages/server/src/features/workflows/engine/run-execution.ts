import type { Database, Db } from '../../../db/database.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { redactedErrorFields } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { StepApprovals } from '../../approvals/ports.ts';
import type { Graph } from '../definition/graph.ts';
import type { Journal } from '../runs/journal.ts';
import type { Batch, JournalEvent, RunError } from '../runs/journal-events.ts';
import { makeProgressTracker } from '../runs/progress-tracker.ts';
import { type RunEnding, type RunRow, wakeRun } from '../runs/run-store.ts';
import { makeEngineRequestHandler } from './engine-requests.ts';
import type { Instance } from './frame.ts';
import { makeFrames } from './frames.ts';
import { outputOf } from './graph-output.ts';
import { isResumed, makeStepResultLookup, readJournalState } from './journal-state.ts';
import { makeJournalWriter } from './journal-writer.ts';
import { runRegion } from './run-region.ts';
import { makeRunSecrets, type RunVariables } from './run-variables.ts';
import { makeStepExecutor } from './step-executor.ts';
import { StepFailed } from './step-failure.ts';
import { makeStepWaits } from './step-waits.ts';

export interface EngineDeps {
  db: Database;
  approvals: StepApprovals;
  journal: Journal;
  node_id: string;
  /** A graph by its id; they never change. */
  graph(workspace_id: string, graph_id: string): Promise<Graph>;
  /** The graph that a workflow, or one of its versions, has now. Throws NodeFailure when it can't be run. */
  currentGraph(scope: Scope, workflow_id: string, version_id: string | null): Promise<string>;
  variables: RunVariables;
  /** Stores what is to happen after the end of a run in its transaction. `scope`: what the run was allowed to. */
  alongside(scope: Scope, run: RunRow, end: RunEnding): ((tx: Db) => Promise<void>) | undefined;
}

export type RunExecution = ReturnType<typeof makeRunExecution>;
type Over = Pick<RunEnding, 'error' | 'output'> & { status: 'completed' | 'failed' | 'stopped' };

/** One run on this node, from its first step or from where its journal ends. */
export function makeRunExecution(
  deps: EngineDeps,
  scope: Scope,
  run: RunRow,
  signal: AbortSignal,
  graph: Graph,
  batches: readonly Batch[],
) {
  const { db, journal, approvals } = deps;
  const past = readJournalState(batches);
  const secrets = makeRunSecrets();
  const progress = makeProgressTracker(graph);
  const add = (events: readonly JournalEvent[]) => {
    for (const event of events) progress.add(event);
  };
  for (const { events } of batches) add(events);
  const writer = makeJournalWriter((events, large) => {
    add(events);
    return journal.append(run.group_id, run.id, events, large);
  });
  const parked = Promise.withResolvers<{ wakes_at: number | null }>();
  const waiting = makeStepWaits((wakes_at) => parked.resolve({ wakes_at }));
  /** Questions that steps wait for the answers to. */
  const asked = new Map<string, string>();
  let ending = false;
  const isEnding = () => ending;

  const frames = makeFrames({ ...deps, scope, run, secrets, resumed: isResumed(past) });
  const serve = makeEngineRequestHandler({
    ...{ approvals, run, signal, writer, waiting, past, asked, isEnding, region },
    currentGraph: (frame, workflow_id, version_id) => deps.currentGraph(frame.scope, workflow_id, version_id),
    enter: frames.inside,
  });
  const step = makeStepExecutor({ run, signal, writer, waiting, past, serve });
  const knownAt = makeStepResultLookup(db, run, past);
  if (batches.length === 0) writer.add({ type: 'run-start' });

  function region(at: Instance): Promise<void> {
    return runRegion(at, {
      step,
      known(node, own) {
        const known = past.ends.size ? knownAt(own.path + node.id) : undefined;
        return known instanceof Promise ? waiting.during(known) : known;
      },
      skip: (node, own) => writer.add({ type: 'end', node: own.path + node.id, status: 'skipped' }),
      failing(own, is) {
        if (own.frame.depth === 0 && !own.parent) ending = is;
      },
      isEnding,
    });
  }

  /** How a failure of the whole run is told. */
  function errorOf(thrown: unknown): RunError {
    if (thrown instanceof StepFailed) return { ...thrown.error, node_id: thrown.node_id || null };
    scope.log.error('A run failed', { run_id: run.id, ...redactedErrorFields(thrown) });
    return { code: 'internal_error', message: 'Something went wrong on our side', node_id: null };
  }

  /**
   * Puts the run away. Somebody may decide at this very moment: they hold the run's row for as long as that takes, and so
   * does this transaction. Whichever is first, the other sees what it did: a decision made before is found here, in the
   * transaction that puts the run away, and one made later finds a run to wake. No death in between can lose it.
   */
  async function park(wakes_at: number | null): Promise<RunRow | undefined> {
    const human = asked.size > 0;
    const { events, large } = await writer.rest();
    add(events);
    const last: JournalEvent[] = human ? [{ type: 'run-end', status: 'awaiting_human_feedback', error: null }] : [];
    const left: RunEnding = {
      ...{ output: null, error: null, wakes_at, over: false },
      status: human ? 'awaiting_human_feedback' : 'running',
      progress: progress.percent(),
      progress_details: null,
    };
    let woken: RunRow | undefined;
    const look = async (tx: Db) => {
      if (await approvals.isAnyDecided(tx, run.group_id, [...asked.values()]))
        woken = await wakeRun(tx, run.group_id, run.id, deps.node_id);
    };
    await journal.append(run.group_id, run.id, [...events, ...last], large, left, human ? look : undefined);
    return woken;
  }

  async function end(own: Scope, { status, error, output }: Over): Promise<void> {
    const { events, large } = await writer.rest();
    const all: JournalEvent[] = [...events, { type: 'run-end', status, error }];
    add(all);
    const ended: RunEnding = {
      ...{ status, error, output, wakes_at: null, over: true },
      progress: status === 'completed' ? 100 : progress.percent(),
      progress_details: progress.details(),
    };
    await journal.append(run.group_id, run.id, all, large, ended, deps.alongside(own, run, ended));
  }

  return {
    asked,
    waiting,
    /** To the end, or until there is nothing left to do but wait. The run, where it goes on at once nevertheless. */
    async carry(): Promise<RunRow | undefined> {
      const frame = await frames.top();
      const top: Instance = { frame, region: graph.top, parent: undefined, path: '', round: {}, ends: [] };
      let over: Over;
      try {
        const done = region(top).then(() => undefined);
        // Nobody listens to a run that was put away.
        done.catch(() => {});
        const put = await Promise.race([done, parked.promise]);
        if (put) return await park(put.wakes_at);
        over = { status: 'completed', error: null, output: outputOf(top) };
      } catch (thrown) {
        if (thrown instanceof LeaseLost) throw thrown;
        if (signal.aborted) over = { status: 'stopped', error: null, output: null };
        else over = { status: 'failed', error: errorOf(thrown), output: null };
      }
      waiting.end();
      await end(frame.scope, over);
      return undefined;
    },
  };
}
