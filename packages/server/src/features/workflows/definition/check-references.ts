import type { ValidationError } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import { fieldsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ReferenceCheckers, SettingsWarnings } from '../../settings/ports.ts';
import { goneReference, sortDangling, unknownReference, uuid } from '../../settings/service.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import { nodeAt, wrong } from './check-definition.ts';
import { definitionShape } from './definition-shape.ts';
import type { FindVariables } from './require-variables-read.ts';

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

/** Every id of a record that a definition names, with its place. */
const placedReferences = (definition: unknown, registry: NodeRegistry, at: string[]) =>
  fieldsIn(definition, registry).flatMap(({ field: { refers_to }, index, name, value }) => {
    if (!refers_to || value === undefined) return [];
    const loc = nodeAt(at, index, 'node_config', name);
    const ids = Array.isArray(value)
      ? value.map((id, place) => ({ id, loc: [...loc, String(place)] }))
      : [{ id: value, loc }];
    return ids.flatMap(({ id, loc: own }) => (typeof id === 'string' ? [{ kind: refers_to, id, loc: own }] : []));
  });

const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id.toLowerCase()}`;

/** The definitions that a workflow has already; `isCopy`: they become another workflow's, for which the caller answers. */
export interface StoredDefinitions {
  definitions: readonly unknown[];
  isCopy?: boolean;
}

/**
 * Errors for ids that name no record of the caller's workspace, and warnings for those that the workflow names already and
 * whose records are gone.
 */
export async function checkReferences(
  scope: Scope,
  definition: unknown,
  registry: NodeRegistry,
  references: ReferenceCheckers,
  at: string[],
  { definitions, isCopy }: StoredDefinitions = { definitions: [] },
): Promise<{ dangling: ValidationError[]; warnings: RequestWarning[] }> {
  const named = placedReferences(definition, registry, at);
  const stored = new Set(definitions.flatMap((one) => placedReferences(one, registry, [])).map(keyOf));
  const isStored = (one: { kind: string; id: string }) => stored.has(keyOf(one));
  const { refused, gone } = await sortDangling<(typeof named)[number]>(scope, named, references, { isStored, isCopy });
  const happens = (kind: string) =>
    kind === 'person' || kind === 'user_group'
      ? 'the step waits for the others, or for an administrator'
      : 'the step fails';
  return {
    dangling: refused.map(unknownReference),
    warnings: gone.map(({ kind, loc }) => goneReference(kind, loc, happens(kind))),
  };
}

/** Warns of variables that steps read and the workspace does not have. */
export async function warnOfUnknownVariables(
  scope: Scope,
  definition: unknown,
  { nodes, findVariables }: { nodes: NodeRegistry; findVariables: FindVariables },
  at: string[],
): Promise<RequestWarning[]> {
  // Others learn nothing of which variables there are.
  if (!allows(scope.permissions, 'variables_read')) return [];
  const read = fieldsIn(definition, nodes).flatMap(({ field: { text }, index, name, value }) =>
    text === 'variable' && typeof value === 'string' && value !== ''
      ? [{ variable: value, loc: nodeAt(at, index, 'node_config', name) }]
      : [],
  );
  const names = [...new Set(read.map(({ variable }) => variable))];
  const known = new Set((names.length ? await findVariables(scope, names) : []).map(({ name }) => name));
  return read.flatMap(({ variable, loc }) =>
    known.has(variable)
      ? []
      : [{ loc, msg: `There is no variable ${variable} in this workspace; the step fails`, type: 'unknown_variable' }],
  );
}

/** Warns of models that no configured provider has. Steps with the same list of models are asked about once. */
export async function warnOfStepModels(
  scope: Scope,
  definition: unknown,
  registry: NodeRegistry,
  warnOfModels: SettingsWarnings,
  at: string[],
): Promise<RequestWarning[]> {
  const lists = fieldsIn(definition, registry).flatMap(({ name, index, value }) =>
    name === 'model' && Array.isArray(value) && value.every((one): one is string => typeof one === 'string')
      ? [{ model: value, place: nodeAt(at, index, 'node_config') }]
      : [],
  );
  const alike = [...Map.groupBy(lists, ({ model }) => JSON.stringify(model)).values()];
  const warned = await Promise.all(
    alike.map(async (steps) => {
      const [first] = steps;
      const found = first ? await warnOfModels(scope, { model: first.model }, []) : [];
      return steps.flatMap(({ place }) =>
        found.map(({ loc, ...warning }) => ({ loc: [...place, ...loc], ...warning })),
      );
    }),
  );
  return warned.flat();
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
