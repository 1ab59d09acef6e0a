import { type Edge, type Graph, gap, type Position, type Remark, type Step } from './graph-types.ts';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listOf = <T>(value: unknown): T[] => (Array.isArray(value) ? value.filter(isRecord) : []) as T[];

/** How many steps lie before each step at most; steps of a circle count from where it is entered. */
export function depthsOf({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>): Map<string, number> {
  const depths = new Map<string, number>();
  const waiting = new Map(nodes.map(({ id }) => [id, 0]));
  const next = Map.groupBy(edges, ({ from_id }) => from_id.node_id);
  for (const { to_id } of edges) waiting.set(to_id.node_id, (waiting.get(to_id.node_id) ?? 0) + 1);
  const free = nodes.filter(({ id }) => waiting.get(id) === 0).map(({ id }) => id);
  const left = new Set(nodes.map(({ id }) => id));
  while (left.size > 0) {
    // On a circle no step is free: the first one that is left goes on.
    const id = free.shift() ?? (left.values().next().value as string);
    if (!left.delete(id)) continue;
    const depth = depths.get(id) ?? 0;
    depths.set(id, depth);
    for (const { to_id } of next.get(id) ?? []) {
      const target = to_id.node_id;
      const count = (waiting.get(target) ?? 1) - 1;
      waiting.set(target, count);
      if (!left.has(target)) continue;
      depths.set(target, Math.max(depths.get(target) ?? 0, depth + 1));
      if (count === 0) free.push(target);
    }
  }
  return depths;
}

/** Places for steps that have none: in columns by their depth. */
function placesOf(graph: Pick<Graph, 'nodes' | 'edges'>): Map<string, Position> {
  const depths = depthsOf(graph);
  const rows = new Map<number, number>();
  return new Map(
    graph.nodes.map(({ id }) => {
      const depth = depths.get(id) ?? 0;
      const row = rows.get(depth) ?? 0;
      rows.set(depth, row + 1);
      return [id, { x: depth * gap.x, y: row * gap.y }];
    }),
  );
}

export const positionOf = ({ display }: Pick<Step, 'display'>): Position => display?.position ?? { x: 0, y: 0 };
const isPlaced = ({ display }: Step) => Number.isFinite(display?.position?.x) && Number.isFinite(display?.position?.y);

/** A stored definition as a graph: every edge has an id, every step a place. Nothing else of it changes. */
export function readGraph(definition: unknown): Graph {
  const stored = isRecord(definition) ? definition : {};
  const nodes = listOf<Step>(stored['nodes']);
  // The server names an edge without an id by its place.
  const edges = listOf<Edge>(stored['edges']).map((edge, index) => ({ ...edge, id: edge.id ?? String(index) }));
  const comments = listOf<Remark>(stored['comments']);
  const places = nodes.every(isPlaced) ? undefined : placesOf({ nodes, edges });
  const placed = nodes.map((step) =>
    isPlaced(step) ? step : { ...step, display: { ...step.display, position: places?.get(step.id) ?? { x: 0, y: 0 } } },
  );
  return { ...stored, nodes: placed, edges, comments };
}
