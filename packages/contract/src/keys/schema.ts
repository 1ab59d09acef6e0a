import * as z from 'zod';
import { createdAt, etag } from '../fields.ts';
import { namedFixedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { allPermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';

/** Whom a key, a trigger or a deployment belongs to. */
export const owner = z
  .strictObject({
    id: z.guid().describe('The id of the person or of the service account.'),
    name: z.string().describe('The name of the person or of the service account.'),
    kind: z.enum(['person', 'service_account']).describe('What the owner is.'),
  })
  .meta({ id: 'Owner' });

export const pausedReason = z
  .enum(['owner_inactive', 'owner_lacks_permission'])
  .nullable()
  .describe(
    'Why it is paused until a caller takes it over: the owner is not active or gone, or lacks the permission. Null: it is not.',
  );

/** A new owner, as requests name it. */
export const ownerInput = s
  .object({
    person_id: s.optional(s.uuid('person')).describe('The person to own it. Either this or `service_account_id`.'),
    service_account_id: s.optional(s.uuid('service_account')).describe('The service account to own it.'),
  })
  .meta({ id: 'OwnerInput' });

export const apiKey = z
  .strictObject({
    id: z.guid().describe('The id of the API key.'),
    group_id: z.guid().describe('The workspace of the key; for a system key, the one used when a request names none.'),
    name: z.string().describe('The name of the key.'),
    tenant_admin: z.boolean().describe('Whether this is a system key, which acts in every workspace of the tenant.'),
    permissions: z
      .array(z.enum(allPermissions))
      .describe('What the key was given. Requests may do those of them that its owner holds, too.'),
    effective_permissions: z
      .array(z.enum(allPermissions))
      .describe('What requests with this key may do now: its permissions, as far as its owner holds them.'),
    role_id: z
      .guid()
      .nullable()
      .describe('The role that the permissions come from; a change of the role changes them at once. Null: none.'),
    rate_limit: z.int().nullable().describe('Requests per minute. Null: the limit of the server applies.'),
    reach: z
      .enum(['own', 'workspace'])
      .describe(
        'Whose conversations, runs, files and sandboxes the key sees: those that it began itself and what its permissions open, or those of the whole workspace, as keys from before records had owners do.',
      ),
    value: z.string().describe('The whole key in the answer that creates it; afterwards only its first characters.'),
    expires_at: z.iso.datetime().nullable().describe('When the key stops working. Null: never.'),
    last_used_at: z.iso.datetime().nullable().describe('When a request last used the key. Null: not yet.'),
    owner: owner.describe('Whom the key belongs to. It never holds more than its owner.'),
    created_by: z
      .strictObject({
        id: z.guid().describe('The id of the person or of the API key.'),
        name: z.string().describe('The name of the person or of the API key.'),
        kind: z.enum(['api_key', 'person']).describe('What made the key.'),
      })
      .nullable()
      .describe('Who made the key; a new value keeps the maker of the old one. Null: not known.'),
    created_at: createdAt,
    etag,
    may: mayField('api_key'),
  })
  .meta({ id: 'ApiKey' });

/** The key of the request. Its holder need not know who made it or whose it is. */
export const me = apiKey
  .omit({ created_by: true, owner: true, may: true, etag: true })
  .extend({ tenant_id: z.guid().describe('The tenant that the key belongs to.') })
  .meta({ id: 'Me' });

export const apiKeyCreate = s
  .object({
    name: s.str({ min: 1, max: 200 }).describe('The name of the key.'),
    tenant_admin: s
      .withDefault(s.bool(), false)
      .describe('Whether to create a system key, which acts in every workspace; only a system key can do that.'),
    permissions: s
      .optional(s.list(s.oneOf(allPermissions), { max: 100 }))
      .describe(
        'What the key may do; `workspace_admin` unless given. A system key always holds `org:admin`. Not with `role_id`.',
      ),
    role_id: s
      .optional(s.uuid('role'))
      .describe(
        'A role of the tenant or of the workspace; the key holds its permissions, also after the role is changed. Not with `permissions` or `tenant_admin`.',
      ),
    service_account_id: s
      .optional(s.uuid('service_account'))
      .describe(
        'The service account of the workspace that the key belongs to. Without it, the key belongs to the person who makes it, or to the owner of the key that makes it. Not with `tenant_admin`.',
      ),
    expires_at: s.optional(s.datetime()).describe('When the key stops working; never unless given.'),
    rate_limit: s
      .optional(s.int({ ge: 1, le: 1_000_000 }))
      .describe('Requests per minute; the limit of the server unless given.'),
  })
  .meta({ id: 'ApiKeyCreate' });

export const apiKeyPatch = s
  .object({
    name: s.optional(s.str({ min: 1, max: 200 })).describe('The name of the key.'),
    reach: s
      .optional(s.oneOf(['own']))
      .describe('Limits a key that sees the records of the whole workspace to its own. It can not be widened again.'),
    permissions: s
      .optional(s.list(s.oneOf(allPermissions), { max: 100 }))
      .describe('All that the key may do from now on, in place of its permissions or its role. Not with `role_id`.'),
    role_id: s
      .optional(s.uuid('role'))
      .describe('A role that the key has from now on, in place of its permissions. Not with `permissions`.'),
    expires_at: s
      .optional(s.datetimeOrEmpty())
      .describe('When the key stops working; an empty text: never. Null leaves it as it is.'),
    owner: s
      .optional(ownerInput)
      .describe(
        'Whom the key belongs to from now on: a service account of the workspace, or the caller. An administrator of the organization can name any person.',
      ),
    rate_limit: s
      .optional(s.int({ ge: 0, le: 1_000_000 }))
      .describe('Requests per minute; 0: the limit of the server applies. Null leaves it as it is.'),
  })
  .meta({ id: 'ApiKeyPatch' });

export const allApiKeysQuery = s.query({
  ...namedFixedList(['name', 'created_at'], { order: 'those that end first' }),
  group_id: s.optional(s.uuid('workspace')).describe('Only keys of this workspace.'),
  expires_before: s.optional(s.datetime()).describe('Only keys that stop working before this moment.'),
});

export const apiKeyRotate = s
  .object({
    overlap_seconds: s
      .withDefault(s.int({ ge: 0, le: 30 * 86_400 }), 3600)
      .describe('For how many seconds the old value goes on working.'),
  })
  .meta({ id: 'ApiKeyRotate' });

const group_id = s.uuid('workspace').describe('The id of the workspace.');
export const groupParams = s.object({ group_id });
export const apiKeyParams = s.object({ group_id, api_key_id: s.uuid('api_key').describe('The id of the API key.') });

export type Owner = z.output<typeof owner>;
export type OwnerInput = z.output<typeof ownerInput>;
export type ApiKey = z.output<typeof apiKey>;
export type Me = z.output<typeof me>;
export type ApiKeyPatch = z.output<typeof apiKeyPatch>;
export type AllApiKeysQuery = z.output<typeof allApiKeysQuery>;
export type ApiKeyCreate = z.output<typeof apiKeyCreate>;
