import { InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import { entriesOf } from '@atrium/contract/keys-of.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { type ReferenceKind, referenceLists } from '@atrium/contract/settings/entries.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { ToolEntry } from '@atrium/contract/settings/tools/base-tools.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Reference, ReferenceCheckers } from './ports.ts';

const toolReferences = new Map<string, [field: string, kind: ReferenceKind]>([
  ['kb_qa', ['kb_id', 'knowledge_base']],
  ['workflow', ['workflow_id', 'workflow']],
  ['agent_tool', ['agent_id', 'agent']],
]);

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
  if (typeof settings.agent_flow_id === 'string')
    found.push({ kind: 'workflow', id: settings.agent_flow_id, loc: ['agent_flow_id'] });
  return found;
}

const permissions: Readonly<Record<ReferenceKind, readonly [read: Permission, write: Permission]>> = {
  knowledge_base: ['kbs_query', 'kbs_query'],
  workflow: ['flows_run', 'flows_run'],
  agent: ['agents_run', 'agents_run'],
  table: ['tables_read', 'tables_edit'],
  variable: ['variables_read', 'variables_read'],
  file: ['files_read', 'files_read'],
};

/** Whether a caller may use records of a kind: a definition can't give an agent what its author may not use. */
const mayUse = (scope: Scope, { kind, writes = false }: Pick<Reference, 'kind' | 'writes'>) =>
  allows(scope.permissions, permissions[kind][writes ? 1 : 0]);

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

/** The same for all references inside settings. `SettingsAuthority` refuses kinds that the caller may not use. */
const danglingReferences = (scope: Scope, settings: SparseSettings, checkers: ReferenceCheckers) =>
  findUnknownReferences(
    scope,
    referencesIn(settings).filter((one) => mayUse(scope, one)),
    checkers,
  );

const words: Record<ReferenceKind, string> = {
  knowledge_base: 'knowledge base',
  workflow: 'workflow',
  agent: 'agent',
  table: 'table',
  variable: 'variable',
  file: 'file',
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

/** Refuses settings that refer to records outside the workspace, naming every place. `at` is the path of the settings. */
export async function checkReferences(
  scope: Scope,
  settings: SparseSettings,
  checkers: ReferenceCheckers,
  at: string[],
): Promise<void> {
  const dangling = await danglingReferences(scope, settings, checkers);
  if (dangling.length === 0) return;
  throw new InvalidRequest(dangling.map(({ kind, id, loc }) => unknownReference({ kind, id, loc: [...at, ...loc] })));
}
