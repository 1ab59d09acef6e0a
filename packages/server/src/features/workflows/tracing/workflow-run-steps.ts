import type { TraceStep } from '@atrium/contract/traces/schema.ts';
import type { Database } from '../../../db/database.ts';
import type { ContentBudget, ReadWorkflowSteps } from '../../traces/ports.ts';
import type { Graph } from '../definition/graph.ts';
import type { GraphCache } from '../definition/graph-cache.ts';
import type { Journal } from '../runs/journal.ts';
import { findRun, readValues } from '../runs/run-store.ts';

type NodeStep = Extract<TraceStep, { kind: 'node' }>;
type WaitStep = Extract<TraceStep, { kind: 'wait' }>;

/** The path of the loop or nested workflow that contains a step, without the number of the round. */
function containerOf(path: string): string | null {
  const end = path.lastIndexOf('/');
  return end < 0 ? null : path.slice(0, end).replace(/#\d+$/, '');
}
const nodeIdOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Reads the steps of workflow runs from their journals: nodes, and waits inside of them. */
export function makeWorkflowStepReader(deps: {
  db: Database;
  journal: Pick<Journal, 'all'>;
  graphs: GraphCache;
}): ReadWorkflowSteps {
  const { db, journal, graphs } = deps;

  /** Adds large outputs, which stand in rows of their own, as far as the trace has room for them. */
  async function addLargeOutputs(
    run: { workspace_id: string; run_id: string },
    nodes: ReadonlyMap<string, NodeStep>,
    large: ReadonlyMap<string, Readonly<Record<string, string>>>,
    budget: ContentBudget,
  ): Promise<void> {
    for (const [path, ids] of large) {
      const step = nodes.get(path);
      if (!step || !budget.wants(path)) continue;
      const values = budget.isFull ? undefined : await readValues(db, run.workspace_id, run.run_id, Object.values(ids));
      const outputs = Object.entries(ids).map(([name, id]) => [name, values?.get(id) ?? null]);
      if (values && budget.admits(path, outputs))
        step.output = { ...(step.output as object | null), ...Object.fromEntries(outputs) };
      else step.truncated = true;
    }
  }

  return async (workspace_id, run_id, budget) => {
    const run = await findRun(db, workspace_id, run_id);
    if (!run) return [];
    const events = (await journal.all(workspace_id, run_id)).flatMap((batch) => batch.events);
    const over = run.finished_at !== null;
    const began = Date.parse(run.started_at ?? run.created_at);
    const now = over ? Date.parse(run.finished_at as string) : Date.now();
    // The graph of a container by its path; '' is the run's own.
    const graphOf = new Map<string, Graph>([['', await graphs(workspace_id, run.graph_id)]]);
    const nodes = new Map<string, NodeStep>();
    const waits: WaitStep[] = [];
    const open = new Map<string, WaitStep>();
    const large = new Map<string, Record<string, string>>();

    /** A node inside of a loop stands in the graph of the workflow that has the loop. */
    function placeOf(path: string) {
      for (let at = containerOf(path); at !== null; at = containerOf(at)) {
        const graph = graphOf.get(at);
        if (graph) return graph.nodes.get(nodeIdOf(path));
      }
      return graphOf.get('')?.nodes.get(nodeIdOf(path));
    }
    function nodeAt(path: string, at: number): NodeStep {
      const known = nodes.get(path);
      if (known) return known;
      const place = placeOf(path);
      const step: NodeStep = {
        ...{ kind: 'node', id: path, parent_id: containerOf(path), run_id, node_id: nodeIdOf(path) },
        ...{ label: place?.label ?? null, type: place?.type.type ?? null, status: 'running', attempt: 1 },
        ...{ started_at: new Date(at).toISOString(), ms: Math.max(0, now - at), running: !over, error: false },
        ...{ error_message: null, input: null, output: null },
      };
      nodes.set(path, step);
      return step;
    }
    function endWait(path: string, at: number): void {
      const wait = open.get(path);
      if (!wait) return;
      Object.assign(wait, { running: false, ms: Math.max(0, at - Date.parse(wait.started_at)) });
      open.delete(path);
    }

    for (const event of events) {
      if (event.type === 'start') Object.assign(nodeAt(event.node, event.at ?? began), { attempt: event.attempt });
      else if (event.type === 'retry')
        Object.assign(nodeAt(event.node, began), { attempt: event.attempt + 1, error_message: event.error.message });
      else if (event.type === 'enter') graphOf.set(event.node, await graphs(workspace_id, event.graph_id));
      else if (event.type === 'wait') {
        const { node, at = began } = event;
        const wait: WaitStep = {
          ...{ kind: 'wait', id: `${node} wait`, parent_id: node, run_id, for: event.for, name: null },
          ...{ started_at: new Date(at).toISOString(), ms: Math.max(0, now - at), running: !over, error: false },
          ...{ request_id: event.for === 'approval' ? event.approval_id : null, decision: null, by: null },
        };
        nodeAt(node, at);
        waits.push(wait);
        open.set(node, wait);
      } else if (event.type === 'end') {
        const { node, ms = 0, at = began, status, error } = event;
        // A step that was kept from the run that this one retries ended before this one began.
        const started = Math.max(began, at - ms);
        const step = nodeAt(node, started);
        const values = { input: event.inputs ?? null, output: event.outputs ?? {} };
        const fits = budget.admits(node, values);
        if (event.large) large.set(node, event.large);
        Object.assign(step, {
          ...{ status, running: false, error: status === 'failed', ms: Math.max(0, at - started) },
          ...{ started_at: new Date(started).toISOString(), attempt: event.attempt ?? step.attempt },
          error_message: error?.message ?? null,
          ...(fits ? values : budget.wants(node) && { truncated: true }),
        });
        endWait(node, at);
      }
    }
    await addLargeOutputs({ workspace_id, run_id }, nodes, large, budget);
    return [...nodes.values(), ...waits];
  };
}
