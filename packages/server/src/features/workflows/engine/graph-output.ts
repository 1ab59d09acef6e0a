import { shown } from '@atrium/contract/expressions/functions.ts';
import { onError } from '@atrium/contract/workflows/node-types/connectors.ts';
import type { GraphNode } from '../definition/graph.ts';
import type { Instance } from './frame.ts';

/** The outputs of a node without `on_error`. */
const outputsOf = (top: Instance, { place }: GraphNode) =>
  Object.entries(top.ends[place] ?? {}).filter(([name]) => name !== onError.name);

type GraphOutput = Record<string, { text: string; label: string; value: unknown }>;

/** The values at the outputs of a graph; in a run of some nodes only, the values of the last ones of these. */
export function outputOf(top: Instance): GraphOutput {
  const { frame } = top;
  const ends = [...frame.graph.top.nodes].filter(({ id }) => frame.only?.has(id) ?? true);
  const outputs = ends.filter(({ type }) => type.gives);
  const leaves = frame.only ? ends.filter((node) => !node.outgoing.some(({ to }) => frame.only?.has(to.id))) : [];
  const output: GraphOutput = {};
  for (const node of outputs.length ? outputs : leaves)
    for (const [name, value] of outputsOf(top, node))
      output[`${node.id}::${name}`] = { text: shown(value), label: node.label, value: value ?? null };
  return output;
}
