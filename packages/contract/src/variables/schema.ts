import * as z from 'zod';
import { createdAt, etag, groupId, updatedAt } from '../fields.ts';
import { namedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { requestWarning } from '../request-warning.ts';
import * as s from '../schema/schema.ts';
import { vaultPath } from '../vault/schema.ts';

const types = ['string', 'number', 'boolean', 'object', 'datetime', 'file'] as const;
const sources = ['inline', 'vault', 'environment'] as const;

export const variable = z
  .strictObject({
    id: z.guid().describe('The id of the variable.'),
    group_id: groupId,
    name: z.string().describe('The name between the braces of `{{name}}`; unique in the workspace.'),
    type: z.enum(types).describe('How the value is read.'),
    source: z
      .enum(sources)
      .describe('Where the value is kept: in Atrium, in a vault, or in the environment of the server.'),
    is_secret: z.boolean().describe('Secrets are never shown; agents and workflows use them as `{{secret.NAME}}`.'),
    inline_value: z.string().nullable().describe('The value. Null for a secret, and when the value is kept elsewhere.'),
    vault_credential_id: z.guid().nullable().describe('The vault credential that the value is read with.'),
    vault_path: z.string().nullable().describe('The path of the secret in the vault.'),
    vault_key: z.string().nullable().describe('The key in the secret of the vault.'),
    env_var_name: z.string().nullable().describe('The environment variable of the server that holds the value.'),
    allowed_hosts: z
      .array(z.string())
      .nullable()
      .describe('The hosts that a secret may be sent to. Null: it was stored before hosts were required.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
    warnings: z
      .array(requestWarning)
      .optional()
      .describe('Problems that the request did not fail for. Only in the answer to the request that caused them.'),
    may: mayField('variable'),
  })
  .meta({ id: 'Variable' });

/** No dot, since `{{secret.NAME}}` has one. */
const name = s
  .str({ pattern: /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/ })
  .describe('The name between the braces of `{{name}}`; unique in the workspace.');

const optional = {
  type: s.optional(s.oneOf(types)).describe('How the value is read; `string` unless given.'),
  value_type: s.optional(s.oneOf(types)).describe('Another name of `type`, which wins.'),
  source: s.optional(s.oneOf(sources)).describe('Where the value is kept; `inline` unless given.'),
  source_type: s.optional(s.oneOf(sources)).describe('Another name of `source`, which wins.'),
  is_secret: s.optional(s.bool()).describe('Whether the value is sealed and never shown again.'),
  inline_value: s.optional(s.str({ max: 100_000, secret: true })).describe('The value of an inline variable, as text.'),
  vault_credential_id: s
    .optional(s.uuid('vault_credential'))
    .describe('The vault credential to read the value with; needed when the source is `vault`.'),
  vault_path: s.optional(vaultPath).describe('The path of the secret in the vault.'),
  vault_key: s.optional(s.str({ min: 1, max: 500 })).describe('The key in the secret of the vault.'),
  env_var_name: s
    .optional(s.str({ max: 200, pattern: /^[A-Za-z_]\w*$/ }))
    .describe('The environment variable of the server; needed when the source is `environment`.'),
  allowed_hosts: s
    .optional(s.list(s.str({ min: 1, max: 260 }), { max: 100 }))
    .describe('The hosts that a secret may be sent to: `api.example.com`, `*.example.com`, either with `:port`.'),
};

export const variableCreate = s.object({ name, ...optional }).meta({ id: 'VariableCreate' });

const patchFields = s.object({ name: s.optional(name), ...optional }).meta({ id: 'VariablePatch' });

/** An empty value is meant when nothing else but its source is sent; beside other fields it is an empty field of a form. */
const isOnlyValue = (body: object) =>
  Object.entries(body).every(
    ([key, value]) => value === null || key === 'inline_value' || key === 'source' || key === 'source_type',
  );

/** Clients send all fields of a variable, with empty strings in those that they do not set. */
const dropEmptyStrings = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const keepsValue = isOnlyValue(body);
  return Object.fromEntries(
    Object.entries(body).filter(
      ([key, value]) => value !== '' || !(key in patchFields.shape) || (key === 'inline_value' && keepsValue),
    ),
  );
};
export const variablePatch = z.preprocess(dropEmptyStrings, patchFields) as unknown as typeof patchFields;

export const variableParams = s.object({ variable_id: s.uuid('variable').describe('The id of the variable.') });
export const variableQuery = s.query({
  ...namedList(['name', 'created_at', 'updated_at'], { order: 'by name' }),
});
export const variableDeleteQuery = s.query({
  force: s.withDefault(s.bool(), false).describe('Delete the variable even if agents or workflows name it.'),
});

export type Variable = z.output<typeof variable>;
export type VariableType = Variable['type'];
export type VariableCreate = z.output<typeof variableCreate>;
export type VariablePatch = z.output<typeof variablePatch>;
export type VariableQuery = z.output<typeof variableQuery>;
