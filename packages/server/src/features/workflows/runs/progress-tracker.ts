import type { WorkflowRun } from '@atrium/contract/workflows/schema.ts';
import type { Graph, GraphNode } from '../definition/graph.ts';
import type { JournalEvent, StepEnd, StepWarning } from './journal-events.ts';
import { makeLoopProgress } from './loop-progress.ts';

type NodeStatus = 'remaining' | 'running' | 'waiting' | 'completed' | 'failed' | 'skipped' | 'stopped';

interface NodeProgress {
  node: GraphNode;
  /** The steps that are under way, by path; inside of a loop there may be several. */
  active: Map<string, 'running' | 'waiting'>;
  /** How the last step ended that was not skipped. */
  last: 'completed' | 'failed' | undefined;
  completed: number;
  failed: number;
  skipped: number;
  isStopped: boolean;
  ms: number;
}

/** The node of the run's own graph that a path leads to or through, and the path up to it. */
function placeOf(path: string): { id: string; own: boolean; upTo: string } {
  const parts = path.split('/');
  // Nodes inside of a loop belong to the same graph; nodes below any other node belong to another workflow.
  const inner = parts.findIndex((part) => !part.includes('#'));
  return { id: parts[inner] ?? '', own: inner === parts.length - 1, upTo: parts.slice(0, inner + 1).join('/') };
}

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
  for (const [id, node] of graph.nodes)
    nodes.set(id, {
      ...{ node, active: new Map(), last: undefined, isStopped: false },
      ...{ completed: 0, failed: 0, skipped: 0, ms: 0 },
    });
  const loops = makeLoopProgress();
  /** The nested workflows that have begun, by the path of their step. */
  const subflows = new Map<string, { id: string; workflow_id: string; executed: number }>();
  const logs = new Map<string, string[]>();
  const warnings = new Map<string, StepWarning[]>();
  /** How often a value went over each edge whose first node has ended. */
  const edges = new Map<string, number>();
  let isCompleted = false;

  function addLines(id: string, lines: readonly string[]): void {
    const known = logs.get(id) ?? [];
    logs.set(id, known);
    const room = Math.max(0, mostLines - known.length);
    known.push(...lines.slice(0, room).map((line) => line.slice(0, longestLine)));
  }

  function endStep(progress: NodeProgress, event: StepEnd): void {
    const { id, outgoing, type } = progress.node;
    progress.active.delete(event.node);
    progress[event.status]++;
    if (event.status !== 'skipped') progress.last = event.status;
    progress.ms += event.ms ?? 0;
    if (event.logs) addLines(id, event.logs);
    if (event.warnings) warnings.set(id, [...(warnings.get(id) ?? []), ...event.warnings].slice(0, mostLines));
    if (event.inputs)
      addLines(id, [`inputs: ${JSON.stringify(event.inputs)}`, `outputs: ${JSON.stringify(event.outputs ?? {})}`]);
    if (event.error) addLines(id, [`${event.error.code}: ${event.error.message}`]);
    const given = { ...event.outputs, ...event.large };
    for (const edge of outgoing)
      if (!type.body?.starts.includes(edge.from_connector))
        edges.set(edge.id, (edges.get(edge.id) ?? 0) + (Object.hasOwn(given, edge.from_connector) ? 1 : 0));
  }

  function addStepEvent(event: Extract<JournalEvent, { node: string }>): void {
    const { id, own, upTo } = placeOf(event.node);
    const progress = nodes.get(id);
    if (!progress) return;
    loops.note(event);
    if (!own) {
      const inside = subflows.get(upTo);
      if (inside && event.type === 'end' && event.status !== 'skipped') inside.executed++;
    } else if (event.type === 'end') endStep(progress, event);
    else progress.active.set(event.node, event.type === 'wait' ? 'waiting' : 'running');
    if (own && event.type === 'enter') subflows.set(event.node, { id, workflow_id: event.workflow_id, executed: 0 });
    if (own && event.type === 'retry') addLines(id, [`Try ${event.attempt} failed: ${event.error.message}`]);
  }

  function endRun({ status, error }: Extract<JournalEvent, { type: 'run-end' }>): void {
    if (status === 'awaiting_human_feedback') return;
    isCompleted = status === 'completed';
    for (const progress of nodes.values()) {
      // Nodes that ran or waited when the run ended are stopped.
      if (progress.active.size > 0) progress.isStopped = true;
      progress.active.clear();
    }
    const failed = nodes.get(error?.node_id ?? '');
    if (failed && failed.failed > 0) failed.last = 'failed';
  }

  /** A node that a value never reached while its loop, or the run, came to its end is skipped. */
  const isPassedBy = ({ region }: GraphNode): boolean =>
    isCompleted || (region.loop !== undefined && isOver(region.loop.id));
  const isOver = (id: string): boolean => ['completed', 'failed', 'skipped'].includes(statusOf(id));

  function statusOf(id: string): NodeStatus {
    const progress = nodes.get(id);
    if (!progress) return 'remaining';
    const { node, active, last, skipped, isStopped } = progress;
    if (active.size > 0) return [...active.values()].includes('running') ? 'running' : 'waiting';
    if (isStopped) return 'stopped';
    return last ?? (skipped > 0 || isPassedBy(node) ? 'skipped' : 'remaining');
  }

  /** From 0 to 1. Inside of a loop: the part of the rounds that the node has ended in. */
  function shareOf(id: string): number {
    const progress = nodes.get(id);
    if (!progress) return 0;
    const { node, completed, failed, skipped, active } = progress;
    const outermost = loops.outermostOf(node);
    if (outermost) return isOver(outermost.id) ? 1 : loops.share(node, completed + failed + skipped);
    if (node.body && active.size > 0) return loops.share(node, 0);
    return isOver(id) ? 1 : 0;
  }

  const statuses = () => [...nodes.keys()].map((id) => [id, statusOf(id)] as const);

  function edgeCounts(): Map<string, number> {
    const counts = new Map(edges);
    for (const { node } of nodes.values())
      for (const { id, from_connector } of node.outgoing)
        if (node.type.body?.starts.includes(from_connector) && (loops.started(node.id) > 0 || isOver(node.id)))
          counts.set(id, loops.started(node.id));
    for (const { node } of nodes.values())
      if (statusOf(node.id) === 'skipped') for (const { id } of node.outgoing) counts.set(id, counts.get(id) ?? 0);
    return counts;
  }

  return {
    add(event) {
      if (event.type === 'run-end') endRun(event);
      else if (event.type !== 'run-start') addStepEvent(event);
    },
    percent() {
      const done = [...nodes.keys()].reduce((sum, id) => sum + shareOf(id), 0);
      return nodes.size === 0 ? 0 : Math.min(99, Math.floor((done * 100) / nodes.size));
    },
    details() {
      const known = statuses();
      const nodesWith = (...wanted: NodeStatus[]) =>
        known.flatMap(([id, status]) => (wanted.includes(status) ? [id] : []));
      const counts = edgeCounts();
      return {
        executed_nodes: nodesWith('completed', 'failed'),
        remaining_nodes: nodesWith('remaining', 'stopped'),
        running_nodes: nodesWith('running', 'waiting'),
        skipped_nodes: nodesWith('skipped'),
        error_handler_nodes: graph.handlers.map(({ id }) => id),
        per_node_progress: Object.fromEntries(
          known.map(([id, status]) => {
            const { node, completed, failed, skipped, ms } = nodes.get(id) as NodeProgress;
            const times = completed + failed + skipped;
            const rounds = node.body ? loops.announced(id) : null;
            const progress = Math.floor(shareOf(id) * 100);
            return [id, { status, progress, times, completed, failed, skipped, rounds, ms }];
          }),
        ),
        per_edge_progress: Object.fromEntries(
          [...counts].map(([id, count]) => [id, count > 0 ? 'completed' : 'skipped']),
        ),
        per_edge_counts: Object.fromEntries(counts),
        subflow_executions: subflowExecutions(),
        run_logs: Object.fromEntries(logs),
        ...(warnings.size && { warnings: Object.fromEntries(warnings) }),
      };
    },
  };

  function subflowExecutions() {
    const byNode: Record<string, { workflow_id: string; executed: number }[]> = {};
    for (const { id, workflow_id, executed } of subflows.values()) {
      byNode[id] ??= [];
      byNode[id].push({ workflow_id, executed });
    }
    return byNode;
  }
}
