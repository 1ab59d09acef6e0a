import type { WorkflowRun } from '@atrium/contract/workflows/schema.ts';
import type { Graph } from '../definition/graph.ts';
import type { JournalEvent, StepWarning } from './journal-events.ts';

type NodeStatus = 'remaining' | 'running' | 'waiting' | 'completed' | 'failed' | 'skipped' | 'stopped';

type NodeProgress = {
  status: NodeStatus;
  /** From 0 to 100. */
  progress: number;
  /** How often the node has ended: more than once inside of loops. */
  times: number;
  rounds: number | null;
  ms: number;
};

/** The node of the run's own graph that a path leads to or through, and whether the path ends there. */
function placeOf(path: string): { id: string; own: boolean } {
  const parts = path.split('/');
  // Nodes inside of a loop belong to the same graph; nodes below any other node belong to another workflow.
  const inner = parts.findIndex((part) => !part.includes('#'));
  return { id: parts[inner] ?? '', own: inner === parts.length - 1 };
}

const over = new Set<NodeStatus>(['completed', 'failed', 'skipped']);
const mostLines = 200;
/** Values of a traced step may be large, and people read the log. */
const longestLine = 10_000;

export interface ProgressTracker {
  add(event: JournalEvent): void;
  /** A whole number up to 99; 100 is for runs that are over. */
  percent(): number;
  details(): NonNullable<WorkflowRun['progress_details']>;
}

/** Computes the progress of a run from the events of its journal. */
export function makeProgressTracker(graph: Graph): ProgressTracker {
  const nodes = new Map<string, NodeProgress>();
  for (const id of graph.nodes.keys())
    nodes.set(id, { status: 'remaining', progress: 0, times: 0, rounds: null, ms: 0 });
  const subflows = new Map<string, { workflow_id: string; executed: number }[]>();
  const logs = new Map<string, string[]>();
  const warnings = new Map<string, StepWarning[]>();
  const edges = new Map<string, 'completed' | 'skipped'>();

  function addLines(id: string, lines: readonly string[]): void {
    const known = logs.get(id) ?? [];
    logs.set(id, known);
    const room = Math.max(0, mostLines - known.length);
    known.push(...lines.slice(0, room).map((line) => line.slice(0, longestLine)));
  }

  function endNode(node: NodeProgress, id: string, event: Extract<JournalEvent, { type: 'end' }>): void {
    Object.assign(node, { status: event.status, progress: 100, times: node.times + 1 });
    node.ms += event.ms ?? 0;
    if (event.logs) addLines(id, event.logs);
    if (event.warnings) warnings.set(id, [...(warnings.get(id) ?? []), ...event.warnings].slice(0, mostLines));
    if (event.inputs)
      addLines(id, [`inputs: ${JSON.stringify(event.inputs)}`, `outputs: ${JSON.stringify(event.outputs ?? {})}`]);
    if (event.error) addLines(id, [`${event.error.code}: ${event.error.message}`]);
    for (const edge of graph.nodes.get(id)?.outgoing ?? []) {
      const given = event.outputs && Object.hasOwn(event.outputs, edge.from_connector);
      edges.set(
        edge.id,
        given || (event.large && Object.hasOwn(event.large, edge.from_connector)) ? 'completed' : 'skipped',
      );
    }
  }

  function add(event: JournalEvent): void {
    if (event.type === 'run-start') return;
    if (event.type === 'run-end') {
      // Nodes that ran or waited when the run ended are stopped.
      if (event.status !== 'awaiting_human_feedback')
        for (const node of nodes.values())
          if (node.status === 'running' || node.status === 'waiting') node.status = 'stopped';
      return;
    }
    const { id, own } = placeOf(event.node);
    const node = nodes.get(id);
    if (!node) return;
    if (!own) {
      const inside = subflows.get(id)?.at(-1);
      if (inside && event.type === 'end') inside.executed++;
    } else if (event.type === 'end') endNode(node, id, event);
    else if (event.type === 'rounds') Object.assign(node, { status: 'running', rounds: event.count });
    else if (event.type === 'wait') node.status = 'waiting';
    else if (event.type === 'enter') {
      node.status = 'running';
      subflows.set(id, [...(subflows.get(id) ?? []), { workflow_id: event.workflow_id, executed: 0 }]);
    } else {
      node.status = 'running';
      if (event.type === 'retry') addLines(id, [`Try ${event.attempt} failed: ${event.error.message}`]);
    }
  }

  const nodesWith = (...statuses: NodeStatus[]) =>
    [...nodes].flatMap(([id, { status }]) => (statuses.includes(status) ? [id] : []));

  return {
    add,
    percent() {
      const done = [...nodes.values()].filter(({ status }) => over.has(status)).length;
      return nodes.size === 0 ? 0 : Math.min(99, Math.floor((done * 100) / nodes.size));
    },
    details: () => ({
      executed_nodes: nodesWith('completed', 'failed'),
      remaining_nodes: nodesWith('remaining', 'stopped'),
      running_nodes: nodesWith('running', 'waiting'),
      skipped_nodes: nodesWith('skipped'),
      error_handler_nodes: graph.handlers.map(({ id }) => id),
      per_node_progress: Object.fromEntries(nodes),
      per_edge_progress: Object.fromEntries(edges),
      subflow_executions: Object.fromEntries(subflows),
      run_logs: Object.fromEntries(logs),
      ...(warnings.size && { warnings: Object.fromEntries(warnings) }),
    }),
  };
}
