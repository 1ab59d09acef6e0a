import { newId } from '../../../lib/ids.ts';
import type { StepApprovals } from '../../approvals/ports.ts';
import { inheritedFor, withInherited } from '../../approvals/service.ts';
import { type GraphNode, isBack } from '../definition/graph.ts';
import type { EngineRequest, Resumed } from '../nodes/engine-request.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import type { JournalEvent } from '../runs/journal-events.ts';
import type { RunRow } from '../runs/run-store.ts';
import { type Frame, type Instance, valueOverEdge } from './frame.ts';
import { outputOf } from './graph-output.ts';
import type { Past } from './journal-state.ts';
import type { JournalWriter } from './journal-writer.ts';
import { StepFailed } from './step-failure.ts';
import type { StepWaits } from './step-waits.ts';

/** How deep workflows can be nested. */
const mostDepth = 5;

export interface EngineRequestDeps {
  approvals: StepApprovals;
  run: RunRow;
  signal: AbortSignal;
  writer: JournalWriter;
  waiting: StepWaits;
  past: Past;
  /** The approvals that steps wait for: their ids by the path of the step. Notifications of decisions look here. */
  asked: Map<string, string>;
  /** Runs all nodes of an instance of a region. */
  region(at: Instance): Promise<void>;
  /** The current graph of a workflow, with the permissions of the calling frame. */
  currentGraph(frame: Frame, workflow_id: string, version_id: string | null): Promise<string>;
  /** Makes the frame of a workflow that runs inside of another. */
  enter(outer: Frame, graph_id: string, workflow_id: string, input: Record<string, unknown>): Promise<Frame>;
  isEnding(): boolean;
}

/** Serves the requests of nodes: wait for an approval or a time, run the rounds of a loop, run another workflow. */
export function makeEngineRequestHandler({
  approvals,
  run,
  signal,
  writer,
  waiting,
  past,
  asked,
  ...deps
}: EngineRequestDeps) {
  async function note(event: JournalEvent): Promise<void> {
    writer.add(event);
    await waiting.during(writer.flush());
  }

  async function wait({ what }: EngineRequest<'wait'>, node: GraphNode, path: string): Promise<Resumed> {
    const { group_id, id: run_id } = run;
    if (what.for === 'time') {
      const known = past.times.get(path);
      const until = known ?? what.until;
      if (known === undefined) await note({ type: 'wait', node: path, for: 'time', until, at: Date.now() });
      await waiting.until(path, until, signal);
      return { for: 'time' };
    }
    const { question, seconds, needs } = what;
    const above = inheritedFor(null, run.principal.inherits?.approvers);
    // The conversation that a flow drives binds its approvals too.
    const inheritsFourEyes = above.four_eyes || run.principal.inherits?.settings['four_eyes'] === true;
    const four_eyes = what.four_eyes || inheritsFourEyes;
    const details = JSON.stringify(what.details ?? null);
    const { approvers = [], approver_groups = [] } = withInherited(what, above);
    const own = {
      ...{
        id: newId(),
        run_id,
        path,
        node_id: node.id,
        node_name: node.label || null,
        question,
        details,
        seconds,
        needs,
      },
      ...{ four_eyes, approvers, approver_groups },
    };
    let row = await waiting.during(approvals.insertOnce(group_id, own));
    const until = row.expires_at === null ? null : Date.parse(row.expires_at);
    if (row.decision === null && row.id === own.id)
      await note({ type: 'wait', node: path, for: 'approval', approval_id: row.id, until, at: Date.now() });
    const look = () => waiting.during(approvals.find(group_id, run_id, row.id));
    for (let listening = false; row.decision === null; listening = true) {
      asked.set(path, row.id);
      const heard = waiting.until(path, until, signal);
      // A decision made before this step listened sent no notification that it could hear, so look once. When that look
      // fails, the next notification or the take-over of the run finds the decision.
      if (!listening)
        void look()
          .then((now) => now?.decision && waiting.decided(path))
          .catch(() => {});
      const decided = await heard;
      asked.delete(path);
      const again = await look();
      if (again) row = again;
      // A decision in the last moment counts.
      if (!decided && row.decision === null) return { for: 'approval', decision: 'timeout', note: null, by: null };
    }
    return { for: 'approval', decision: row.decision, note: row.note, by: row.decided_by };
  }

  /** Runs the body of a loop for each item, up to `at_once` in parallel, each in its own instance. */
  async function rounds({ what }: EngineRequest<'each'>, loop: GraphNode, at: Instance, path: string) {
    const { items, at_once, continue_on_error } = what;
    const region = loop.body;
    if (!region) throw new Error('Only a node with a body can ask for rounds');
    writer.add({ type: 'rounds', node: path, count: items.length });
    const backs = loop.incoming.filter(isBack);
    const results: unknown[] = new Array(items.length).fill(null);
    const errors: { index: number; code: string; message: string }[] = [];
    let next = 0;
    let failure: unknown;

    const round = async (index: number) => {
      const own = { path: `${path}#${index}/`, round: { item: items[index], index } };
      const instance: Instance = { ...own, frame: at.frame, region, parent: at, ends: [] };
      await deps.region(instance);
      const back = backs.map((edge) => valueOverEdge(edge, instance)).find((found) => found !== undefined);
      // A loop without an edge back has no results; it runs for its effects.
      results[index] = backs.length === 0 ? items[index] : (back?.value ?? null);
    };
    const worker = async () => {
      while (next < items.length && failure === undefined) {
        const index = next++;
        try {
          await round(index);
        } catch (error) {
          if (!(error instanceof StepFailed) || !continue_on_error || deps.isEnding()) failure ??= error;
          else errors.push({ index, ...error.error });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(at_once, items.length) }, worker));
    if (failure !== undefined) throw failure;
    return { for: 'each' as const, results, errors: errors.sort((a, b) => a.index - b.index) };
  }

  /** Runs another workflow inside of this run. After a restart it continues with the graph that it began with. */
  async function inside({ what }: EngineRequest<'workflow'>, { frame: outer }: Instance, path: string) {
    const { workflow_id, version_id, input } = what;
    if (outer.depth >= mostDepth)
      throw new NodeFailure('too_deep', `Workflows can be ${mostDepth} deep inside of each other`, { passing: false });
    const known = past.graphs.get(path);
    const entering = async () => {
      const graph_id = known ?? (await deps.currentGraph(outer, workflow_id, version_id));
      if (!known) writer.add({ type: 'enter', node: path, workflow_id, graph_id });
      return deps.enter(outer, graph_id, workflow_id, input);
    };
    const frame = await waiting.during(entering());
    const top: Instance = { frame, region: frame.graph.top, parent: undefined, path: `${path}/`, round: {}, ends: [] };
    await deps.region(top);
    const output = Object.fromEntries(Object.values(outputOf(top)).map(({ label, value }) => [label, value]));
    return { for: 'workflow' as const, output };
  }

  return (request: EngineRequest, node: GraphNode, at: Instance, path: string): Promise<Resumed> => {
    if (request.kind === 'wait') return wait(request as EngineRequest<'wait'>, node, path);
    if (request.kind === 'each') return rounds(request as EngineRequest<'each'>, node, at, path);
    return inside(request as EngineRequest<'workflow'>, at, path);
  };
}
