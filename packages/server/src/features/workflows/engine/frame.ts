import type { Names } from '@atrium/contract/expressions/evaluate.ts';
import { isKeyed } from '@atrium/contract/workflows/node-types/connectors.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Graph, GraphEdge, GraphNode, Region } from '../definition/graph.ts';
import { isBack } from '../definition/graph.ts';
import type { Outputs } from '../nodes/define-node.ts';
import type { RunVariables } from './run-variables.ts';

/** One graph being run: the run's own, or that of a workflow inside of it. */
export interface Frame {
  graph: Graph;
  workflow_id: string;
  /** What it was started with. */
  input: Readonly<Record<string, unknown>>;
  /** Values that templates may name: those of its inputs, by their labels. */
  labels: Names;
  /** Which of its nodes are run; undefined: all. */
  only: ReadonlySet<string> | undefined;
  /** How many workflows are around it. */
  depth: number;
  /** Whom its steps act for, and what they may do. */
  scope: Scope;
  variables: ReturnType<RunVariables>;
}

/** One region being run: of a loop's body there is one for each round. */
export interface Instance {
  frame: Frame;
  region: Region;
  /** The instance that its loop is in. */
  parent: Instance | undefined;
  /** What the paths of its steps begin with. */
  path: string;
  /** Of a body: what its round is about. */
  round: Outputs;
  /** What its nodes gave, by their places; null: nothing, it was skipped. */
  ends: (Outputs | null | undefined)[];
}

const given = (value: unknown) => value !== undefined && value !== null;

/** What a run brings for a node under one of the names it may use: the label, the id, or the id with the input. */
export function inputValueFor(node: GraphNode, name: string, { input }: Frame): unknown {
  const own = input[`${node.id}::${name}`];
  if (given(own)) return own;
  if (!node.type.inputs.some((connector) => connector.name === name && connector.type.endsWith('input')))
    return undefined;
  return input[node.id] ?? input[node.label];
}

/** What the inputs of a graph are called and hold, as far as it is known before they are run. */
export function labelsOf(graph: Graph, input: Frame['input']): Names {
  const labels: Record<string, unknown> = {};
  for (const node of graph.nodes.values()) {
    if (node.type.inputs.length !== 1 || !node.type.inputs[0]?.type.endsWith('input')) continue;
    const value = input[`${node.id}::input`] ?? input[node.id] ?? input[node.label] ?? node.config['value'];
    if (given(value)) labels[node.label] = value;
  }
  return labels;
}

/** What came over an edge; undefined when nothing did. */
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
 * What has come in for a node; undefined when it is to be skipped: nothing has come over any of its edges, or over any
 * of those to an input that it can't do without. Of several edges to one input the first counts that brought something;
 * an input that is a list takes all of them.
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
    // Whoever starts a run, from outside too, can't speak for a step of it.
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
