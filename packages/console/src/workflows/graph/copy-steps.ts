import { freeId } from './edit-graph.ts';
import type { Edge, Graph, Position, Remark, Step } from './graph-types.ts';
import { positionOf } from './read-graph.ts';

const format = 'atrium.steps';

/** Steps as a text that pastes into this workflow or another one: with the edges among them. */
export function copySteps(graph: Graph, ids: readonly string[]): string {
  const chosen = new Set(ids);
  return JSON.stringify({
    format,
    nodes: graph.nodes.filter(({ id }) => chosen.has(id)),
    edges: graph.edges.filter(({ from_id, to_id }) => chosen.has(from_id.node_id) && chosen.has(to_id.node_id)),
    comments: (graph.comments ?? []).filter(({ id }) => chosen.has(id)),
  });
}

interface Copied {
  nodes: Step[];
  edges: Edge[];
  comments?: Remark[];
}

function readCopied(text: string): Copied | undefined {
  try {
    const copied = JSON.parse(text);
    const isWhole = copied?.format === format && Array.isArray(copied.nodes) && Array.isArray(copied.edges);
    return isWhole && copied.nodes.every((step: Step) => typeof step?.id === 'string') ? copied : undefined;
  } catch {
    return undefined;
  }
}

export const isCopiedSteps = (text: string): boolean => readCopied(text) !== undefined;

/** Puts copied steps into a graph, with ids of their own; undefined when the text is something else. */
export function pasteSteps(graph: Graph, text: string, at?: Position): { graph: Graph; ids: string[] } | undefined {
  const copied = readCopied(text);
  if (!copied) return undefined;
  const remarks = copied.comments ?? [];
  const taken = new Set([...graph.nodes, ...(graph.comments ?? [])].map(({ id }) => id));
  const newIds = new Map<string, string>();
  for (const { id } of [...copied.nodes, ...remarks]) {
    const next = taken.has(id) ? freeId(taken, id) : id;
    taken.add(next);
    newIds.set(id, next);
  }
  const corners = [...copied.nodes.map(positionOf), ...remarks.map(({ position }) => position)];
  const corner = { x: Math.min(...corners.map(({ x }) => x)), y: Math.min(...corners.map(({ y }) => y)) };
  const target = at ?? { x: corner.x + 40, y: corner.y + 40 };
  const placed = ({ x, y }: Position) => ({ x: x - corner.x + target.x, y: y - corner.y + target.y });
  const edgeIds = new Set(graph.edges.map(({ id }) => id));
  const edges = copied.edges.map((edge) => {
    const id = edgeIds.has(edge.id) ? freeId(edgeIds, 'edge') : edge.id;
    edgeIds.add(id);
    const end = <E extends Edge['from_id']>(one: E): E => ({ ...one, node_id: newIds.get(one.node_id) ?? one.node_id });
    return { ...edge, id, from_id: end(edge.from_id), to_id: end(edge.to_id) };
  });
  const nodes = copied.nodes.map((step) => ({
    ...step,
    id: newIds.get(step.id) ?? step.id,
    display: { ...step.display, position: placed(positionOf(step)) },
  }));
  const comments = remarks.map((remark) => ({
    ...remark,
    id: newIds.get(remark.id) ?? remark.id,
    position: placed(remark.position),
  }));
  return {
    graph: {
      ...graph,
      nodes: [...graph.nodes, ...nodes],
      edges: [...graph.edges, ...edges],
      comments: [...(graph.comments ?? []), ...comments],
    },
    ids: [...nodes, ...comments].map(({ id }) => id),
  };
}
