import { z } from 'zod';
import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { Providers } from './providers-service.ts';
import { provider, providerCreate, providerParams, providerPatch, providerTest } from './schema.ts';

const tag = 'Models';

export const providerRoutes = (providers: Providers): Route[] => [
  defineRoute({
    route: 'GET /v1/admin/providers',
    summary: 'List the providers of models; their keys are masked',
    tag,
    permission: 'settings_read',
    answer: z.array(provider),
    handler: (scope) => providers.list(scope),
  }),
  defineRoute({
    route: 'POST /v1/admin/providers',
    summary: 'Add a provider of models',
    tag,
    permission: 'settings_write',
    body: providerCreate,
    example: { provider: 'openai-compatible', name: 'ollama', base_urls: ['http://127.0.0.1:11434/v1'] },
    answer: provider,
    handler: (scope, { body }) => providers.create(scope, body),
  }),
  defineRoute({
    route: 'GET /v1/admin/providers/{provider_id}',
    summary: 'Get a provider of models',
    tag,
    permission: 'settings_read',
    params: providerParams,
    answer: provider,
    handler: (scope, { params }) => providers.get(scope, params.provider_id),
  }),
  defineRoute({
    route: 'PATCH /v1/admin/providers/{provider_id}',
    summary: 'Update a provider of models; a key that is left out stays, but another address needs it again',
    tag,
    permission: 'settings_write',
    params: providerParams,
    body: providerPatch,
    example: { models: ['llama3.3', 'qwen3'] },
    answer: provider,
    handler: (scope, { params, body }) => providers.update(scope, params.provider_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/admin/providers/{provider_id}',
    summary: 'Remove a provider of models',
    tag,
    permission: 'settings_write',
    params: providerParams,
    answer: success,
    handler: async (scope, { params }) => {
      await providers.remove(scope, params.provider_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/admin/providers/{provider_id}/test',
    summary: 'Ask every address of a provider whether it answers',
    tag,
    permission: 'settings_write',
    params: providerParams,
    answer: providerTest,
    handler: (scope, { params }) => providers.test(scope, params.provider_id),
  }),
];
