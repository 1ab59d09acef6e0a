import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import {
  webhook,
  webhookCreate,
  webhookDelivery,
  webhookDeliveryPage,
  webhookDeliveryParams,
  webhookDeliveryQuery,
  webhookPage,
  webhookParams,
  webhookPatch,
  webhookQuery,
} from './schema.ts';
import type { Webhooks } from './service.ts';

const common = { tag: 'Webhooks', permission: 'integrations_edit' } as const;

export const webhookRoutes = (webhooks: Webhooks): Route[] => [
  defineRoute({
    ...common,
    route: 'GET /v1/webhooks',
    summary: 'List the webhooks of the workspace',
    query: webhookQuery,
    answer: webhookPage,
    handler: (scope, { query }) => webhooks.list(scope, query),
  }),
  defineRoute({
    ...common,
    route: 'POST /v1/webhooks',
    summary: 'Subscribe an address to what happens in the workspace',
    body: webhookCreate,
    example: { url: 'https://example.com/atrium', events: ['run.failed', 'document'] },
    answer: webhook,
    handler: (scope, { body }) => webhooks.create(scope, body),
  }),
  defineRoute({
    ...common,
    route: 'GET /v1/webhooks/{webhook_id}',
    summary: 'Get a webhook',
    params: webhookParams,
    answer: webhook,
    handler: (scope, { params }) => webhooks.get(scope, params.webhook_id),
  }),
  defineRoute({
    ...common,
    route: 'PATCH /v1/webhooks/{webhook_id}',
    summary: 'Change a webhook, or switch it on or off; another host needs the secret again',
    params: webhookParams,
    body: webhookPatch,
    example: { enabled: true },
    answer: webhook,
    handler: (scope, { params, body }) => webhooks.update(scope, params.webhook_id, body),
  }),
  defineRoute({
    ...common,
    route: 'DELETE /v1/webhooks/{webhook_id}',
    summary: 'Delete a webhook and its deliveries',
    params: webhookParams,
    answer: success,
    handler: async (scope, { params }) => {
      await webhooks.remove(scope, params.webhook_id);
      return done;
    },
  }),
  defineRoute({
    ...common,
    route: 'POST /v1/webhooks/{webhook_id}/test',
    summary: 'Send a test event to a webhook',
    params: webhookParams,
    answer: webhookDelivery,
    handler: (scope, { params }) => webhooks.test(scope, params.webhook_id),
  }),
  defineRoute({
    ...common,
    route: 'GET /v1/webhooks/{webhook_id}/deliveries',
    summary: 'List what a webhook was told, newest first',
    params: webhookParams,
    query: webhookDeliveryQuery,
    answer: webhookDeliveryPage,
    handler: (scope, { params, query }) => webhooks.deliveries(scope, params.webhook_id, query),
  }),
  defineRoute({
    ...common,
    route: 'POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
    summary: 'Send an earlier delivery of a webhook once more',
    params: webhookDeliveryParams,
    answer: webhookDelivery,
    handler: (scope, { params }) => webhooks.redeliver(scope, params.webhook_id, params.delivery_id),
  }),
];
