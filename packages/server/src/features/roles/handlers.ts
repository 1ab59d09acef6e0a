import { done } from '@atrium/contract/page.ts';
import {
  createRole,
  deleteRole,
  getRole,
  listPermissions,
  listRoles,
  updateRole,
} from '@atrium/contract/roles/operations.ts';
import { permissionList } from '@atrium/contract/roles/permission-list.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Roles } from './service.ts';

export const roleRoutes = (roles: Roles): Route[] => [
  handle(listPermissions, async () => [...permissionList]),
  handle(listRoles, (scope) => roles.list(scope)),
  handle(createRole, (scope, { body }) => roles.create(scope, body)),
  handle(getRole, (scope, { params }) => roles.get(scope, params.role_id)),
  handle(updateRole, (scope, { params, body }) => roles.update(scope, params.role_id, body)),
  handle(deleteRole, async (scope, { params }) => {
    await roles.remove(scope, params.role_id);
    return done;
  }),
];
