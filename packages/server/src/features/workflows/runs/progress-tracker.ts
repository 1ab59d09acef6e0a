import type { Graph } from '../definition/graph.ts';
import type { JournalEvent } from './journal-events.ts';

type NodeStatus = 'remaining' | 'running' | 'waiting' | 'completed' | 'failed' | 'skipped' | 'stopped';

interface NodeProgress {
  status: NodeStatus;
  /** From 0 to 100; of a loop, how many of its rounds are done. */
  progress: number;
  /** How often it has been run to its end: more than once inside of loops. */
  times: number;
  rounds: number | null;
  ms: number;
}

/** The id of the node of the graph itself that a path leads to or through, and whether it ends there. */
function placeOf(path: string): { id: string; own: boolean } {
  const parts = path.split('/');
  // Inside of loops the nodes are of the same graph; what is below any other node is another workflow's.
  const inner = parts.findIndex((part) => !part.includes('#'));
  return { id: parts[inner] ?? '', own: inner === parts.length - 1 };
}

const over = new Set<NodeStatus>(['completed', 'failed', 'skipped']);
const mostLines = 200;
/** What went through a traced step may be large; the log of a run is read by people. */
const longestLine = 10_000;

/** How far a run has come, told by its journal event by event. */
export function makeProgressTracker(graph: Graph) {
  const nodes = new Map<string, NodeProgress>();
  for (const id of graph.nodes.keys())
    nodes.set(id, { status: 'remaining', progress: 0, times: 0, rounds: null, ms: 0 });
  const subflows = new Map<string, { workflow_id: string; executed: number }[]>();
  const logs = new Map<string, string[]>();
  const ways = new Map<string, 'completed' | 'skipped'>();

  function say(id: string, lines: readonly string[]): void {
    const known = logs.get(id) ?? [];
    logs.set(id, known);
    const room = Math.max(0, mostLines - known.length);
    known.push(...lines.slice(0, room).map((line) => line.slice(0, longestLine)));
  }

  function ended(node: NodeProgress, id: string, event: Extract<JournalEvent, { type: 'end' }>): void {
    Object.assign(node, { status: event.status, progress: 100, times: node.times + 1 });
    node.ms += event.ms ?? 0;
    if (event.logs) say(id, event.logs);
    if (event.inputs)
      say(id, [`inputs: ${JSON.stringify(event.inputs)}`, `outputs: ${JSON.stringify(event.outputs ?? {})}`]);
    if (event.error) say(id, [`${event.error.code}: ${event.error.message}`]);
    for (const edge of graph.nodes.get(id)?.outgoing ?? []) {
      const given = event.outputs && Object.hasOwn(event.outputs, edge.from_connector);
      ways.set(
        edge.id,
        given || (event.large && Object.hasOwn(event.large, edge.from_connector)) ? 'completed' : 'skipped',
      );
    }
  }

  function add(event: JournalEvent): void {
    if (event.type === 'run-start') return;
    if (event.type === 'run-end') {
      // What was under way when the run ended is so no more.
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
    } else if (event.type === 'end') ended(node, id, event);
    else if (event.type === 'rounds') Object.assign(node, { status: 'running', rounds: event.count });
    else if (event.type === 'wait') node.status = 'waiting';
    else if (event.type === 'enter') {
      node.status = 'running';
      subflows.set(id, [...(subflows.get(id) ?? []), { workflow_id: event.workflow_id, executed: 0 }]);
    } else {
      node.status = 'running';
      if (event.type === 'retry') say(id, [`Try ${event.attempt} failed: ${event.error.message}`]);
    }
  }

  const having = (...statuses: NodeStatus[]) =>
    [...nodes].flatMap(([id, { status }]) => (statuses.includes(status) ? [id] : []));

  return {
    add,
    /** A whole number up to 99; 100 is for runs that are over. */
    percent(): number {
      const done = [...nodes.values()].filter(({ status }) => over.has(status)).length;
      return nodes.size === 0 ? 0 : Math.min(99, Math.floor((done * 100) / nodes.size));
    },
    details: () => ({
      executed_nodes: having('completed', 'failed'),
      remaining_nodes: having('remaining', 'stopped'),
      running_nodes: having('running', 'waiting'),
      skipped_nodes: having('skipped'),
      error_handler_nodes: graph.handlers.map(({ id }) => id),
      per_node_progress: Object.fromEntries(nodes),
      per_edge_progress: Object.fromEntries(ways),
      subflow_executions: Object.fromEntries(subflows),
      run_logs: Object.fromEntries(logs),
    }),
  };
}
