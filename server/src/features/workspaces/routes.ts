import { z } from 'zod';
import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import { workspace, workspaceCreate, workspaceParams, workspacePatch } from './schema.ts';
import type { Workspaces } from './service.ts';

const tag = 'Workspaces';

export const workspaceRoutes = (workspaces: Workspaces): Route[] => [
  defineRoute({
    route: 'GET /v1/admin/groups',
    summary: 'List the workspaces of the tenant',
    tag,
    permission: 'workspace_read',
    answer: z.array(workspace),
    handler: (scope) => workspaces.list(scope),
  }),
  defineRoute({
    route: 'POST /v1/admin/groups',
    summary: 'Create a workspace',
    tag,
    permission: 'workspace_write',
    body: workspaceCreate,
    example: { name: 'Support', description: 'Where the support agents live' },
    answer: workspace,
    handler: (scope, { body }) => workspaces.create(scope, body),
  }),
  defineRoute({
    route: 'GET /v1/admin/groups/{group_id}',
    summary: 'Get a workspace',
    tag,
    permission: 'workspace_read',
    params: workspaceParams,
    answer: workspace,
    handler: (scope, { params }) => workspaces.get(scope, params.group_id),
  }),
  defineRoute({
    route: 'PATCH /v1/admin/groups/{group_id}',
    summary: 'Rename or describe a workspace',
    tag,
    permission: 'workspace_write',
    params: workspaceParams,
    body: workspacePatch,
    example: { name: 'Customer support' },
    answer: workspace,
    handler: (scope, { params, body }) => workspaces.update(scope, params.group_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/admin/groups/{group_id}',
    summary: 'Delete a workspace and everything in it',
    tag,
    permission: 'workspace_write',
    params: workspaceParams,
    answer: success,
    handler: async (scope, { params }) => {
      await workspaces.remove(scope, params.group_id);
      return done;
    },
  }),
];
