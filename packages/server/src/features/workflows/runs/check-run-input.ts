import type { ValidationError } from '@atrium/contract/errors.ts';
import type { Graph, GraphNode } from '../definition/graph.ts';
import { isGiven } from '../nodes/run-input.ts';

type Input = Readonly<Record<string, unknown>>;

/** Names of the input that the nodes of agent flows read by themselves. */
const turnNames = ['message', 'history', 'conversation_id'];

/** The names that expressions read as `run.input.name` or `run.input["name"]`; undefined when they read it as a whole. */
function namesInExpressions(graph: Graph): string[] | undefined {
  const text = JSON.stringify([...graph.nodes.values()].map(({ config }) => config));
  const uses = [...text.matchAll(/run\.input(?:\.(\w+)|\[\\?["']([^"'\\]+)\\?["']\])?/g)];
  const names = uses.flatMap(([, dotted, quoted]) => dotted ?? quoted ?? []);
  return names.length === uses.length ? names : undefined;
}

/** The names under which a node's own value can be sent, in the order in which the engine looks for it. */
const namesOf = ({ id, label }: GraphNode) => [`${id}::input`, id, label];

function findUnknownNames(graph: Graph, input: Input): string[] {
  const read = namesInExpressions(graph);
  if (read === undefined) return [];
  const known = new Set(read);
  for (const node of graph.nodes.values()) {
    for (const { name } of node.type.inputs) known.add(`${node.id}::${name}`);
    if (node.type.runInput) for (const name of namesOf(node)) known.add(name);
    if (node.type.category === 'agent_flow') for (const name of turnNames) known.add(name);
  }
  return Object.keys(input).filter((name) => !known.has(name));
}

/** Whether the node gets its value from another node of the run, or has one of its own. */
function hasOtherValue({ incoming, fixed, type, config }: GraphNode, isChosen: (id: string) => boolean): boolean {
  return (
    incoming.some(({ from }) => isChosen(from.id)) || isGiven(fixed['input']) || !!type.runInput?.hasFallback(config)
  );
}

/**
 * Finds missing, wrong-typed and unknown values in the input of a run, before it starts. `only`: the nodes to run; `pinned`:
 * those whose outputs are given.
 */
export function checkRunInput(
  graph: Graph,
  input: Input,
  only: readonly string[] | undefined,
  pinned: Readonly<Record<string, unknown>> = {},
): ValidationError[] {
  const chosen = only && new Set(only);
  const isChosen = (id: string) => chosen?.has(id) ?? true;
  const errors: ValidationError[] = [];
  const add = (name: string, type: string, msg: string, value: unknown) =>
    errors.push({ loc: ['body', 'input', name], msg, type, input: value, ctx: {} });
  for (const node of graph.nodes.values()) {
    if (!node.type.runInput || !isChosen(node.id) || Object.hasOwn(pinned, node.id)) continue;
    const name = namesOf(node).find((key) => isGiven(input[key]));
    if (name === undefined) {
      if (!hasOtherValue(node, isChosen)) add(node.label, 'missing', 'Field required', input);
      continue;
    }
    const fault = node.type.runInput.findFault(input[name], node.config);
    if (fault) add(name, fault.type, fault.msg, input[name]);
  }
  for (const name of findUnknownNames(graph, input))
    add(name, 'extra_forbidden', 'Extra inputs are not permitted', input[name]);
  return errors;
}
