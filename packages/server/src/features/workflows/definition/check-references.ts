import type { ValidationError } from '@atrium/contract/errors.ts';
import { fieldsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ReferenceCheckers } from '../../settings/ports.ts';
import { findUnknownReferences, unknownReference, uuid } from '../../settings/service.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import { nodeAt, wrong } from './check-definition.ts';
import { definitionShape } from './definition-shape.ts';

/** The config fields of all nodes of known types, with their values. */
const fieldsIn = (definition: unknown, registry: NodeRegistry) =>
  (definitionShape.safeParse(definition).data?.nodes ?? []).flatMap(({ type, node_config = {} }, index) => {
    const known = registry.get(type);
    return Object.entries(known ? fieldsOf(known) : {}).map(([name, field]) => ({
      ...{ field, index, name, node_config },
      value: node_config[name] ?? undefined,
    }));
  });

/** Every id that a definition refers to, with the field that holds it; versions are of the kind `workflow_version`. */
export const referencesOf = (definition: unknown, registry: NodeRegistry) =>
  fieldsIn(definition, registry).flatMap(({ field: { refers_to, version_of }, index, name, value }) => {
    const kind = refers_to ?? (version_of ? ('workflow_version' as const) : undefined);
    const ids: unknown[] = Array.isArray(value) ? value : [value];
    return kind ? ids.flatMap((id) => (typeof id === 'string' ? [{ kind, id, index, name }] : [])) : [];
  });

/** Errors for ids that name no record of the caller's workspace. */
export async function checkReferences(
  scope: Scope,
  definition: unknown,
  registry: NodeRegistry,
  references: ReferenceCheckers,
  at: string[],
): Promise<ValidationError[]> {
  const named = fieldsIn(definition, registry).flatMap(({ field: { refers_to }, index, name, value }) => {
    if (!refers_to || value === undefined) return [];
    const loc = nodeAt(at, index, 'node_config', name);
    const ids = Array.isArray(value)
      ? value.map((id, place) => ({ id, loc: [...loc, String(place)] }))
      : [{ id: value, loc }];
    return ids.flatMap(({ id, loc: own }) => (typeof id === 'string' ? [{ kind: refers_to, id, loc: own }] : []));
  });
  return (await findUnknownReferences(scope, named, references)).map(unknownReference);
}

/** Errors for version ids that do not belong to the workflow in the same config. */
export async function checkVersions(
  definition: unknown,
  registry: NodeRegistry,
  find: (ids: string[]) => Promise<{ id: string; workflow_id: string }[]>,
  at: string[],
): Promise<ValidationError[]> {
  const named = fieldsIn(definition, registry).flatMap(({ field: { version_of }, index, name, value, node_config }) =>
    version_of && typeof value === 'string' ? [{ index, name, id: value, of: node_config[version_of] }] : [],
  );
  const ids = named.flatMap(({ id }) => (uuid.test(id) ? [id.toLowerCase()] : []));
  const known = new Map((ids.length ? await find(ids) : []).map(({ id, workflow_id }) => [id, workflow_id]));
  return named.flatMap(({ index, name, id, of }) =>
    typeof of === 'string' && known.get(id.toLowerCase()) === of.toLowerCase()
      ? []
      : [wrong(nodeAt(at, index, 'node_config', name), 'the workflow has no such version', id)],
  );
}
