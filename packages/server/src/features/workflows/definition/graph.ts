import { outputsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import { isKeyed, onError } from '@atrium/contract/workflows/node-types/connectors.ts';
import { readConfig } from '@atrium/contract/workflows/node-types/read-node-config.ts';
import type { Rights } from '../../../execution/effective-permissions.ts';
import { namesIn } from '../../variable-templates/service.ts';
import type { ExecutableNode, Outputs } from '../nodes/define-node.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import type { DefinedEdge, DefinedNode, Definition } from './definition-shape.ts';

/** An edge with references to its nodes. */
export interface GraphEdge {
  id: string;
  from: GraphNode;
  from_connector: string;
  to: GraphNode;
  to_connector: string;
  key: string | undefined;
}

/** A node of a compiled graph. */
export interface GraphNode {
  id: string;
  /** Its index in the definition. */
  index: number;
  type: ExecutableNode;
  config: Record<string, unknown>;
  /** The values of its inputs when no edge brings one. */
  fixed: Outputs;
  /** The name that people see. */
  label: string;
  incoming: GraphEdge[];
  outgoing: GraphEdge[];
  /** Set for a loop: the nodes that run for each item. */
  body: Region | undefined;
  /** The region that it belongs to, and its index there. */
  region: Region;
  place: number;
  /** Whether an edge leads from its output `on_error`. */
  caught: boolean;
  /** How many nodes of its region must end before it begins, and which nodes wait for its end. */
  waits: number;
  followers: GraphNode[];
}

/**
 * Nodes that run together: those of the graph itself, or of the body of one loop, without the bodies of inner loops.
 */
export interface Region {
  loop: GraphNode | undefined;
  nodes: GraphNode[];
}

/** A valid definition in the form that the engine runs. It never changes. */
export interface Graph {
  nodes: Map<string, GraphNode>;
  top: Region;
  /** The nodes that a run continues with after a failure; most graphs have none. */
  handlers: GraphNode[];
  variables: { plain: Set<string>; handles: Set<string> };
  /** The permissions of the caller that saved it. */
  rights: Rights;
  /** The key that saved it, or the first key that it was rotated from; null when that is not known. */
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

/** Connects two nodes; undefined when one of them, or its connector, does not exist. */
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

/** Every node that the edges lead to, without passing `around`. */
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

/** The body of a loop: every node that depends on the outputs that start it. */
export const bodyOf = (loop: GraphNode): Set<GraphNode> =>
  reached(
    loop.outgoing.filter(({ from_connector }) => loop.type.body?.starts.includes(from_connector)),
    loop,
  );

/** Whether an edge brings the result of a round back to its loop. */
export const isBack = ({ to, to_connector }: GraphEdge) => to.type.body?.result === to_connector;

/** The loops that contain each node, the innermost first. */
export function loopsAround(nodes: Iterable<GraphNode>): Map<GraphNode, GraphNode[]> {
  const around = new Map<GraphNode, GraphNode[]>();
  const bodies = [...nodes].filter(({ type }) => type.body).map((loop) => ({ loop, inside: bodyOf(loop) }));
  // Of two loops that contain a node, the one with fewer nodes is the inner one.
  bodies.sort((a, b) => a.inside.size - b.inside.size);
  for (const { loop, inside } of bodies)
    for (const node of inside) around.set(node, [...(around.get(node) ?? []), loop]);
  return around;
}

/** The node that represents this one in a region: itself, or the loop of that region that contains it. */
function standIn(node: GraphNode, region: GraphNode | undefined, around: Map<GraphNode, GraphNode[]>) {
  const chain = [node, ...(around.get(node) ?? [])];
  return chain[chain.indexOf(region as GraphNode) === -1 ? chain.length - 1 : chain.indexOf(region as GraphNode) - 1];
}

/** Assigns each node to its region and counts the nodes that must end before it begins. */
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
      // The region that has both ends, or the loops that contain them.
      const outer = (around.get(edge.from) ?? [])[0];
      const target = standIn(node, outer, around);
      // The item of a loop is known when its body begins.
      if (!target || target === edge.from) continue;
      target.waits++;
      edge.from.followers.push(target);
    }
  return top;
}

/** The variables that a graph uses: in templates, and in fields that hold the name of a variable. */
function variablesIn(nodes: readonly GraphNode[]): Graph['variables'] {
  const { plain, handles } = namesIn(nodes.map(({ config, fixed }) => [config, fixed]));
  const named = nodes.flatMap(({ type, config }) =>
    Object.entries(type.config).flatMap(([name, { text }]) => (text === 'variable' ? [String(config[name])] : [])),
  );
  return { plain: new Set([...plain, ...named]), handles: new Set(handles) };
}

/** Compiles a definition that was checked before. */
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
