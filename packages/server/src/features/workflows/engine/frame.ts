import type { Names } from '@atrium/contract/expressions/evaluate.ts';
import { isKeyed } from '@atrium/contract/workflows/node-types/connectors.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Graph, GraphEdge, GraphNode, Region } from '../definition/graph.ts';
import { isBack } from '../definition/graph.ts';
import type { Outputs } from '../nodes/define-node.ts';
import type { GraphVariables } from './run-variables.ts';

/** A graph that is being run: that of the run, or of a workflow inside of it. */
export interface Frame {
  graph: Graph;
  workflow_id: string;
  /** The input of the run, or of the workflow inside of it. */
  input: Readonly<Record<string, unknown>>;
  /** The values of its inputs by their labels; templates may name them. */
  labels: Names;
  /** The nodes to run; undefined: all. */
  only: ReadonlySet<string> | undefined;
  /** How many workflows it is nested in. */
  depth: number;
  /** The actor and the permissions of its steps. */
  scope: Scope;
  variables: GraphVariables;
}

/** A region that is being run; the body of a loop has an instance for each round. */
export interface Instance {
  frame: Frame;
  region: Region;
  /** The instance that contains its loop. */
  parent: Instance | undefined;
  /** The prefix of the paths of its steps. */
  path: string;
  /** Of a loop's body: the item and index of the round. */
  round: Outputs;
  /** The outputs of its nodes by their index; null: the node was skipped. */
  ends: (Outputs | null | undefined)[];
}

const given = (value: unknown) => value !== undefined && value !== null;

/** The input of the run for a node, named by label, by id, or by `<id>::<input>`. */
export function inputValueFor(node: GraphNode, name: string, { input }: Frame): unknown {
  const own = input[`${node.id}::${name}`];
  if (given(own)) return own;
  if (!node.type.inputs.some((connector) => connector.name === name && connector.type.endsWith('input')))
    return undefined;
  return input[node.id] ?? input[node.label];
}

/** The values of the inputs of a graph by label, as far as they are known before the nodes run. */
export function labelsOf(graph: Graph, input: Frame['input']): Names {
  const labels: Record<string, unknown> = {};
  for (const node of graph.nodes.values()) {
    if (node.type.inputs.length !== 1 || !node.type.inputs[0]?.type.endsWith('input')) continue;
    const value = input[`${node.id}::input`] ?? input[node.id] ?? input[node.label] ?? node.config['value'];
    if (given(value)) labels[node.label] = value;
  }
  return labels;
}

/** The value that an edge carries; undefined when it carries none. */
export function valueOverEdge({ from, from_connector }: GraphEdge, at: Instance): { value: unknown } | undefined {
  for (let instance: Instance | undefined = at; instance; instance = instance.parent) {
    if (instance.region.loop === from && Object.hasOwn(instance.round, from_connector))
      return { value: instance.round[from_connector] };
    if (instance.region !== from.region) continue;
    const outputs = instance.ends[from.place];
    return outputs && Object.hasOwn(outputs, from_connector) ? { value: outputs[from_connector] } : undefined;
  }
  return undefined;
}

/**
 * The inputs of a node; undefined when it is to be skipped: none of its edges, or none of the edges to a required
 * input, carries a value. Of several edges to one input the first with a value counts; a list input takes all values.
 */
export function inputsOf(node: GraphNode, at: Instance): Outputs | undefined {
  const { frame } = at;
  const edges = node.incoming.filter((edge) => !isBack(edge) && (frame.only?.has(edge.from.id) ?? true));
  const came: Outputs = {};
  let any = edges.length === 0;
  for (const connector of node.type.inputs) {
    const { name, optional, definition } = connector;
    const own = edges.filter(({ to_connector }) => to_connector === name);
    const values = own.flatMap((edge) => {
      const found = valueOverEdge(edge, at);
      return found ? [{ edge, value: found.value }] : [];
    });
    if (values.length > 0) any = true;
    else if (own.length > 0 && !optional) return undefined;
    // The input of a run cannot replace a value that an edge carries.
    const brought = at.parent || own.length > 0 ? undefined : inputValueFor(node, name, frame);
    if (given(brought)) came[name] = brought;
    else if (isKeyed(connector)) {
      const fixed = node.fixed[name];
      const keys = typeof fixed === 'object' && fixed !== null ? { ...fixed } : {};
      came[name] = Object.assign(keys, Object.fromEntries(values.map(({ edge, value }) => [edge.key ?? '', value])));
    } else if (values.length > 1 && definition.is_list) came[name] = values.map(({ value }) => value);
    else if (values.length > 0) came[name] = values[0]?.value;
    else if (Object.hasOwn(node.fixed, name)) came[name] = node.fixed[name];
  }
  return any ? came : undefined;
}
