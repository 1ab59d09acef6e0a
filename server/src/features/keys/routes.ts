import { z } from 'zod';
import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import { apiKey, apiKeyCreate, apiKeyParams, apiKeyRotate, groupParams, me } from './schema.ts';
import type { Keys } from './service.ts';

const tag = 'API keys';

export const keyRoutes = (keys: Keys): Route[] => [
  defineRoute({
    route: 'GET /v1/admin/me',
    summary: 'Show the key that is asking',
    tag,
    permission: 'any',
    answer: me,
    handler: (scope) => keys.me(scope),
  }),
  defineRoute({
    route: 'GET /v1/admin/groups/{group_id}/api-keys',
    summary: 'List the API keys of a workspace',
    tag,
    permission: 'workspace_admin',
    params: groupParams,
    answer: z.array(apiKey),
    handler: (scope, { params }) => keys.list(scope, params.group_id),
  }),
  defineRoute({
    route: 'POST /v1/admin/groups/{group_id}/api-keys',
    summary: 'Create an API key; its value is shown this once',
    tag,
    permission: 'workspace_admin',
    params: groupParams,
    body: apiKeyCreate,
    example: { name: 'Ticket system', permissions: ['agents_run'] },
    answer: apiKey,
    handler: (scope, { params, body }) => keys.create(scope, params.group_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/admin/groups/{group_id}/api-keys/{api_key_id}',
    summary: 'Revoke an API key at once',
    tag,
    permission: 'workspace_admin',
    params: apiKeyParams,
    answer: success,
    handler: async (scope, { params }) => {
      await keys.revoke(scope, params.group_id, params.api_key_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/admin/groups/{group_id}/api-keys/{api_key_id}/rotate',
    summary: 'Replace an API key; the old one works on for the overlap',
    tag,
    permission: 'workspace_admin',
    params: apiKeyParams,
    body: apiKeyRotate,
    example: { overlap_seconds: 3600 },
    answer: apiKey,
    handler: (scope, { params, body }) => keys.rotate(scope, params.group_id, params.api_key_id, body.overlap_seconds),
  }),
];
