import * as z from 'zod';
import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import { success } from '../page.ts';
import { permissionEntry } from './permission-list.ts';
import { rolesRoutes } from './routes.ts';
import { role, roleCreate, roleParams, rolePatch } from './schema.ts';

const tag = 'Roles';

const permission = 'org:admin';

export const listRoles = operation({
  id: 'roles.list',
  route: rolesRoutes['roles.list'],
  summary: 'List the roles of the tenant',
  description:
    'Returns all roles of the tenant in one list, without pages: the default roles and those that were created.',
  tag,
  permission,
  answer: z.array(role),
});

export const createRole = operation({
  id: 'roles.create',
  route: rolesRoutes['roles.create'],
  summary: 'Create a role',
  description:
    'Creates a role beside the default ones. Permissions that are left out are not granted; one that does not belong to the scope of the role is refused. The name must be free.',
  tag,
  permission,
  body: roleCreate,
  example: { name: 'Analyst', scope: 'workspace', permissions: { insights_read: true, conversations_read: true } },
  errors: [noSuch('workspace'), conflicts('conflict', 'There is a role with this name.')],
  answer: role,
});

export const getRole = operation({
  id: 'roles.get',
  route: rolesRoutes['roles.get'],
  summary: 'Get a role',
  description: 'Returns one role with every permission of its scope.',
  tag,
  permission,
  params: roleParams,
  errors: [noSuch('role')],
  answer: role,
});

export const updateRole = operation({
  id: 'roles.update',
  route: rolesRoutes['roles.update'],
  summary: 'Update a role; permissions left out stay as they are',
  description:
    'Changes the given fields and keeps the others. Permissions are changed one by one: those that are left out stay as they are. API keys with this role hold the changed permissions at once, and streams that they are no longer allowed to read are closed. `org:admin` cannot be added while keys have the role. Default roles cannot be changed.',
  tag,
  permission,
  params: roleParams,
  body: rolePatch,
  example: { permissions: { kbs_query: true } },
  errors: [
    noSuch('role'),
    conflicts('conflict', 'It is a default role, or there is another role with this name.'),
    conflicts('role_in_use', 'API keys have the role, so that it cannot be given `org:admin`.'),
  ],
  answer: role,
});

export const deleteRole = operation({
  id: 'roles.delete',
  route: rolesRoutes['roles.delete'],
  summary: 'Delete a role',
  description:
    'Deletes a role. A role that API keys have is refused with 409 `role_in_use`: revoke them first. Default roles cannot be deleted.',
  tag,
  permission,
  params: roleParams,
  errors: [
    noSuch('role'),
    conflicts('conflict', 'It is a default role.'),
    conflicts('role_in_use', 'API keys have the role.'),
  ],
  answer: success,
});

export const listPermissions = operation({
  id: 'permissions.list',
  route: rolesRoutes['permissions.list'],
  summary: 'List all permissions',
  description:
    'Returns every permission that keys and roles can hold, those of a workspace first, with texts for people, the heading that editors show it under, and the permissions that it includes: `workspace_admin` includes all of the workspace, `org:admin` all there are. The list is the same for every caller; what a caller holds is in `GET /v1/admin/me`.',
  tag,
  permission: 'any',
  answer: z.array(permissionEntry),
  catalogue: true,
});

export const rolesOperations = [listPermissions, listRoles, createRole, getRole, updateRole, deleteRole];
