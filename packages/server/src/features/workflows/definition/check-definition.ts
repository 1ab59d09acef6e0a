import type { ValidationError } from '@atrium/contract/errors.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import { outputsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import { type Connector, isCompatible, isKeyed } from '@atrium/contract/workflows/node-types/connectors.ts';
import { readConfig } from '@atrium/contract/workflows/node-types/read-node-config.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import { type DefinedEdge, type Definition, definitionShape, storedShape } from './definition-shape.ts';
import { bodyOf, connect, type GraphEdge, type GraphNode, isBack, makeNode, reached } from './graph.ts';

export type WorkflowType = 'flow' | 'agent_flow';

export const wrong = (loc: string[], error: string, input: unknown): ValidationError => ({
  loc,
  msg: `Value error, ${error}`,
  type: 'value_error',
  input,
  ctx: { error },
});

export const nodeAt = (at: string[], index: number, ...more: string[]) => [...at, 'nodes', String(index), ...more];
const edgeAt = (at: string[], index: number, ...more: string[]) => [...at, 'edges', String(index), ...more];

/**
 * Checks the types, configs and ids of the nodes. Nodes with a known type and a unique id are returned, without
 * edges.
 */
function checkNodes(
  definition: Definition,
  registry: NodeRegistry,
  kind: WorkflowType,
  at: string[],
  validationErrors: ValidationError[],
) {
  const nodes = new Map<string, GraphNode>();
  definition.nodes.forEach((defined, index) => {
    const type = registry.get(defined.type);
    if (!type) {
      validationErrors.push(
        wrong(nodeAt(at, index, 'type'), `there is no node of the type ${defined.type}`, defined.type),
      );
      return;
    }
    if (!type.used_in.includes(kind))
      validationErrors.push(
        wrong(nodeAt(at, index, 'type'), `a workflow of the type ${kind} can't have it`, defined.type),
      );
    if (nodes.has(defined.id))
      validationErrors.push(wrong(nodeAt(at, index, 'id'), 'another node has this id', defined.id));
    validationErrors.push(
      ...readConfig(type, defined.node_config ?? {}, nodeAt(at, index, 'node_config')).validationErrors,
    );
    nodes.set(defined.id, makeNode(defined, index, type));
  });
  return nodes;
}

/**
 * Checks that both ends of an edge exist and have compatible types. A node of an unknown type has an error of its
 * own.
 */
function checkEdge(
  named: ReadonlySet<string>,
  nodes: ReadonlyMap<string, GraphNode>,
  edge: DefinedEdge,
  index: number,
  at: string[],
): ValidationError[] {
  const validationErrors: ValidationError[] = [];
  const ends = { from_id: nodes.get(edge.from_id.node_id), to_id: nodes.get(edge.to_id.node_id) };
  for (const side of ['from_id', 'to_id'] as const)
    if (!named.has(edge[side].node_id))
      validationErrors.push(wrong(edgeAt(at, index, side, 'node_id'), 'there is no such node', edge[side].node_id));
  const { from_id: from, to_id: to } = ends;
  const given = from && outputsOf(from.type).find(({ name }) => name === edge.from_id.connector_name);
  const taken = to?.type.inputs.find(({ name }) => name === edge.to_id.connector_name);
  const absent = (side: 'from_id' | 'to_id', what: string, there: readonly Connector[]) => {
    const names = there.map(({ name }) => name).join(', ') || 'none';
    const error = `the node has no such ${what}; it has ${names}`;
    validationErrors.push(wrong(edgeAt(at, index, side, 'connector_name'), error, edge[side].connector_name));
  };
  if (from && !given) absent('from_id', 'output', outputsOf(from.type));
  if (to && !taken) absent('to_id', 'input', to.type.inputs);
  if (!given || !taken) return validationErrors;
  if (isKeyed(taken) && edge.to_id.key === undefined)
    validationErrors.push({
      loc: edgeAt(at, index, 'to_id', 'key'),
      msg: 'Field required',
      type: 'missing',
      input: edge.to_id,
      ctx: {},
    });
  if (!isCompatible(given.definition, taken.definition)) {
    const [gives, takes] = [given.definition.data_type, taken.definition.data_type];
    validationErrors.push(wrong(edgeAt(at, index, 'to_id'), `${gives} does not fit an input of ${takes}`, edge.to_id));
  }
  return validationErrors;
}

/** Errors for required inputs that no edge and no fixed value fills. Edges of nodes of an unknown type count as well. */
function missingInputs(node: GraphNode, incoming: readonly DefinedEdge[], at: string[]): ValidationError[] {
  const brought = new Set(incoming.map(({ to_id }) => to_id.connector_name));
  return node.type.inputs.flatMap(({ name, optional, type }): ValidationError[] => {
    const given = brought.has(name) || Object.hasOwn(node.fixed, name) || type.endsWith('input');
    if (optional || given) return [];
    return [
      {
        loc: nodeAt(at, node.index, 'inputs', name),
        msg: 'Field required',
        type: 'missing',
        input: null,
        ctx: {},
      },
    ];
  });
}

/** Checks that the body of a loop has one entry and one edge back, and that loops are nested or separate. */
function checkLoops(
  nodes: readonly GraphNode[],
  edges: ReadonlyMap<GraphEdge, number>,
  at: string[],
): ValidationError[] {
  const validationErrors: ValidationError[] = [];
  const loops = nodes.filter(({ type }) => type.body).map((loop) => ({ loop, body: bodyOf(loop) }));
  for (const { loop, body } of loops) {
    const starts = loop.type.body?.starts ?? [];
    const after = reached(
      loop.outgoing.filter(({ from_connector }) => !starts.includes(from_connector)),
      loop,
    );
    // Loops that share their nodes would be reported once for each pair.
    if (validationErrors.length >= maxValidationErrors) return validationErrors;
    for (const node of body) {
      const where = nodeAt(at, node.index);
      if (after.has(node))
        validationErrors.push(wrong(where, `it is inside the loop ${loop.label} and after it`, node.id));
      if (node.type.gives || node.type.handles_errors)
        validationErrors.push(wrong(where, `it can't stand inside a loop`, node.id));
    }
    for (const edge of loop.incoming) {
      if (isBack(edge) === body.has(edge.from)) continue;
      const why = isBack(edge) ? 'only what is inside the loop can be its result' : 'it leads back into its own loop';
      validationErrors.push(wrong(edgeAt(at, edges.get(edge) ?? 0, 'to_id'), why, edge.to_connector));
    }
    for (const other of loops)
      if (other.loop.index > loop.index && !body.has(other.loop) && !other.body.has(loop))
        for (const node of other.body) {
          if (!body.has(node)) continue;
          validationErrors.push(wrong(nodeAt(at, node.index), 'it is inside two loops at once', node.id));
          if (validationErrors.length >= maxValidationErrors) return validationErrors;
        }
  }
  return validationErrors;
}

/** Errors for nodes on a cycle; the edges that lead back to a loop do not count. */
function checkCycles(nodes: readonly GraphNode[], at: string[]): ValidationError[] {
  const waiting = new Map(nodes.map((node) => [node, node.incoming.filter((edge) => !isBack(edge)).length]));
  const free = nodes.filter((node) => waiting.get(node) === 0);
  for (let next = free.pop(); next; next = free.pop()) {
    waiting.delete(next);
    for (const edge of next.outgoing) {
      if (isBack(edge)) continue;
      const left = (waiting.get(edge.to) ?? 0) - 1;
      waiting.set(edge.to, left);
      if (left === 0) free.push(edge.to);
    }
  }
  // Some of the nodes that are left only depend on a cycle. The search is slow, so it stops at the number of errors
  // that are reported.
  const onCycle = [...waiting.keys()].slice(0, maxValidationErrors).filter(leadsBack);
  return onCycle.map((node) =>
    wrong(nodeAt(at, node.index), 'it waits for itself: only a loop may lead back', node.id),
  );
}

function leadsBack(node: GraphNode): boolean {
  const seen = new Set<GraphNode>();
  const left = [node];
  for (let next = left.pop(); next; next = left.pop())
    for (const edge of next.outgoing) {
      if (isBack(edge)) continue;
      if (edge.to === node) return true;
      if (!seen.has(edge.to)) left.push(edge.to);
      seen.add(edge.to);
    }
  return false;
}

/** Errors that not even `force` accepts, since clients could not read the definition again. */
export function checkShape(definition: unknown, at: string[]): ValidationError[] {
  const parsed = storedShape.safeParse(definition, { reportInput: true });
  return parsed.success ? [] : placed(toValidationErrors(storedShape, parsed.error.issues, definition, 'body'), at);
}

const placed = (validationErrors: ValidationError[], at: string[]) =>
  validationErrors.map((validationError) => ({ ...validationError, loc: [...at, ...validationError.loc.slice(1)] }));

/** How many errors are reported at most. */
const maxValidationErrors = 100;

/** All validation errors of a definition, except for ids of records that do not exist. */
export function checkDefinition(
  definition: unknown,
  registry: NodeRegistry,
  kind: WorkflowType,
  at: string[],
): ValidationError[] {
  const parsed = definitionShape.safeParse(definition, { reportInput: true });
  if (!parsed.success)
    return placed(toValidationErrors(definitionShape, parsed.error.issues, definition, 'body'), at).slice(
      0,
      maxValidationErrors,
    );
  const validationErrors: ValidationError[] = [];
  const nodes = checkNodes(parsed.data, registry, kind, at, validationErrors);
  const named = new Set(parsed.data.nodes.map(({ id }) => id));
  const edges = new Map<GraphEdge, number>();
  parsed.data.edges.forEach((edge, index) => {
    validationErrors.push(...checkEdge(named, nodes, edge, index, at));
    const made = connect(nodes, edge, index);
    if (made) edges.set(made, index);
  });
  const all = [...nodes.values()];
  const incoming = Map.groupBy(parsed.data.edges, ({ to_id }) => to_id.node_id);
  for (const node of all) validationErrors.push(...missingInputs(node, incoming.get(node.id) ?? [], at));
  validationErrors.push(...checkLoops(all, edges, at), ...checkCycles(all, at));
  return validationErrors.slice(0, maxValidationErrors);
}
