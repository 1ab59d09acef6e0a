import type { Database, Db } from '../../../db/database.ts';
import { within } from '../../../execution/effective-permissions.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { redactedErrorFields } from '../../../lib/log.ts';
import { isDatabaseOutage } from '../../../lib/outages/database-outages.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { StepApprovals } from '../../approvals/ports.ts';
import type { FindReach } from '../../reach/ports.ts';
import type { Graph } from '../definition/graph.ts';
import type { Journal } from '../runs/journal.ts';
import type { Batch, JournalEvent, RunError } from '../runs/journal-events.ts';
import { makeProgressTracker } from '../runs/progress-tracker.ts';
import { type RunEnding, type RunRow, resumeRun } from '../runs/run-store.ts';
import { makeApprovedCheck } from './approved-check.ts';
import { makeEngineRequestHandler } from './engine-requests.ts';
import { type Frame, type Instance, labelsOf } from './frame.ts';
import { outputOf } from './graph-output.ts';
import { isolateStep } from './isolate-step.ts';
import { isResumed, makeStepResultLookup, readJournalState } from './journal-state.ts';
import { makeJournalWriter } from './journal-writer.ts';
import { runRegion } from './run-region.ts';
import { makeRunSecrets, type RunSecrets, type RunVariables } from './run-variables.ts';
import { makeStepExecutor } from './step-executor.ts';
import { StepFailed } from './step-failure.ts';
import { makeStepWaits, type StepWaits } from './step-waits.ts';

export interface EngineDeps {
  db: Database;
  /** Settles the tokens that a node reserved for the run before it died. */
  recoverTokens(run: RunRow, accounts: Scope['accounts']): Promise<unknown>;
  approvals: StepApprovals;
  journal: Journal;
  node_id: string;
  /** Loads a compiled graph; graphs never change. */
  graph(workspace_id: string, graph_id: string): Promise<Graph>;
  /** The current graph of a workflow or version. Throws NodeFailure when it cannot run. */
  currentGraph(scope: Scope, workflow_id: string, version_id: string | null): Promise<string>;
  variables: RunVariables;
  findReach: FindReach;
  /**
   * Stores the follow-up of the end of a run (callback, error handler) in the same transaction. `scope`: that of the
   * run.
   */
  alongside(scope: Scope, run: RunRow, end: RunEnding): ((tx: Db) => Promise<void>) | undefined;
}

interface FrameDeps {
  scope: Scope;
  run: RunRow;
  /** Loads a compiled graph; graphs never change. */
  graph(workspace_id: string, graph_id: string): Promise<Graph>;
  variables: RunVariables;
  /** The secrets that the run has revealed; every frame scrubs them. */
  secrets: RunSecrets;
  /** Whether steps of the run were done before, on any node. */
  resumed: boolean;
}

/**
 * Makes the frames of one run, each with its permissions and variables. A nested workflow has no more permissions
 * than the one around it.
 */
function makeFrames({ scope, run, graph, variables, secrets, resumed }: FrameDeps) {
  async function frameOf(outer: Scope, graph_id: string, of: Pick<Frame, 'workflow_id' | 'input' | 'only' | 'depth'>) {
    const found = await graph(run.group_id, graph_id);
    const own = within(outer, found.rights);
    const named = variables(own, found, secrets);
    // A secret that was revealed before a restart may still come back after it.
    if (resumed) await named.remember();
    return { ...of, graph: found, labels: labelsOf(found, of.input), scope: own, variables: named } satisfies Frame;
  }

  return {
    async top(): Promise<Frame> {
      const { workflow_id, input, single_node_id } = run;
      const pinned = new Set(Object.keys(run.pinned_outputs ?? {}));
      const chosen = single_node_id ? [single_node_id] : run.node_ids;
      const only = chosen ? new Set([...chosen, ...pinned]) : undefined;
      const frame = await frameOf(scope, run.graph_id, { workflow_id, input, only, depth: 0 });
      const { nodes, top } = frame.graph;
      const isInLoop = single_node_id && nodes.get(single_node_id)?.region !== top;
      return isInLoop ? { ...frame, graph: isolateStep(frame.graph, single_node_id, pinned) } : frame;
    },
    inside: (outer: Frame, graph_id: string, workflow_id: string, input: Record<string, unknown>) =>
      frameOf(outer.scope, graph_id, { workflow_id, input, only: undefined, depth: outer.depth + 1 }),
  };
}

interface RunExecution {
  asked: Map<string, string>;
  waiting: StepWaits;
  /** Runs until the run ends or only waits remain. Returns the run when a decision lets it continue at once. */
  runToEnd(): Promise<RunRow | undefined>;
}
type Over = Pick<RunEnding, 'error' | 'output'> & { status: 'completed' | 'failed' | 'stopped' };

/** Executes one run on this node, from its first step or from where its journal ends. */
function makeWorkflowRunExecution(
  deps: EngineDeps,
  scope: Scope,
  run: RunRow,
  signal: AbortSignal,
  graph: Graph,
  batches: readonly Batch[],
): RunExecution {
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
  /** The approvals that steps wait for: their ids by the path of the step. */
  const asked = new Map<string, string>();
  let ending = false;
  const isEnding = () => ending;

  const frames = makeFrames({ ...deps, scope, run, secrets, resumed: isResumed(past) });
  const serve = makeEngineRequestHandler({
    ...{ approvals, run, signal, writer, waiting, past, asked, isEnding, region },
    currentGraph: (frame, workflow_id, version_id) => deps.currentGraph(frame.scope, workflow_id, version_id),
    enter: frames.inside,
  });
  const requireApproved = makeApprovedCheck(deps.findReach, scope, run);
  const step = makeStepExecutor({ run, signal, writer, waiting, past, serve, requireApproved });
  const knownAt = makeStepResultLookup(db, run, past);
  if (batches.length === 0) writer.add({ type: 'run-start' });

  function region(at: Instance): Promise<void> {
    return runRegion(at, {
      step,
      known(node, own) {
        const known = past.ends.size ? knownAt(own.path + node.id) : undefined;
        return known instanceof Promise ? waiting.during(known) : known;
      },
      pinned(node, own) {
        const outputs = own.frame.depth === 0 ? run.pinned_outputs?.[node.id] : undefined;
        if (outputs) writer.add({ type: 'end', node: own.path + node.id, status: 'completed', outputs });
        return outputs;
      },
      handled(node, own, outputs) {
        const path = own.path + node.id;
        // A run that is taken over has journaled it before.
        if (!past.ends.has(path)) writer.add({ type: 'end', node: path, status: 'completed', outputs });
      },
      skip: (node, own) => writer.add({ type: 'end', node: own.path + node.id, status: 'skipped' }),
      failing(own, is) {
        if (own.frame.depth === 0 && !own.parent) ending = is;
      },
      isEnding,
    });
  }

  /** The error of a failed run as clients see it. */
  function errorOf(thrown: unknown): RunError {
    if (thrown instanceof StepFailed) return { ...thrown.error, node_id: thrown.node_id || null };
    scope.log.error('A run failed', { run_id: run.id, ...redactedErrorFields(thrown) });
    return { code: 'internal_error', message: 'Something went wrong on our side', node_id: null };
  }

  /**
   * Suspends the run. A caller may decide an approval at the same moment: both transactions lock the row of the run,
   * so the second one sees the first. A decision made before is found here and wakes the run in this transaction; one
   * made later finds a suspended run to wake. A crash in between loses neither.
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
        woken = await resumeRun(tx, run.group_id, run.id, deps.node_id);
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
    async runToEnd(): Promise<RunRow | undefined> {
      const frame = await frames.top();
      const top: Instance = { frame, region: frame.graph.top, parent: undefined, path: '', round: {}, ends: [] };
      let over: Over;
      try {
        const done = region(top).then(() => undefined);
        // Once the run is suspended nothing awaits this promise, and its rejection must not end the process.
        done.catch(() => {});
        const put = await Promise.race([done, parked.promise]);
        if (put) return await park(put.wakes_at);
        over = { status: 'completed', error: null, output: outputOf(top) };
      } catch (thrown) {
        if (thrown instanceof LeaseLost || isDatabaseOutage(thrown)) throw thrown;
        if (signal.aborted) over = { status: 'stopped', error: null, output: null };
        else over = { status: 'failed', error: errorOf(thrown), output: null };
      }
      waiting.end();
      await end(frame.scope, over);
      return undefined;
    },
  };
}

/** The runs of this node, so that a decision can wake their steps. */
export function makeEngine(deps: EngineDeps) {
  const executions = new Map<string, RunExecution>();

  /** Wakes the steps of a run that wait for an approval; each of them reads the decision. */
  async function wakeWaitingSteps(run_id: string): Promise<void> {
    const execution = executions.get(run_id);
    if (!execution) return;
    for (const path of execution.asked.keys()) execution.waiting.decided(path);
  }

  return {
    wakeWaitingSteps,
    /** Runs until the run ends or is suspended; one that was decided while it was suspended continues at once. */
    async execute(scope: Scope, row: RunRow, signal: AbortSignal): Promise<void> {
      await deps.recoverTokens(row, scope.accounts);
      for (let run: RunRow | undefined = row; run; ) {
        const { id, group_id, graph_id, last_seq } = run;
        const batches = last_seq > 0 ? await deps.journal.all(group_id, id) : [];
        const graph = await deps.graph(group_id, graph_id);
        const execution = makeWorkflowRunExecution(deps, scope, run, signal, graph, batches);
        executions.set(id, execution);
        run = await execution.runToEnd().finally(() => executions.delete(id));
      }
    },
  };
}
