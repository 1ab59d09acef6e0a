import type { ReferenceTargetOf } from '../../settings/service.ts';
import { referencesOf } from '../definition/check-references.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';

interface Definition {
  nodes: { node_config?: Record<string, unknown> }[];
}
export interface MissingReference {
  kind: string;
  id: string;
  path: string[];
}

const placeOf = (index: number, name: string) => ['nodes', String(index), 'node_config', name];

/** A definition with replaced references; those without a target are dropped. A list keeps its other ids. */
export function relinkDefinition(
  given: object,
  registry: NodeRegistry,
  targetOf: ReferenceTargetOf,
): { definition: object; missing: MissingReference[] } {
  const definition = structuredClone(given);
  const { nodes } = definition as unknown as Definition;
  const missing: MissingReference[] = [];
  for (const { kind, id, index, name } of referencesOf(given, registry)) {
    const config = nodes[index]?.node_config;
    // Versions belong to a workflow, which has to be linked first.
    if (!config || kind === 'workflow_version') continue;
    const target = targetOf(kind, id);
    const value = (given as Definition).nodes[index]?.node_config?.[name];
    if (target === null) missing.push({ kind, id, path: placeOf(index, name) });
    if (Array.isArray(value))
      config[name] = value.flatMap((item) => (typeof item === 'string' ? (targetOf(kind, item) ?? []) : [item]));
    else if (target === null) delete config[name];
    else config[name] = target;
  }
  return { definition, missing };
}

/** Drops the versions at these places, in the definition itself. */
export function dropVersions(definition: object, places: readonly { loc: string[]; id: string }[]): MissingReference[] {
  const { nodes } = definition as unknown as Definition;
  return places.map(({ loc, id }) => {
    const [index, name] = [Number(loc[1]), loc[3] ?? ''];
    delete nodes[index]?.node_config?.[name];
    return { kind: 'workflow_version', id, path: placeOf(index, name) };
  });
}
