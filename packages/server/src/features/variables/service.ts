import { conflict, InvalidRequest, notFound } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { UsedBy } from '@atrium/contract/uses/schema.ts';
import type { Variable, VariableCreate, VariablePatch, VariableQuery } from '@atrium/contract/variables/schema.ts';
import { type Database, isDuplicate } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { omit } from '../../lib/omit.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Keyring } from '../keyring/service.ts';
import { requireUnused } from '../uses/service.ts';
import { type Draft, type DraftDeps, makeDraftCheck, patched } from './check-draft.ts';
import { hostWarnings, parseAllowedHosts, requireValueForHosts } from './draft-hosts.ts';
import * as store from './store.ts';

export { makeScrubber } from './scrub-secrets.ts';
export { VariableUnavailable } from './variable-unavailable.ts';

/** Variables and secrets of workspaces. */
export interface Variables {
  list(scope: Scope, query: VariableQuery): Promise<Paged<Variable>>;
  get(scope: Scope, id: string): Promise<Variable>;
  create(scope: Scope, input: VariableCreate): Promise<Variable>;
  update(scope: Scope, id: string, patch: VariablePatch): Promise<Variable>;
  /** Stores a variable of an archive. Null for the value: it can't be read until a value is set. */
  restore(
    scope: Scope,
    id: string,
    fields: Pick<Variable, 'name' | 'type' | 'is_secret' | 'allowed_hosts' | 'inline_value'>,
  ): Promise<void>;
  /** What uses a variable. */
  usedBy(scope: Scope, id: string): Promise<UsedBy>;
  /** The variables that hold the id of a file. */
  byFile(scope: Scope, file_id: string, limit: number): Promise<{ id: string; name: string }[]>;
  /** Refuses to delete a variable that is in use, unless `force` is set. */
  remove(scope: Scope, id: string, options: { force: boolean }): Promise<void>;
  byId(scope: Scope, ids: readonly string[]): Promise<store.VariableRow[]>;
  byName(scope: Scope, names: readonly string[]): Promise<{ id: string; name: string }[]>;
  /** The names of the variables that are read with a vault credential. */
  byVault(scope: Scope, credential_id: string): Promise<string[]>;
  /** Which of these ids are variables of the workspace. */
  exists(scope: Scope, ids: string[]): Promise<Set<string>>;
  /** The value of an inline variable in plain text; null for other sources. */
  inlineOf(row: store.VariableRow): Promise<string | null>;
}

export const variableSealPurpose = (id: string) => `variable ${id}`;

/** Finds what uses a variable. */
export type VariableUses = (scope: Scope, variable: { id: string; name: string; pattern: string }) => Promise<UsedBy>;

/** Text of settings that uses a variable: by its id, as a template, or as the name of a connection. */
const patternOf = ({ id, name }: { id: string; name: string }) =>
  `${id}|\\{\\{\\s*(secret\\.)?${name}\\s*\\}\\}|"dsn_variable":"${name}"`;

/** What the audit log says of a variable: everything but its value. */
function auditNoteOf(before: store.VariableRow | undefined, after: store.VariableRow | undefined, isNewValue = false) {
  const { id, name } = required(after ?? before);
  const fields = (row: store.VariableRow | undefined, inline_value: boolean) =>
    row ? { ...omit(row, ['value']), inline_value } : null;
  return {
    target: { kind: 'variable', id, name },
    ...{ before: fields(before, false), after: fields(after, isNewValue || !before) },
  };
}

async function uniquely<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDuplicate(error) ? conflict(`There is already a variable named ${name}`) : error;
  }
}

export function makeVariables(
  deps: DraftDeps & {
    db: Database;
    keyring: Keyring;
    usedBy: VariableUses;
  },
): Variables {
  const { db, keyring } = deps;
  const check = makeDraftCheck(deps);

  async function find(scope: Scope, id: string): Promise<store.VariableRow> {
    const row = await store.findVariable(db, scope.workspace_id, id);
    if (!row) throw notFound('variable');
    return row;
  }

  const usedBy = (scope: Scope, { id, name }: store.VariableRow) =>
    deps.usedBy(scope, { id, name, pattern: patternOf({ id, name }) });

  const inlineOf = async ({ group_id, id, value }: store.VariableRow) =>
    value === null ? null : keyring.open(group_id, variableSealPurpose(id), value);

  /** A secret's value goes in and never comes out. */
  async function shown(row: store.VariableRow): Promise<Variable> {
    const inline_value = row.is_secret ? null : await inlineOf(row);
    return { ...omit(row, ['value']), inline_value };
  }

  async function warned(row: store.VariableRow): Promise<Variable> {
    const warnings = hostWarnings(row);
    return { ...(await shown(row)), ...(warnings.length && { warnings }) };
  }

  async function rowOf(scope: Scope, id: string, draft: Draft): Promise<store.NewVariable> {
    const { inline_value, ...rest } = await check(scope, draft);
    const value =
      inline_value === null ? null : await keyring.seal(scope.workspace_id, variableSealPurpose(id), inline_value);
    return { ...rest, id, value };
  }

  return {
    async list(scope, query) {
      const window = pageOf(query);
      const { rows, total, last } = await store.listVariables(db, scope.workspace_id, query, window);
      return pageAnswer(await Promise.all(rows.map(shown)), total, window, last);
    },

    get: async (scope, id) => shown(await find(scope, id)),

    async create(scope, input) {
      const source = input.source ?? input.source_type ?? 'inline';
      const row = await rowOf(scope, newId(), {
        name: input.name,
        type: input.type ?? input.value_type ?? 'string',
        source,
        is_secret: input.is_secret ?? source !== 'inline',
        inline_value: input.inline_value ?? null,
        vault_credential_id: input.vault_credential_id ?? null,
        vault_path: input.vault_path ?? null,
        vault_key: input.vault_key ?? null,
        env_var_name: input.env_var_name ?? null,
        allowed_hosts: input.allowed_hosts ?? null,
      });
      return uniquely(row.name, () =>
        db.write(scope, async (on) => {
          const after = await store.insertVariable(on, scope.workspace_id, row);
          scope.audit?.note(auditNoteOf(undefined, after));
          return warned(after);
        }),
      );
    },

    async update(scope, id, patch) {
      const before = await find(scope, id);
      const known = { ...before, inline_value: await inlineOf(before) };
      const row = await rowOf(scope, id, patched(known, patch));
      requireValueForHosts(scope, known, row, patch);
      return uniquely(row.name, () =>
        db.write(scope, async (on) => {
          const after = await store.updateVariable(on, scope.workspace_id, row);
          if (!after) throw notFound('variable');
          scope.audit?.note(auditNoteOf(before, after, patch.inline_value !== undefined));
          return warned(after);
        }),
      );
    },

    async restore(scope, id, fields) {
      const elsewhere = { vault_credential_id: null, vault_path: null, vault_key: null, env_var_name: null };
      const draft: Draft = { ...fields, ...elsewhere, source: 'inline' };
      const { allowed_hosts, validationErrors } = parseAllowedHosts(draft);
      if (validationErrors.length) throw new InvalidRequest(validationErrors);
      const row =
        draft.inline_value === null
          ? { ...omit(draft, ['inline_value']), allowed_hosts, id, value: null }
          : await rowOf(scope, id, draft);
      await uniquely(row.name, () => db.write(scope, (on) => store.insertVariable(on, scope.workspace_id, row)));
    },

    usedBy: async (scope, id) => usedBy(scope, await find(scope, id)),

    async byFile(scope, file_id, limit) {
      const rows = await store.fileVariables(db, scope.workspace_id, limit);
      const values = await Promise.all(rows.map(inlineOf));
      return rows.filter((_, index) => values[index] === file_id).map(({ id, name }) => ({ id, name }));
    },

    async remove(scope, id, { force }) {
      const row = await find(scope, id);
      if (!force) requireUnused(`The variable ${row.name}`, await usedBy(scope, row));
      await db.write(scope, async (on) => {
        if (!(await store.deleteVariable(on, scope.workspace_id, id))) throw notFound('variable');
        scope.audit?.note(auditNoteOf(row, undefined));
      });
    },

    byId: (scope, ids) => store.variablesById(db, scope.workspace_id, ids),
    byName: (scope, names) => store.variablesByName(db, scope.workspace_id, names),
    byVault: async (scope, credential_id) =>
      (await store.variablesByVault(db, scope.workspace_id, credential_id)).map(({ name }) => name),
    exists: async (scope, ids) => new Set((await store.variablesById(db, scope.workspace_id, ids)).map(({ id }) => id)),
    inlineOf,
  };
}
