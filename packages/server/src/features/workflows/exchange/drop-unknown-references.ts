import { referencesOf } from '../definition/check-references.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';

interface Definition {
  nodes: { node_config?: Record<string, unknown> }[];
}

/** A definition without the ids that no record has; `places` lists each. A list keeps its other ids. */
export function dropUnknownReferences<T>(
  definition: T,
  registry: NodeRegistry,
  isKnown: (kind: string, id: string) => boolean,
): { definition: T; places: string[] } {
  const kept = structuredClone(definition);
  const { nodes } = kept as unknown as Definition;
  const unknown = referencesOf(definition, registry).filter(({ kind, id }) => !isKnown(kind, id));
  for (const { index, name, id } of unknown) {
    const config = nodes[index]?.node_config ?? {};
    const value = config[name];
    if (Array.isArray(value)) config[name] = value.filter((item) => item !== id);
    else delete config[name];
  }
  const places = unknown.map(({ index, name, kind, id }) => `nodes.${index}.node_config.${name}: ${kind} ${id}`);
  return { definition: kept, places };
}
