import { isSameJson } from '@atrium/contract/same-json.ts';
import { type Graph, type GraphNode, reached } from '../definition/graph.ts';
import type { JournalEvent } from './journal-events.ts';

type Enter = Extract<JournalEvent, { type: 'enter' }>;

/** A graph that a run was executed with, and the one that its retry continues with. */
interface GraphChange {
  before: Graph;
  after: Graph;
}

export interface RetainedStepsDeps {
  graph(graph_id: string): Promise<Graph>;
  /** The graph that a nested workflow continues with; undefined when it has to begin anew. */
  nestedGraph(node: GraphNode, enter: Enter): Promise<string | undefined>;
}

const specOf = ({ type, config, fixed, label, incoming }: GraphNode) => ({
  ...{ type: type.type, config, fixed, label },
  edges: incoming.map(({ from, from_connector, to_connector, key }) => [from.id, from_connector, to_connector, key]),
});

/** The nodes that an edit changed, without those that depend on them. */
function editedNodes({ before, after }: GraphChange): Set<GraphNode> {
  const edited = new Set<GraphNode>();
  const labels: string[] = [];
  for (const node of after.nodes.values()) {
    const old = before.nodes.get(node.id);
    if (old && isSameJson(specOf(old), specOf(node))) continue;
    edited.add(node);
    if (node.type.runInput) labels.push(node.label, ...(old ? [old.label] : []));
  }
  // Templates read the inputs of the run by label, without an edge.
  for (const node of after.nodes.values()) {
    const config = JSON.stringify(node.config);
    if (labels.some((label) => config.includes(`((${label}`))) edited.add(node);
  }
  return edited;
}

/** The nodes whose steps a retry executes again. */
function nodesToRepeat({ before, after }: GraphChange): Set<string> {
  const { handlers } = after;
  // The nodes behind an error handler have seen the failure that is retried.
  const repeated = new Set([...handlers, ...handlers.flatMap((handler) => [...reached(handler.outgoing, handler)])]);
  if (before !== after) for (const node of editedNodes({ before, after })) repeated.add(node);
  // A set that grows while it is read: every node that depends on a repeated one is repeated too.
  for (const node of repeated) {
    for (const { to } of node.outgoing) repeated.add(to);
    if (node.region.loop) repeated.add(node.region.loop);
  }
  return new Set([...repeated].map(({ id }) => id));
}

/** The nodes that a path leads through, each with the path prefix of the graph that it belongs to. */
function placesIn(path: string): { prefix: string; id: string }[] {
  const parts = path.split('/');
  let prefix = '';
  return parts.flatMap((part, index) => {
    // Nodes inside of a loop (`loop#2/node`) belong to the same graph.
    if (part.includes('#') && index < parts.length - 1) return [];
    const place = { prefix, id: part };
    prefix = `${parts.slice(0, index + 1).join('/')}/`;
    return [place];
  });
}

const isFinished = (event: JournalEvent) =>
  event.type === 'end' && (event.status === 'completed' || (event.status === 'failed' && event.outputs !== undefined));

/**
 * The finished steps of a run that its retry keeps. Failed steps and those that were skipped because of them are left
 * out, and of an edited definition the steps of changed nodes with all that depend on them.
 */
export async function retainSteps(
  events: readonly JournalEvent[],
  top: GraphChange,
  { graph, nestedGraph }: RetainedStepsDeps,
): Promise<JournalEvent[]> {
  const ended = new Set(events.flatMap((event) => (event.type === 'end' && isFinished(event) ? [event.node] : [])));
  const graphs = new Map([['', { ...top, repeated: nodesToRepeat(top) }]]);
  const retained: JournalEvent[] = [{ type: 'run-start' }];
  for (const event of events) {
    if (event.type !== 'enter' && !isFinished(event)) continue;
    const { node: path } = event as Extract<JournalEvent, { node: string }>;
    const isKept = placesIn(path).every(({ prefix, id }) => {
      const own = graphs.get(prefix);
      return own?.after.nodes.has(id) && !own.repeated.has(id);
    });
    if (!isKept) continue;
    if (event.type !== 'enter') {
      retained.push(event);
      continue;
    }
    const place = placesIn(path).at(-1);
    const node = graphs.get(place?.prefix ?? '')?.after.nodes.get(place?.id ?? '');
    const graph_id = ended.has(path) || !node ? event.graph_id : await nestedGraph(node, event);
    if (graph_id === undefined) continue;
    const before = await graph(event.graph_id);
    const change = { before, after: graph_id === event.graph_id ? before : await graph(graph_id) };
    graphs.set(`${path}/`, { ...change, repeated: nodesToRepeat(change) });
    retained.push({ ...event, graph_id });
  }
  return retained;
}
