import { isKeyed } from '@atrium/contract/workflows/node-types/connectors.ts';
import { definitionShape } from '../definition/definition-shape.ts';
import type { Outputs } from '../nodes/define-node.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';

/** The names that an expression of a step sees, as far as the steps before it have samples. */
export function namesFromSamples(
  definition: unknown,
  node_id: string,
  registry: NodeRegistry,
  samples: ReadonlyMap<string, Outputs>,
): Record<string, unknown> {
  const { nodes = [], edges = [] } = definitionShape.safeParse(definition).data ?? {};
  const type = registry.get(nodes.find(({ id }) => id === node_id)?.type ?? '');
  const names: Record<string, unknown> = {};
  for (const { from_id, to_id } of edges) {
    const outputs = samples.get(from_id.node_id);
    const connector = type?.inputs.find(({ name }) => name === to_id.connector_name);
    if (to_id.node_id !== node_id || !connector || !outputs || !Object.hasOwn(outputs, from_id.connector_name))
      continue;
    const name = isKeyed(connector) ? to_id.key : connector.name;
    // Of several edges to one input, the first that brings something counts.
    if (name && !Object.hasOwn(names, name)) names[name] = outputs[from_id.connector_name];
  }
  return { ...names, inputs: names };
}
