import * as z from 'zod';
import { createdAt, etag, groupId, updatedAt } from '../fields.ts';
import { namedList } from '../list-query.ts';
import * as s from '../schema/schema.ts';

const methods = ['token', 'approle'] as const;

/** How to reach a vault. Of its secrets the answer says only whether they are stored. */
export const vaultCredential = z
  .strictObject({
    id: z.guid().describe('The id of the credential.'),
    group_id: groupId,
    name: z.string().describe('The name of the credential; unique in the workspace.'),
    address: z.string().describe('The address of the vault.'),
    namespace: z.string().nullable().describe('Sent as `X-Vault-Namespace`; null where the vault has none.'),
    mount: z.string().describe('Where the key/value engine (version 2) is mounted.'),
    auth_method: z.enum(methods).describe('How Atrium logs in: by a token, or by an AppRole.'),
    auth_mount: z.string().describe('Where the AppRole method is mounted.'),
    role_id: z.string().nullable().describe('The role of the AppRole; null with a token.'),
    token: z.literal('********').nullable().describe('Masked; null when no token is stored.'),
    secret_id: z.literal('********').nullable().describe('Masked; null when no secret id is stored.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
  })
  .meta({ id: 'VaultCredential' });

export const vaultTest = z
  .strictObject({
    success: z.boolean().describe('Whether the vault accepted the credential.'),
    ms: z.int().describe('How long the vault took, in milliseconds.'),
    status: z.int().nullable().describe('The HTTP status of the vault; null when it could not be reached.'),
    message: z.string().describe('The result in words.'),
  })
  .meta({ id: 'VaultTest' });

/** A path inside a vault: parts that are more than dots, with slashes between. */
export const vaultPath = s.str({ max: 500, pattern: /^(?!\/)(?!(?:.*\/)?\.{1,2}(?:\/|$))[^\s?#\\]*[^\s?#\\/]$/ });
const secret = s.str({ min: 1, max: 4000, secret: true });
const texts = {
  name: 'The name of the credential; unique in the workspace.',
  address: 'The address of the vault, with its port.',
  mount: 'Where the key/value engine (version 2) is mounted; `secret` by default.',
  auth_method: 'How Atrium logs in: `token` (the default) or `approle`.',
  auth_mount: 'Where the AppRole method is mounted; `approle` by default.',
};
const fields = {
  name: s.str({ min: 1, max: 200 }),
  address: s.str({ max: 500, pattern: /^https?:\/\/[^\s@?#]+$/ }),
  namespace: s.str({ min: 1, max: 200, pattern: /^[\w./-]+$/ }),
};
const optional = {
  namespace: s.optional(fields.namespace).describe('Sent as `X-Vault-Namespace`.'),
  role_id: s.optional(s.str({ min: 1, max: 500 })).describe('The role of the AppRole; needed with `approle`.'),
  token: s.optional(secret).describe('The token; needed with `token`. The mask of an answer leaves it as it is.'),
  secret_id: s
    .optional(secret)
    .describe('The secret id of the AppRole; needed with `approle`. The mask of an answer leaves it as it is.'),
};

export const vaultCredentialCreate = s
  .object({
    name: fields.name.describe(texts.name),
    address: fields.address.describe(texts.address),
    mount: s.withDefault(vaultPath, 'secret').describe(texts.mount),
    auth_method: s.withDefault(s.oneOf(methods), 'token').describe(texts.auth_method),
    auth_mount: s.withDefault(vaultPath, 'approle').describe(texts.auth_mount),
    ...optional,
  })
  .meta({ id: 'VaultCredentialCreate' });

export const vaultCredentialPatch = s
  .object({
    name: s.optional(fields.name).describe(texts.name),
    address: s
      .optional(fields.address)
      .describe(`${texts.address} Another address needs the token or secret id again.`),
    mount: s.optional(vaultPath).describe(texts.mount),
    auth_method: s.optional(s.oneOf(methods)).describe(texts.auth_method),
    auth_mount: s.optional(vaultPath).describe(texts.auth_mount),
    ...optional,
  })
  .meta({ id: 'VaultCredentialPatch' });

export const vaultCredentialParams = s.object({
  vault_credential_id: s.uuid('vault_credential').describe('The id of the credential.'),
});
export const vaultCredentialQuery = s.query(namedList(['name', 'created_at', 'updated_at'], { order: 'by name' }));

export type VaultCredential = z.output<typeof vaultCredential>;
export type VaultCredentialCreate = z.output<typeof vaultCredentialCreate>;
export type VaultCredentialPatch = z.output<typeof vaultCredentialPatch>;
export type VaultTest = z.output<typeof vaultTest>;
