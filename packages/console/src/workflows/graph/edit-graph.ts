import { nameOf, usualLink } from './catalogue.ts';
import { type Catalogue, type Edge, type Graph, gap, type Link, type Position, type Step } from './graph-types.ts';
import { positionOf } from './read-graph.ts';

/** An id that is not taken, with a number behind it. */
export function freeId(taken: ReadonlySet<string>, base: string): string {
  const root = base.replace(/[-_]?\d+$/, '') || 'step';
  for (let number = 1; ; number++) {
    const id = `${root}-${number}`;
    if (!taken.has(id)) return id;
  }
}

const idsOf = (entries: readonly { id: string }[]) => new Set(entries.map(({ id }) => id));
const idBase = (type: string) =>
  type
    .replace(/Node$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase();

/** The nearest free place at or below a point. */
export function freePlace({ nodes }: Graph, { x, y }: Position): Position {
  const isTaken = (top: number) =>
    nodes.some((step) => {
      const place = positionOf(step);
      return Math.abs(place.x - x) < gap.x - 20 && Math.abs(place.y - top) < gap.y - 12;
    });
  let top = y;
  while (isTaken(top)) top += gap.y;
  return { x, y: top };
}

export function connect(graph: Graph, link: Link): Graph {
  const isThere = graph.edges.some(
    ({ from_id, to_id }) => JSON.stringify([from_id, to_id]) === JSON.stringify([link.from_id, link.to_id]),
  );
  if (isThere) return graph;
  return { ...graph, edges: [...graph.edges, { ...link, id: freeId(idsOf(graph.edges), 'edge') }] };
}

export const disconnect = (graph: Graph, edgeIds: readonly string[]): Graph => ({
  ...graph,
  edges: graph.edges.filter(({ id }) => !edgeIds.includes(id)),
});

interface Added {
  graph: Graph;
  id: string;
  link: Link | undefined;
}

/** A new step of a kind, after another one and connected with it where something fits. */
export function addStep(
  graph: Graph,
  catalogue: Catalogue,
  type: string,
  { after, at }: { after?: string | undefined; at?: Position | undefined } = {},
): Added {
  const id = freeId(idsOf(graph.nodes), idBase(type));
  const title = catalogue.get(type)?.title ?? type;
  const names = new Set(graph.nodes.map((step) => nameOf(step, catalogue)));
  let name = title;
  for (let number = 2; names.has(name); number++) name = `${title} ${number}`;
  const before = graph.nodes.find((step) => step.id === after);
  const rightmost = graph.nodes.map(positionOf).toSorted((one, other) => other.x - one.x)[0];
  const beside = before ? positionOf(before) : rightmost;
  const wanted = at ?? (beside ? { x: beside.x + gap.x, y: beside.y } : { x: 0, y: 0 });
  const step: Step = { id, type, name, node_config: {}, display: { position: freePlace(graph, wanted) } };
  const grown = { ...graph, nodes: [...graph.nodes, step] };
  const link = before && usualLink(grown, catalogue, before.id, id);
  return { graph: link ? connect(grown, link) : grown, id, link };
}

/** Takes steps away, with the edges that lead to them or from them, and remarks with these ids. */
export function removeSteps(graph: Graph, ids: readonly string[]): Graph {
  const gone = new Set(ids);
  return {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !gone.has(id)),
    edges: graph.edges.filter(({ from_id, to_id }) => !gone.has(from_id.node_id) && !gone.has(to_id.node_id)),
    comments: (graph.comments ?? []).filter(({ id }) => !gone.has(id)),
  };
}

export const changeStep = (graph: Graph, id: string, change: (step: Step) => Step): Graph => ({
  ...graph,
  nodes: graph.nodes.map((step) => (step.id === id ? change(step) : step)),
});

/** Sets a value of a step's config; undefined and null take it out. */
export const setConfig = (graph: Graph, id: string, key: string, value: unknown): Graph =>
  changeStep(graph, id, (step) => {
    const { [key]: _, ...rest } = step.node_config ?? {};
    return { ...step, node_config: value === undefined || value === null ? rest : { ...rest, [key]: value } };
  });

/** Sets the value that an input has when no edge brings one; undefined takes it out. */
export const setFixed = (graph: Graph, id: string, name: string, value: unknown): Graph =>
  changeStep(graph, id, (step) => {
    const others = (step.inputs ?? []).filter((input) => input.name !== name);
    return { ...step, inputs: value === undefined ? others : [...others, { name, fixed_value: value }] };
  });

/** Puts steps and remarks at other places. */
export function moveSteps(graph: Graph, places: ReadonlyMap<string, Position>): Graph {
  const moved = <T extends { id: string }>(entry: T, put: (position: Position) => T): T => {
    const position = places.get(entry.id);
    return position ? put({ x: Math.round(position.x), y: Math.round(position.y) }) : entry;
  };
  return {
    ...graph,
    nodes: graph.nodes.map((step) => moved(step, (position) => ({ ...step, display: { ...step.display, position } }))),
    comments: (graph.comments ?? []).map((remark) => moved(remark, (position) => ({ ...remark, position }))),
  };
}

/** Hangs a step behind another one: its incoming edges go, and the usual one takes their place. */
export function moveAfter(graph: Graph, catalogue: Catalogue, id: string, after: string): Graph {
  const incoming = graph.edges.filter(({ to_id }) => to_id.node_id === id);
  const free = disconnect(graph, idsInOrder(incoming));
  const link = usualLink(free, catalogue, after, id);
  return link ? connect(free, link) : free;
}

const idsInOrder = (edges: readonly Edge[]) => edges.map(({ id }) => id);

export const addRemark = (graph: Graph, text: string, position: Position): { graph: Graph; id: string } => {
  const comments = graph.comments ?? [];
  const id = freeId(idsOf([...graph.nodes, ...comments]), 'comment');
  return { graph: { ...graph, comments: [...comments, { id, text, position }] }, id };
};

export const changeRemark = (graph: Graph, id: string, text: string): Graph => ({
  ...graph,
  comments: (graph.comments ?? []).map((remark) => (remark.id === id ? { ...remark, text } : remark)),
});
