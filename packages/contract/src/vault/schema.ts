import { z } from 'zod';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

const methods = ['token', 'approle'] as const;

/** How to reach a vault. Of its secrets only whether they are there. */
export const vaultCredential = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    name: z.string(),
    address: z.string(),
    /** Sent as X-Vault-Namespace; null where the vault has none. */
    namespace: z.string().nullable(),
    /** Where the key/value engine (version 2) is mounted. */
    mount: z.string(),
    auth_method: z.enum(methods),
    /** Where the AppRole method is mounted. */
    auth_mount: z.string(),
    role_id: z.string().nullable(),
    token: z.literal('********').nullable(),
    secret_id: z.literal('********').nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'VaultCredential' });

export const vaultTest = z
  .strictObject({ success: z.boolean(), ms: z.int(), status: z.int().nullable(), message: z.string() })
  .meta({ id: 'VaultTest' });

/** A path inside a vault: parts that are more than dots, with slashes between. */
export const vaultPath = s.str({ max: 500, pattern: /^(?!\/)(?!(?:.*\/)?\.{1,2}(?:\/|$))[^\s?#\\]*[^\s?#\\/]$/ });
const secret = s.str({ min: 1, max: 4000, secret: true });
const fields = {
  name: s.str({ min: 1, max: 200 }),
  address: s.str({ max: 500, pattern: /^https?:\/\/[^\s@?#]+$/ }),
  namespace: s.str({ min: 1, max: 200, pattern: /^[\w./-]+$/ }),
};
const optional = {
  namespace: s.optional(fields.namespace),
  role_id: s.optional(s.str({ min: 1, max: 500 })),
  token: s.optional(secret),
  secret_id: s.optional(secret),
};

export const vaultCredentialCreate = s
  .object({
    name: fields.name,
    address: fields.address,
    mount: s.withDefault(vaultPath, 'secret'),
    auth_method: s.withDefault(s.oneOf(methods), 'token'),
    auth_mount: s.withDefault(vaultPath, 'approle'),
    ...optional,
  })
  .meta({ id: 'VaultCredentialCreate' });

export const vaultCredentialPatch = s
  .object({
    name: s.optional(fields.name),
    address: s.optional(fields.address),
    mount: s.optional(vaultPath),
    auth_method: s.optional(s.oneOf(methods)),
    auth_mount: s.optional(vaultPath),
    ...optional,
  })
  .meta({ id: 'VaultCredentialPatch' });

export const vaultCredentialParams = s.object({ vault_credential_id: s.uuid('vault_credential') });
export const vaultCredentialQuery = s.query(pageFields);

export type VaultCredential = z.output<typeof vaultCredential>;
export type VaultCredentialCreate = z.output<typeof vaultCredentialCreate>;
export type VaultCredentialPatch = z.output<typeof vaultCredentialPatch>;
export type VaultTest = z.output<typeof vaultTest>;
