import { outputsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import { isKeyed, onError } from '@atrium/contract/workflows/node-types/connectors.ts';
import { readConfig } from '@atrium/contract/workflows/node-types/read-node-config.ts';
import type { Rights } from '../../../execution/effective-permissions.ts';
import { namesIn } from '../../variable-templates/service.ts';
import type { ExecutableNode, Outputs } from '../nodes/define-node.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import type { DefinedEdge, DefinedNode, Definition } from './definition-shape.ts';

/** An edge with its ends found. */
export interface GraphEdge {
  id: string;
  from: GraphNode;
  from_connector: string;
  to: GraphNode;
  to_connector: string;
  key: string | undefined;
}

/** A node as it is run. */
export interface GraphNode {
  id: string;
  /** Its place in the definition. */
  index: number;
  type: ExecutableNode;
  config: Record<string, unknown>;
  /** What its inputs are when no edge brings anything. */
  fixed: Outputs;
  /** What people call it. */
  label: string;
  incoming: GraphEdge[];
  outgoing: GraphEdge[];
  /** Set for a loop: what is run for each item. */
  body: Region | undefined;
  /** Where it stands, and at which place there. */
  region: Region;
  place: number;
  /** Whether somebody listens for its failure. */
  caught: boolean;
  /** How many ends of nodes of its region it waits for, and which nodes wait for its own. */
  waits: number;
  followers: GraphNode[];
}

/** Nodes that run together: those of the whole graph, or of the body of a loop without those of loops within. */
export interface Region {
  loop: GraphNode | undefined;
  nodes: GraphNode[];
}

/** A definition that was found right, in the form it is run in. It never changes. */
export interface Graph {
  nodes: Map<string, GraphNode>;
  top: Region;
  /** Where runs with something that failed go on; none in most. */
  handlers: GraphNode[];
  variables: { plain: Set<string>; handles: Set<string> };
  /** What whoever saved it was allowed to. */
  rights: Rights;
  /** The key that saved it, or the first of its line; null where that is not known. */
  saved_by: string | null;
}

const fixedOf = ({ inputs = [] }: DefinedNode): Outputs =>
  Object.fromEntries(
    inputs.flatMap(({ name, fixed_value }) =>
      name !== undefined && fixed_value !== undefined && fixed_value !== null ? [[name, fixed_value]] : [],
    ),
  );

function labelOf({ name, id }: DefinedNode, config: Record<string, unknown>): string {
  const { label } = config;
  return typeof label === 'string' && label !== '' ? label : (name ?? id);
}

const nowhere: Region = { loop: undefined, nodes: [] };

export function makeNode(defined: DefinedNode, index: number, type: ExecutableNode): GraphNode {
  const { config } = readConfig(type, defined.node_config ?? {});
  return {
    id: defined.id,
    index,
    type,
    config,
    fixed: fixedOf(defined),
    label: labelOf(defined, config),
    incoming: [],
    outgoing: [],
    body: undefined,
    region: nowhere,
    place: 0,
    caught: false,
    waits: 0,
    followers: [],
  };
}

/** Joins two nodes; undefined when one of them, or its connector, is not there. */
export function connect(
  nodes: ReadonlyMap<string, GraphNode>,
  edge: DefinedEdge,
  index: number,
): GraphEdge | undefined {
  const [from, to] = [nodes.get(edge.from_id.node_id), nodes.get(edge.to_id.node_id)];
  const given = from && outputsOf(from.type).find(({ name }) => name === edge.from_id.connector_name);
  const taken = to?.type.inputs.find(({ name }) => name === edge.to_id.connector_name);
  if (!from || !to || !given || !taken) return undefined;
  const made: GraphEdge = {
    id: edge.id ?? String(index),
    from,
    from_connector: given.name,
    to,
    to_connector: taken.name,
    key: isKeyed(taken) ? edge.to_id.key : undefined,
  };
  from.outgoing.push(made);
  to.incoming.push(made);
  return made;
}

/** Every node that can be reached from some edges, without going through `around`. */
export function reached(edges: readonly GraphEdge[], around: GraphNode): Set<GraphNode> {
  const found = new Set<GraphNode>();
  const left = edges.map(({ to }) => to);
  for (let next = left.pop(); next; next = left.pop()) {
    if (next === around || found.has(next)) continue;
    found.add(next);
    for (const { to } of next.outgoing) left.push(to);
  }
  return found;
}

/** What a loop runs for each item: everything that hangs on the outputs that begin its body. */
export const bodyOf = (loop: GraphNode): Set<GraphNode> =>
  reached(
    loop.outgoing.filter(({ from_connector }) => loop.type.body?.starts.includes(from_connector)),
    loop,
  );

/** Whether an edge closes a loop: it brings the result of one round back. */
export const isBack = ({ to, to_connector }: GraphEdge) => to.type.body?.result === to_connector;

/** The loops around each node, the innermost first. */
export function loopsAround(nodes: Iterable<GraphNode>): Map<GraphNode, GraphNode[]> {
  const around = new Map<GraphNode, GraphNode[]>();
  const bodies = [...nodes].filter(({ type }) => type.body).map((loop) => ({ loop, inside: bodyOf(loop) }));
  // Of two loops around a node the smaller one is within the other.
  bodies.sort((a, b) => a.inside.size - b.inside.size);
  for (const { loop, inside } of bodies)
    for (const node of inside) around.set(node, [...(around.get(node) ?? []), loop]);
  return around;
}

/** The node that stands for this one in a region: itself, or the loop of that region that it is somewhere inside of. */
function standIn(node: GraphNode, region: GraphNode | undefined, around: Map<GraphNode, GraphNode[]>) {
  const chain = [node, ...(around.get(node) ?? [])];
  return chain[chain.indexOf(region as GraphNode) === -1 ? chain.length - 1 : chain.indexOf(region as GraphNode) - 1];
}

/** Puts each node into its region, and says what has to be over before it begins. */
export function arrangeRegion(nodes: readonly GraphNode[]): Region {
  const around = loopsAround(nodes);
  const top: Region = { loop: undefined, nodes: [] };
  for (const node of nodes) if (node.type.body) node.body = { loop: node, nodes: [] };
  for (const node of nodes) {
    const [loop] = around.get(node) ?? [];
    node.region = loop?.body ?? top;
    node.place = node.region.nodes.push(node) - 1;
    node.caught = node.outgoing.some(({ from_connector }) => from_connector === onError.name);
  }
  for (const node of nodes)
    for (const edge of node.incoming) {
      if (isBack(edge)) continue;
      // The region in which both ends, or the loops that they are inside of, stand side by side.
      const outer = (around.get(edge.from) ?? [])[0];
      const target = standIn(node, outer, around);
      // A loop's own item is there when its body begins.
      if (!target || target === edge.from) continue;
      target.waits++;
      edge.from.followers.push(target);
    }
  return top;
}

/** The variables that a graph names: in its texts, and where a field holds nothing but a name. */
function variablesIn(nodes: readonly GraphNode[]): Graph['variables'] {
  const { plain, handles } = namesIn(nodes.map(({ config, fixed }) => [config, fixed]));
  const named = nodes.flatMap(({ type, config }) =>
    Object.entries(type.config).flatMap(([name, { text }]) => (text === 'variable' ? [String(config[name])] : [])),
  );
  return { plain: new Set([...plain, ...named]), handles: new Set(handles) };
}

/** A graph from a definition that has been found right. */
export function compile(
  definition: Definition,
  registry: NodeRegistry,
  { rights, saved_by }: Pick<Graph, 'rights' | 'saved_by'> = { rights: null, saved_by: null },
): Graph {
  const nodes = new Map<string, GraphNode>();
  definition.nodes.forEach((defined, index) => {
    const type = registry.get(defined.type);
    if (type) nodes.set(defined.id, makeNode(defined, index, type));
  });
  definition.edges.forEach((edge, index) => void connect(nodes, edge, index));
  const all = [...nodes.values()];
  const top = arrangeRegion(all);
  const handlers = all.filter(({ type }) => type.handles_errors);
  return { nodes, top, handlers, variables: variablesIn(all), rights, saved_by };
}
