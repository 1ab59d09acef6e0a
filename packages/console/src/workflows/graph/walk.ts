import type { Edge, Graph, Step } from './graph-types.ts';
import { depthsOf, positionOf } from './read-graph.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

const byPlace = (one: Step, other: Step) => {
  const [a, b] = [positionOf(one), positionOf(other)];
  return a.y - b.y || a.x - b.x;
};

function neighbours({ nodes, edges }: Graph, id: string, side: 'before' | 'after'): Step[] {
  const ends = edges.map(({ from_id, to_id }) => [from_id.node_id, to_id.node_id] as const);
  const ids = new Set(
    ends
      .filter(([from, to]) => (side === 'after' ? from : to) === id)
      .map(([from, to]) => (side === 'after' ? to : from)),
  );
  return nodes.filter((step) => ids.has(step.id) && step.id !== id).toSorted(byPlace);
}

/**
 * The step that an arrow key leads to: right and left along edges, up and down among the steps of the same column. Where
 * there is no edge, the nearest step in that direction.
 */
export function walk(graph: Graph, id: string, direction: Direction): string | undefined {
  const step = graph.nodes.find((one) => one.id === id);
  if (!step) return graph.nodes[0]?.id;
  const here = positionOf(step);
  const isLevel = direction === 'left' || direction === 'right';
  if (isLevel) {
    const along = neighbours(graph, id, direction === 'right' ? 'after' : 'before');
    const nearest = along.toSorted(
      (one, other) => Math.abs(positionOf(one).y - here.y) - Math.abs(positionOf(other).y - here.y),
    )[0];
    if (nearest) return nearest.id;
  }
  const sign = direction === 'right' || direction === 'down' ? 1 : -1;
  const ahead = graph.nodes.flatMap((other) => {
    const { x, y } = positionOf(other);
    const [along, across] = isLevel
      ? [(x - here.x) * sign, Math.abs(y - here.y)]
      : [(y - here.y) * sign, Math.abs(x - here.x)];
    return other.id !== id && along > 0 ? [{ id: other.id, cost: along + across * 3 }] : [];
  });
  return ahead.toSorted((one, other) => one.cost - other.cost)[0]?.id;
}

export interface OutlineRow {
  step: Step;
  depth: number;
  /** The edge that the step stands under. */
  under: Edge | undefined;
}

/** The graph as an indented list: each step once, under the first that leads to it, branches one level deeper. */
export function outlineOf(graph: Graph): OutlineRow[] {
  const depths = depthsOf(graph);
  const byId = new Map(graph.nodes.map((step) => [step.id, step]));
  const outgoing = Map.groupBy(graph.edges, ({ from_id }) => from_id.node_id);
  const entered = new Set(graph.edges.map(({ to_id }) => to_id.node_id));
  const rows: OutlineRow[] = [];
  const seen = new Set<string>();
  const roots = [...graph.nodes].sort(
    (one, other) =>
      Number(entered.has(one.id)) - Number(entered.has(other.id)) ||
      (depths.get(one.id) ?? 0) - (depths.get(other.id) ?? 0) ||
      byPlace(one, other),
  );
  const visit = (first: Step) => {
    const waiting: OutlineRow[] = [{ step: first, depth: 0, under: undefined }];
    for (let row = waiting.pop(); row; row = waiting.pop()) {
      if (seen.has(row.step.id)) continue;
      seen.add(row.step.id);
      rows.push(row);
      const next = (outgoing.get(row.step.id) ?? []).flatMap((edge) => {
        const step = byId.get(edge.to_id.node_id);
        return step && !seen.has(step.id) ? [{ edge, step }] : [];
      });
      const depth = row.depth + (new Set(next.map(({ step }) => step.id)).size > 1 ? 1 : 0);
      next.sort((one, other) => byPlace(other.step, one.step));
      for (const { edge, step } of next) waiting.push({ step, depth, under: edge });
    }
  };
  for (const step of roots) if (!seen.has(step.id)) visit(step);
  return rows;
}
