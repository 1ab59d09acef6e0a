import { shown } from '@atrium/contract/expressions/functions.ts';
import { onError } from '@atrium/contract/workflows/node-types/connectors.ts';
import type { GraphNode } from '../definition/graph.ts';
import type { Instance } from './frame.ts';

/** What a node gave, apart from its failure. */
const given = (top: Instance, { place }: GraphNode) =>
  Object.entries(top.ends[place] ?? {}).filter(([name]) => name !== onError.name);

/** What a graph gives: the values at its outputs, or, of a run of some nodes only, what these give. */
export function outputOf(top: Instance): Record<string, { text: string; label: string; value: unknown }> {
  const { frame } = top;
  const ends = [...frame.graph.top.nodes].filter(({ id }) => frame.only?.has(id) ?? true);
  const outputs = ends.filter(({ type }) => type.gives);
  const leaves = frame.only ? ends.filter((node) => !node.outgoing.some(({ to }) => frame.only?.has(to.id))) : [];
  const output: ReturnType<typeof outputOf> = {};
  for (const node of outputs.length ? outputs : leaves)
    for (const [name, value] of given(top, node))
      output[`${node.id}::${name}`] = { text: shown(value), label: node.label, value: value ?? null };
  return output;
}
