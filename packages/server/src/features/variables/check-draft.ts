import { InvalidRequest, invalid, notFound, type ValidationError } from '@atrium/contract/errors.ts';
import type { Variable, VariablePatch } from '@atrium/contract/variables/schema.ts';
import type { Scope } from '../../lib/scope.ts';
import { parseAllowedHosts } from './draft-hosts.ts';
import { hidden, readValue } from './read-value.ts';

/** A variable as a caller wants it, with its value in plain text. */
export type Draft = Omit<Variable, 'id' | 'group_id' | 'created_at' | 'updated_at' | 'etag' | 'warnings'>;

export interface DraftDeps {
  /** How the names of environment variables must begin. */
  prefix: string;
  /** The environment variables that may be read. */
  environment: Readonly<Record<string, string>>;
  isFile(scope: Scope, id: string): Promise<boolean>;
  isVault(scope: Scope, id: string): Promise<boolean>;
}

/** The fields of each source: needed there, refused elsewhere. */
const fieldsOf = {
  inline: ['inline_value'],
  vault: ['vault_credential_id', 'vault_path', 'vault_key'],
  environment: ['env_var_name'],
} as const;
type SourceField = (typeof fieldsOf)[Draft['source']][number];
const sourceFields = Object.values(fieldsOf).flat();

const absent = (field: string): ValidationError => ({
  loc: ['body', field],
  msg: 'Field required',
  type: 'missing',
  input: null,
  ctx: {},
});

function wrong(field: string, error: string, input: unknown): ValidationError {
  return { loc: ['body', field], msg: `Value error, ${error}`, type: 'value_error', input, ctx: { error } };
}

/** A variable after a change. Fields of its former source are dropped. */
export function patched(before: Draft, patch: VariablePatch): Draft {
  const source = patch.source ?? patch.source_type ?? before.source;
  const moves = source !== before.source;
  const kept = (field: SourceField) => (moves ? null : before[field]);
  const is_secret = patch.is_secret ?? (before.is_secret || (moves && source !== 'inline'));
  if (before.is_secret && !is_secret && source === 'inline' && patch.inline_value === undefined)
    throw invalid(['body', 'is_secret'], 'a secret is shown again only with an inline_value of its own', false);
  return {
    name: patch.name ?? before.name,
    type: patch.type ?? patch.value_type ?? before.type,
    source,
    is_secret,
    inline_value: patch.inline_value ?? kept('inline_value'),
    vault_credential_id: patch.vault_credential_id ?? kept('vault_credential_id'),
    vault_path: patch.vault_path ?? kept('vault_path'),
    vault_key: patch.vault_key ?? kept('vault_key'),
    env_var_name: patch.env_var_name ?? kept('env_var_name'),
    allowed_hosts: patch.allowed_hosts ?? (is_secret ? before.allowed_hosts : null),
  };
}

/** Checks a whole draft, reports all validation errors at once and returns the value as it is stored. */
export function makeDraftCheck({ prefix, environment, isFile, isVault }: DraftDeps) {
  function checkEnvironmentSource({ env_var_name, type }: Draft): ValidationError[] {
    if (env_var_name === null) return [];
    const bad = (error: string) => [wrong('env_var_name', error, env_var_name)];
    if (!env_var_name.startsWith(prefix) || env_var_name === prefix)
      return bad(`only environment variables whose names begin with ${prefix} can be read`);
    const value = Object.hasOwn(environment, env_var_name) ? environment[env_var_name] : undefined;
    if (value === undefined) return bad('the server has no environment variable of this name');
    return 'validationErrors' in readValue(type, value) ? bad(`its value is no ${type}`) : [];
  }

  return async (scope: Scope, draft: Draft): Promise<Draft> => {
    const needed: readonly string[] = fieldsOf[draft.source];
    const validationErrors: ValidationError[] = sourceFields.flatMap((field) => {
      if (needed.includes(field)) return draft[field] === null ? [absent(field)] : [];
      const shown = field === 'inline_value' ? hidden : draft[field];
      return draft[field] === null ? [] : [wrong(field, `a variable from ${draft.source} has none`, shown)];
    });
    if (draft.source === 'environment') validationErrors.push(...checkEnvironmentSource(draft));
    const hosts = parseAllowedHosts(draft);
    validationErrors.push(...hosts.validationErrors);
    let { inline_value } = draft;
    if (draft.source === 'inline' && inline_value !== null) {
      const read = readValue(draft.type, inline_value);
      if ('validationErrors' in read) validationErrors.push(...read.validationErrors);
      else if (draft.type === 'file' && !(await isFile(scope, read.value)))
        validationErrors.push(wrong('inline_value', 'no such file in this workspace', hidden));
      else inline_value = read.value;
    }
    if (validationErrors.length) throw new InvalidRequest(validationErrors);
    if (draft.vault_credential_id !== null && !(await isVault(scope, draft.vault_credential_id)))
      throw notFound('vault credential');
    return { ...draft, inline_value, allowed_hosts: hosts.allowed_hosts };
  };
}
