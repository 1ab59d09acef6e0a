import { InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import { entriesOf } from '@atrium/contract/keys-of.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import { type ReferenceKind, referenceLists } from '@atrium/contract/settings/entries.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { ToolEntry } from '@atrium/contract/settings/tools/base-tools.ts';
import { approverFields, toolLists } from '@atrium/contract/settings/tools/entry-approvers.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Reference, ReferenceCheckers, SettingsLayers, StoredReferences } from './ports.ts';

const toolReferences = new Map<string, [field: string, kind: ReferenceKind]>([
  ['kb_qa', ['kb_id', 'knowledge_base']],
  ['workflow', ['workflow_id', 'workflow']],
  ['agent_tool', ['agent_id', 'agent']],
]);

/** The people and groups that entries of tools name to decide. A value that is no list is refused as an unknown record. */
const approversIn = (settings: SparseSettings): Reference[] =>
  toolLists.flatMap((list) =>
    ((settings[list] ?? []) as unknown[]).flatMap((entry, index) =>
      entriesOf(approverFields).flatMap(([field, kind]) => {
        const value = fieldsOf(entry)[field];
        if (value === undefined || value === null) return [];
        const at = [list, String(index), field];
        return Array.isArray(value)
          ? value.map((id, place) => ({ kind, id: String(id), loc: [...at, String(place)] }))
          : [{ kind, id: String(value), loc: at }];
      }),
    ),
  );

/** Every id that settings refer to, with its place. */
export function referencesIn(settings: SparseSettings): Reference[] {
  const found: Reference[] = [];
  for (const [list, kind] of entriesOf(referenceLists)) {
    (settings[list] ?? []).forEach((entry, index) => {
      if (typeof entry === 'string') found.push({ kind, id: entry, loc: [list, String(index)] });
      else
        found.push({
          kind,
          id: entry.id,
          loc: [list, String(index), 'id'],
          ...('access' in entry && entry.access === 'write' && { writes: true }),
        });
    });
  }
  (settings.skills ?? []).forEach((skill, index) => {
    (skill.file_ids ?? []).forEach((id, at) => {
      found.push({ kind: 'file', id, loc: ['skills', String(index), 'file_ids', String(at)] });
    });
  });
  (settings.tools ?? []).forEach((tool: ToolEntry, index) => {
    const [field, kind] = toolReferences.get(tool.type) ?? [];
    const id = field && tool[field];
    if (field && kind && typeof id === 'string') found.push({ kind, id, loc: ['tools', String(index), field] });
  });
  found.push(...approversIn(settings));
  if (typeof settings.agent_flow_id === 'string')
    found.push({ kind: 'workflow', id: settings.agent_flow_id, loc: ['agent_flow_id'] });
  return found;
}

/** Everybody who may change a definition may name people and groups of the workspace: they get a duty, no right to read. */
const permissions: Readonly<Partial<Record<ReferenceKind, readonly [read: Permission, write: Permission]>>> = {
  knowledge_base: ['kbs_query', 'kbs_query'],
  workflow: ['flows_run', 'flows_run'],
  agent: ['agents_run', 'agents_run'],
  table: ['tables_read', 'tables_edit'],
  variable: ['variables_read', 'variables_read'],
  file: ['files_read', 'files_read'],
};

/** Whether a caller may use records of a kind: a definition can't give an agent what its author may not use. */
const mayUse = (scope: Scope, { kind, writes = false }: Pick<Reference, 'kind' | 'writes'>) => {
  const needed = permissions[kind]?.[writes ? 1 : 0];
  return needed === undefined || allows(scope.permissions, needed);
};

export const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The references to records that are not in the caller's workspace, or that the caller may not use; both look the same. */
export async function findUnknownReferences<R extends Pick<Reference, 'kind' | 'id' | 'writes'>>(
  scope: Scope,
  references: R[],
  checkers: ReferenceCheckers,
): Promise<R[]> {
  const groups = Map.groupBy(references, ({ kind, writes = false }) => `${kind} ${writes}`);
  const unknown = new Set<R>();
  for (const group of groups.values()) {
    const { kind, writes = false } = required(group[0]);
    const isAllowed = mayUse(scope, { kind, writes });
    const ids = group.filter(({ id }) => isAllowed && uuid.test(id)).map(({ id }) => id.toLowerCase());
    const known = ids.length ? await checkers[kind]?.(scope, ids, writes) : undefined;
    for (const one of group) if (!known?.has(one.id.toLowerCase())) unknown.add(one);
  }
  return references.filter((one) => unknown.has(one));
}

const words: Record<ReferenceKind, string> = {
  knowledge_base: 'knowledge base',
  workflow: 'workflow',
  agent: 'agent',
  table: 'table',
  variable: 'variable',
  file: 'file',
  person: 'person',
  user_group: 'user group',
};

/** The validation error for an id that refers to no record. */
export function unknownReference({
  kind,
  id,
  loc,
}: {
  kind: ReferenceKind | 'record';
  id: string;
  loc: string[];
}): ValidationError {
  const error = `no such ${kind === 'record' ? kind : words[kind]} in this workspace`;
  return { loc, msg: `Value error, ${error}`, type: 'value_error', input: id, ctx: { error } };
}

const keyOf = ({ kind, id, writes = false }: Pick<Reference, 'kind' | 'id' | 'writes'>) =>
  `${kind} ${id.toLowerCase()} ${writes}`;
/** The references of stored settings; one that writes also reads. */
const keysIn = (layers: SettingsLayers) =>
  new Set(
    layers
      .flatMap((layer) => (layer ? referencesIn(layer) : []))
      .flatMap((one) => [keyOf(one), keyOf({ ...one, writes: false })]),
  );

/** The references to records that are gone for every caller. */
const findGone = <R extends Pick<Reference, 'kind' | 'id' | 'writes'>>(
  scope: Scope,
  references: R[],
  checkers: ReferenceCheckers,
): Promise<R[]> => findUnknownReferences({ ...scope, permissions: new Set(['workspace_admin']) }, references, checkers);

/**
 * Sorts the references that the caller may not make now: those to refuse, and those to gone records that the record has
 * already. In a copy, what exists and the caller may not use is as good as new: the copy is the caller's.
 */
export async function sortDangling<R extends Pick<Reference, 'kind' | 'id' | 'writes'>>(
  scope: Scope,
  references: R[],
  checkers: ReferenceCheckers,
  { isStored, isCopy = false }: { isStored(one: R): boolean; isCopy?: boolean | undefined },
): Promise<{ refused: R[]; gone: R[] }> {
  const dangling = await findUnknownReferences(scope, references, checkers);
  if (dangling.length === 0) return { refused: [], gone: [] };
  const kept = dangling.filter(isStored);
  const gone = new Set(await findGone(scope, kept, checkers));
  const accepted = new Set(kept.filter((one) => !isCopy || gone.has(one)));
  return { refused: dangling.filter((one) => !accepted.has(one)), gone: dangling.filter((one) => gone.has(one)) };
}

/** The warning of a reference to a record that is gone. */
export const goneReference = (kind: ReferenceKind, loc: string[], happens: string): RequestWarning => ({
  loc,
  msg: `The ${words[kind]} that this names is not in this workspace any more; ${happens}`,
  type: 'unknown_reference',
});

const warningOf = ({ kind, loc }: Reference, at: readonly string[]): RequestWarning =>
  goneReference(kind, [...at, ...loc], loc[0] === 'agent_flow_id' ? 'the flow can not run' : 'runs go without it');

/** Warns of the references of stored settings to records that are gone. */
export async function warnOfGoneReferences(
  scope: Scope,
  settings: SparseSettings,
  checkers: ReferenceCheckers,
  at: readonly string[],
): Promise<RequestWarning[]> {
  const references = referencesIn(settings);
  const gone = references.length ? await findGone(scope, references, checkers) : [];
  return gone.map((one) => warningOf(one, at));
}

/**
 * Refuses settings that newly refer to records outside the workspace, naming every place. Those that the record has
 * already may stay: the ones that are gone get a warning. `at` is the path of the settings.
 */
export async function checkReferences(
  scope: Scope,
  settings: SparseSettings,
  checkers: ReferenceCheckers,
  at: string[],
  { layers, isCopy = false }: StoredReferences = { layers: [] },
): Promise<RequestWarning[]> {
  // `SettingsAuthority` refuses kinds that the caller may not use.
  const used = referencesIn(settings).filter((one) => mayUse(scope, one));
  const known = keysIn(layers);
  const isStored = (one: Reference) => known.has(keyOf(one));
  const { refused, gone } = await sortDangling(scope, used, checkers, { isStored, isCopy });
  if (refused.length)
    throw new InvalidRequest(refused.map(({ kind, id, loc }) => unknownReference({ kind, id, loc: [...at, ...loc] })));
  return gone.map((one) => warningOf(one, at));
}
