import { z } from 'zod';
import { pageFields } from '../page.ts';
import { requestWarning } from '../request-warning.ts';
import * as s from '../schema/schema.ts';
import { vaultPath } from '../vault/schema.ts';

const types = ['string', 'number', 'boolean', 'object', 'datetime', 'file'] as const;
const sources = ['inline', 'vault', 'environment'] as const;

export const variable = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    name: z.string(),
    type: z.enum(types),
    source: z.enum(sources),
    is_secret: z.boolean(),
    /** Null for a secret, and where the value is kept elsewhere. */
    inline_value: z.string().nullable(),
    vault_credential_id: z.guid().nullable(),
    vault_path: z.string().nullable(),
    vault_key: z.string().nullable(),
    env_var_name: z.string().nullable(),
    /** The hosts that a secret may be sent to. Null: it was stored without them. */
    allowed_hosts: z.array(z.string()).nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    /** Only in the answer to the request that gave cause for them. */
    warnings: z.array(requestWarning).optional(),
  })
  .meta({ id: 'Variable' });

/** As it stands between the braces of {{name}}: no dot, since {{secret.NAME}} has one. */
const name = s.str({ pattern: /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/ });

const optional = {
  type: s.optional(s.oneOf(types)),
  /** Another name of `type`, which wins. */
  value_type: s.optional(s.oneOf(types)),
  source: s.optional(s.oneOf(sources)),
  /** Another name of `source`, which wins. */
  source_type: s.optional(s.oneOf(sources)),
  is_secret: s.optional(s.bool()),
  inline_value: s.optional(s.str({ max: 100_000, secret: true })),
  vault_credential_id: s.optional(s.uuid('vault_credential')),
  vault_path: s.optional(vaultPath),
  vault_key: s.optional(s.str({ min: 1, max: 500 })),
  env_var_name: s.optional(s.str({ max: 200, pattern: /^[A-Za-z_]\w*$/ })),
  /** `api.example.com`, `*.example.com`, either with `:port`. */
  allowed_hosts: s.optional(s.list(s.str({ min: 1, max: 260 }), { max: 100 })),
};

export const variableCreate = s.object({ name, ...optional }).meta({ id: 'VariableCreate' });
export const variablePatch = s.object({ name: s.optional(name), ...optional }).meta({ id: 'VariablePatch' });

export const variableParams = s.object({ variable_id: s.uuid('variable') });
export const variableQuery = s.query({ ...pageFields, search: s.optional(s.str({ max: 200 })) });
export const variableDeleteQuery = s.query({ force: s.withDefault(s.bool(), false) });

export type Variable = z.output<typeof variable>;
export type VariableType = Variable['type'];
export type VariableCreate = z.output<typeof variableCreate>;
export type VariablePatch = z.output<typeof variablePatch>;
export type VariableQuery = z.output<typeof variableQuery>;
