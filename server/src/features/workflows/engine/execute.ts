import type { Database, Db } from '../../../db/database.ts';
import { shown } from '../../../lib/expressions/functions.ts';
import { newId } from '../../../lib/ids.ts';
import { faultFields } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import { LeaseLost } from '../../runs/carried-run.ts';
import * as approvals from '../approval-store.ts';
import { onError } from '../connectors.ts';
import type { Batch, JournalEvent, RunError } from '../events.ts';
import { type Graph, type GraphNode, isBack } from '../graph.ts';
import type { Journal } from '../journal.ts';
import { type EngineRequest, NodeFailure, type Outputs, type Resumed } from '../node.ts';
import { makeProgress } from '../progress.ts';
import * as store from '../run-store.ts';
import { StepFailed } from './failure.ts';
import { cameOver, type Frame, type Instance, labelsOf } from './frame.ts';
import { runRegion } from './region.ts';
import { makeSteps, type Past, type StepDeps } from './steps.ts';
import { makeWaiting, type Waiting } from './waiting.ts';
import { makeJournalWriter } from './writer.ts';

/** How deep workflows can be inside of each other. */
const mostDepth = 5;

export interface EngineDeps {
  db: Database;
  journal: Journal;
  /** A graph by its id; they never change. */
  graph(workspace_id: string, graph_id: string): Promise<Graph>;
  /** The graph that a workflow, or one of its versions, has now. Throws NodeFailure when it can't be run. */
  currentGraph(scope: Scope, workflow_id: string, version_id: string | null): Promise<string>;
  variables(scope: Scope, names: Graph['variables']): StepDeps['variables'];
  /** Stores what is to happen after the end of a run in its transaction. */
  alongside(scope: Scope, run: store.RunRow, end: store.RunEnding): ((tx: Db) => Promise<void>) | undefined;
}

function pastOf(batches: readonly Batch[]): Past {
  const past: Past = { ends: new Map(), begun: new Set(), times: new Map(), graphs: new Map() };
  for (const event of batches.flatMap(({ events }) => events)) {
    if (event.type === 'start') past.begun.add(event.node);
    else if (event.type === 'end') {
      past.ends.set(event.node, event);
      past.begun.delete(event.node);
    } else if (event.type === 'wait' && event.for === 'time') past.times.set(event.node, event.until);
    else if (event.type === 'enter') past.graphs.set(event.node, event.graph_id);
  }
  return past;
}

/** What a graph gives: the values at its outputs, or, of a run of some nodes only, what these give. */
function outputOf(top: Instance): Record<string, { text: string; label: string; value: unknown }> {
  const { frame } = top;
  const ends = [...frame.graph.top.nodes].filter(({ id }) => frame.only?.has(id) ?? true);
  const outputs = ends.filter(({ type }) => type.gives);
  const leaves = frame.only ? ends.filter((node) => !node.outgoing.some(({ to }) => frame.only?.has(to.id))) : [];
  const output: ReturnType<typeof outputOf> = {};
  for (const node of outputs.length ? outputs : leaves)
    for (const [name, value] of given(top, node))
      output[`${node.id}::${name}`] = { text: shown(value), label: node.label, value: value ?? null };
  return output;
}

/** What a node gave, apart from its failure. */
const given = (top: Instance, { place }: GraphNode) =>
  Object.entries(top.ends[place] ?? {}).filter(([name]) => name !== onError.name);

/** One run on this node, from its first step or from where its journal ends. */
class Carrying {
  readonly #deps: EngineDeps;
  readonly #scope: Scope;
  readonly #run: store.RunRow;
  readonly #signal: AbortSignal;
  readonly #past: Past;
  readonly #graph: Graph;
  readonly #progress: ReturnType<typeof makeProgress>;
  readonly #writer: ReturnType<typeof makeJournalWriter>;
  readonly #parked = Promise.withResolvers<{ wakes_at: number | null }>();
  readonly waiting: Waiting;
  readonly #step: ReturnType<typeof makeSteps>;
  /** Questions that steps wait for the answers to. */
  readonly asked = new Map<string, string>();
  #ending = false;

  constructor(
    deps: EngineDeps,
    scope: Scope,
    run: store.RunRow,
    signal: AbortSignal,
    graph: Graph,
    batches: readonly Batch[],
    variables: StepDeps['variables'],
  ) {
    this.#deps = deps;
    this.#scope = scope;
    this.#run = run;
    this.#signal = signal;
    this.#graph = graph;
    this.#past = pastOf(batches);
    this.#progress = makeProgress(graph);
    for (const { events } of batches) for (const event of events) this.#progress.add(event);
    this.#writer = makeJournalWriter((events, large) => {
      for (const event of events) this.#progress.add(event);
      return deps.journal.append(run.group_id, run.id, events, large);
    });
    this.waiting = makeWaiting((wakes_at) => this.#parked.resolve({ wakes_at }));
    this.#step = makeSteps({
      scope,
      run,
      signal,
      writer: this.#writer,
      waiting: this.waiting,
      past: this.#past,
      variables,
      serve: (request, node, at, path) => this.#serve(request, node, at, path),
    });
    if (batches.length === 0) this.#writer.add({ type: 'run-start' });
  }

  #serve(request: EngineRequest, node: GraphNode, at: Instance, path: string): Promise<Resumed> {
    if (request.kind === 'wait') return this.#wait(request as EngineRequest<'wait'>, node, path);
    if (request.kind === 'each') return this.#rounds(request as EngineRequest<'each'>, node, at, path);
    return this.#inside(request as EngineRequest<'workflow'>, at, path);
  }

  async #wait({ what }: EngineRequest<'wait'>, node: GraphNode, path: string): Promise<Resumed> {
    const { group_id, id: run_id } = this.#run;
    if (what.for === 'time') {
      const known = this.#past.times.get(path);
      const until = known ?? what.until;
      if (known === undefined) await this.#note({ type: 'wait', node: path, for: 'time', until });
      await this.waiting.until(path, until, this.#signal);
      return { for: 'time' };
    }
    const { question, seconds } = what;
    const details = JSON.stringify(what.details ?? null);
    const asked = { id: newId(), run_id, path, node_id: node.id, question, details, seconds };
    let row = await this.waiting.during(approvals.askOnce(this.#deps.db, group_id, asked));
    const until = row.expires_at === null ? null : Date.parse(row.expires_at);
    if (row.decision === null && row.id === asked.id)
      await this.#note({ type: 'wait', node: path, for: 'approval', approval_id: row.id, until });
    while (row.decision === null) {
      this.asked.set(path, row.id);
      const decided = await this.waiting.until(path, until, this.#signal);
      this.asked.delete(path);
      const again = await this.waiting.during(approvals.findApproval(this.#deps.db, group_id, run_id, row.id));
      if (again) row = again;
      // Decided in the last moment counts.
      if (!decided && row.decision === null) return { for: 'approval', decision: 'timeout', note: null, by: null };
    }
    return { for: 'approval', decision: row.decision, note: row.note, by: row.decided_by };
  }

  async #note(event: JournalEvent): Promise<void> {
    this.#writer.add(event);
    await this.waiting.during(this.#writer.flush());
  }

  /** Runs the body of a loop for each item, some at once, each in an instance of its own. */
  async #rounds({ what }: EngineRequest<'each'>, loop: GraphNode, at: Instance, path: string): Promise<Resumed> {
    const { items, at_once, continue_on_error } = what;
    const region = loop.body;
    if (!region) throw new Error('Only a node with a body can ask for rounds');
    this.#writer.add({ type: 'rounds', node: path, count: items.length });
    const backs = loop.incoming.filter(isBack);
    const results: unknown[] = new Array(items.length).fill(null);
    const errors: { index: number; code: string; message: string }[] = [];
    let next = 0;
    let failure: unknown;

    const round = async (index: number) => {
      const instance: Instance = {
        frame: at.frame,
        region,
        parent: at,
        path: `${path}#${index}/`,
        round: { item: items[index], index },
        ends: [],
      };
      await this.#region(instance);
      const back = backs.map((edge) => cameOver(edge, instance)).find((found) => found !== undefined);
      // A loop that brings nothing back is there for what it does.
      results[index] = backs.length === 0 ? items[index] : (back?.value ?? null);
    };
    const worker = async () => {
      while (next < items.length && failure === undefined) {
        const index = next++;
        try {
          await round(index);
        } catch (error) {
          if (!(error instanceof StepFailed) || !continue_on_error || this.#ending) failure ??= error;
          else errors.push({ index, ...error.error });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(at_once, items.length) }, worker));
    if (failure !== undefined) throw failure;
    return { for: 'each', results, errors: errors.sort((a, b) => a.index - b.index) };
  }

  /** Runs another workflow inside of this run, in the form it had when it was first entered. */
  async #inside({ what }: EngineRequest<'workflow'>, at: Instance, path: string): Promise<Resumed> {
    const { workflow_id, version_id, input } = what;
    const depth = at.frame.depth + 1;
    if (depth > mostDepth)
      throw new NodeFailure('too_deep', `Workflows can be ${mostDepth} deep inside of each other`, { passing: false });
    const known = this.#past.graphs.get(path);
    const graph = await this.waiting.during(
      (async () => {
        const graph_id = known ?? (await this.#deps.currentGraph(this.#scope, workflow_id, version_id));
        if (!known) this.#writer.add({ type: 'enter', node: path, workflow_id, graph_id });
        return this.#deps.graph(this.#run.group_id, graph_id);
      })(),
    );
    const frame: Frame = { graph, workflow_id, input, labels: labelsOf(graph, input), only: undefined, depth };
    const top: Instance = { frame, region: graph.top, parent: undefined, path: `${path}/`, round: {}, ends: [] };
    await this.#region(top);
    const output = Object.fromEntries(Object.values(outputOf(top)).map(({ label, value }) => [label, value]));
    return { for: 'workflow', output };
  }

  #region(at: Instance): Promise<void> {
    return runRegion(at, {
      step: this.#step,
      known: (node, own) => this.#known(own.path + node.id),
      skip: (node, own) => this.#writer.add({ type: 'end', node: own.path + node.id, status: 'skipped' }),
      failing: (own, is) => {
        if (own.frame.depth === 0 && !own.parent) this.#ending = is;
      },
      isEnding: () => this.#ending,
    });
  }

  /** What a step gave before; a failure that nobody caught is one again. */
  #known(path: string): Promise<Outputs> | Outputs | null | undefined {
    const end = this.#past.ends.size ? this.#past.ends.get(path) : undefined;
    if (!end) return undefined;
    if (end.status === 'skipped') return null;
    if (end.status === 'failed' && !end.outputs)
      return Promise.reject(new StepFailed(end.error ?? { code: 'failed', message: '' }, path.split('/').at(-1) ?? ''));
    const { outputs = {}, large } = end;
    if (!large) return outputs;
    const load = async () => {
      const values = await store.readValues(this.#deps.db, this.#run.group_id, this.#run.id, Object.values(large));
      return { ...outputs, ...Object.fromEntries(Object.entries(large).map(([name, id]) => [name, values.get(id)])) };
    };
    return this.waiting.during(load());
  }

  /** To the end, or until there is nothing left to do but wait. True when it was put away. */
  async carry(): Promise<boolean> {
    const run = this.#run;
    const chosen = run.single_node_id ? [run.single_node_id] : run.node_ids;
    const frame: Frame = {
      graph: this.#graph,
      workflow_id: run.workflow_id,
      input: run.input,
      labels: labelsOf(this.#graph, run.input),
      only: chosen ? new Set(chosen) : undefined,
      depth: 0,
    };
    const top: Instance = { frame, region: this.#graph.top, parent: undefined, path: '', round: {}, ends: [] };
    let status: 'completed' | 'failed' | 'stopped' = 'completed';
    let error: RunError | null = null;
    try {
      const done = this.#region(top).then(() => undefined);
      // Nobody listens to a run that was put away.
      done.catch(() => {});
      const parked = await Promise.race([done, this.#parked.promise]);
      if (parked) {
        await this.#park(parked.wakes_at);
        return true;
      }
    } catch (thrown) {
      if (thrown instanceof LeaseLost) throw thrown;
      if (this.#signal.aborted) status = 'stopped';
      else {
        status = 'failed';
        if (!(thrown instanceof StepFailed))
          this.#scope.log.error('A run failed', { run_id: run.id, ...faultFields(thrown) });
        error =
          thrown instanceof StepFailed
            ? { ...thrown.error, node_id: thrown.node_id || null }
            : { code: 'internal_error', message: 'Something went wrong on our side', node_id: null };
      }
    }
    this.waiting.end();
    await this.#end({ status, error, output: status === 'completed' ? outputOf(top) : null });
    return false;
  }

  async #park(wakes_at: number | null): Promise<void> {
    const human = this.asked.size > 0;
    const status = human ? 'awaiting_human_feedback' : 'running';
    const { events, large } = await this.#writer.rest();
    const last: JournalEvent[] = human ? [{ type: 'run-end', status: 'awaiting_human_feedback', error: null }] : [];
    for (const event of events) this.#progress.add(event);
    const end = { status, output: null, error: null, wakes_at, over: false } as const;
    const shownAs = { progress: this.#progress.percent(), progress_details: null };
    await this.#deps.journal.append(this.#run.group_id, this.#run.id, [...events, ...last], large, {
      ...end,
      ...shownAs,
    });
  }

  async #end({
    status,
    error,
    output,
  }: Pick<store.RunEnding, 'error' | 'output'> & { status: 'completed' | 'failed' | 'stopped' }) {
    const { events, large } = await this.#writer.rest();
    for (const event of events) this.#progress.add(event);
    const end: store.RunEnding = {
      status,
      error,
      output,
      progress: status === 'completed' ? 100 : this.#progress.percent(),
      progress_details: this.#progress.details(),
      wakes_at: null,
      over: true,
    };
    const all: JournalEvent[] = [...events, { type: 'run-end', status, error }];
    const alongside = this.#deps.alongside(this.#scope, this.#run, end);
    await this.#deps.journal.append(this.#run.group_id, this.#run.id, all, large, end, alongside);
  }
}

/** What is under way here can be told that somebody has decided. */
export function makeEngine(deps: EngineDeps) {
  const carried = new Map<string, Carrying>();

  /** Steps of a run whose question was answered go on. */
  async function look(run_id: string): Promise<void> {
    const carrying = carried.get(run_id);
    if (!carrying) return;
    for (const path of carrying.asked.keys()) carrying.waiting.decided(path);
  }

  return {
    look,
    /** Carries a run to its end; one that was put away and may go on already is taken up again at once. */
    async execute(scope: Scope, row: store.RunRow, signal: AbortSignal, node_id: string): Promise<void> {
      let run = row;
      for (;;) {
        const batches = run.last_seq > 0 ? await deps.journal.all(run.group_id, run.id) : [];
        const graph = await deps.graph(run.group_id, run.graph_id);
        const variables = deps.variables(scope, graph.variables);
        const carrying = new Carrying(deps, scope, run, signal, graph, batches, variables);
        carried.set(run.id, carrying);
        const parked = await carrying.carry().finally(() => carried.delete(run.id));
        if (!parked || carrying.asked.size === 0) return;
        // Somebody may have decided while it was being put away.
        const rows = await approvals.listApprovals(deps.db, run.group_id, run.id);
        const answered = new Set(rows.flatMap(({ id, decision }) => (decision ? [id] : [])));
        if (![...carrying.asked.values()].some((id) => answered.has(id))) return;
        const woken = await store.wakeRun(deps.db, run.group_id, run.id, node_id);
        if (!woken) return;
        run = woken;
        deps.journal.open(run.id, run.last_seq);
      }
    },
  };
}
