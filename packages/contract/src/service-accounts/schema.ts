import * as z from 'zod';
import { createdAt, etag, groupId, updatedAt } from '../fields.ts';
import { allPermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';

export const serviceAccount = z
  .strictObject({
    id: z.guid().describe('The id of the service account.'),
    group_id: groupId,
    name: z.string().describe('The name of the service account.'),
    role_id: z
      .guid()
      .nullable()
      .describe('The role that the permissions come from; a change of the role changes them at once. Null: none.'),
    permissions: z
      .array(z.enum(allPermissions))
      .describe('The most that keys, triggers and deployments of the service account may do.'),
    active: z
      .boolean()
      .describe('Whether its keys work. Its triggers and deployments are paused while it is not active.'),
    key_count: z.int().describe('How many API keys belong to it.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
  })
  .meta({ id: 'ServiceAccount' });

const name = s.str({ min: 1, max: 200 });
const permissions = s.optional(s.list(s.oneOf(allPermissions), { max: 100 }));
const role_id = s.optional(s.uuid('role'));

export const serviceAccountCreate = s
  .object({
    name: name.describe('The name of the service account.'),
    permissions: permissions.describe('What it holds. Either this or `role_id` is given.'),
    role_id: role_id.describe('A role of the tenant or of the workspace; it holds what the role holds, also later.'),
  })
  .meta({ id: 'ServiceAccountCreate' });

export const serviceAccountPatch = s
  .object({
    name: s.optional(name).describe('The name of the service account.'),
    permissions: permissions.describe('All that it holds from now on, in place of its permissions or its role.'),
    role_id: role_id.describe('A role that it has from now on, in place of its permissions.'),
    active: s.optional(s.bool()).describe('Whether its keys work.'),
  })
  .meta({ id: 'ServiceAccountPatch' });

export const serviceAccountParams = s.object({
  group_id: s.uuid('workspace').describe('The id of the workspace.'),
  service_account_id: s.uuid('service_account').describe('The id of the service account.'),
});

export type ServiceAccount = z.output<typeof serviceAccount>;
export type ServiceAccountCreate = z.output<typeof serviceAccountCreate>;
export type ServiceAccountPatch = z.output<typeof serviceAccountPatch>;
