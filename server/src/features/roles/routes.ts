import { z } from 'zod';
import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import { role, roleCreate, roleParams, rolePatch } from './schema.ts';
import type { Roles } from './service.ts';

const tag = 'Roles';
const permission = 'org:admin';

export const roleRoutes = (roles: Roles): Route[] => [
  defineRoute({
    route: 'GET /v1/admin/roles',
    summary: "List the tenant's roles",
    tag,
    permission,
    answer: z.array(role),
    handler: (scope) => roles.list(scope),
  }),
  defineRoute({
    route: 'POST /v1/admin/roles',
    summary: 'Create a role',
    tag,
    permission,
    body: roleCreate,
    example: { name: 'Analyst', scope: 'workspace', permissions: { insights_read: true, conversations_read: true } },
    answer: role,
    handler: (scope, { body }) => roles.create(scope, body),
  }),
  defineRoute({
    route: 'GET /v1/admin/roles/{role_id}',
    summary: 'Get a role',
    tag,
    permission,
    params: roleParams,
    answer: role,
    handler: (scope, { params }) => roles.get(scope, params.role_id),
  }),
  defineRoute({
    route: 'PATCH /v1/admin/roles/{role_id}',
    summary: 'Update a role; permissions left out stay as they are',
    tag,
    permission,
    params: roleParams,
    body: rolePatch,
    example: { permissions: { kbs_query: true } },
    answer: role,
    handler: (scope, { params, body }) => roles.update(scope, params.role_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/admin/roles/{role_id}',
    summary: 'Delete a role',
    tag,
    permission,
    params: roleParams,
    answer: success,
    handler: async (scope, { params }) => {
      await roles.remove(scope, params.role_id);
      return done;
    },
  }),
];
