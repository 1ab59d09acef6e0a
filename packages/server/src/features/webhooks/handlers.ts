import { done } from '@atrium/contract/page.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  testWebhook,
  updateWebhook,
} from '@atrium/contract/webhooks/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Webhooks } from './service.ts';

export const webhookRoutes = (webhooks: Webhooks): Route[] => [
  handle(listWebhooks, (scope, { query }) => webhooks.list(scope, query)),
  handle(createWebhook, (scope, { body }) => webhooks.create(scope, body)),
  handle(getWebhook, (scope, { params }) => webhooks.get(scope, params.webhook_id)),
  handle(updateWebhook, (scope, { params, body }) => webhooks.update(scope, params.webhook_id, body)),
  handle(deleteWebhook, async (scope, { params }) => {
    await webhooks.remove(scope, params.webhook_id);
    return done;
  }),
  handle(testWebhook, (scope, { params }) => webhooks.test(scope, params.webhook_id)),
  handle(listWebhookDeliveries, (scope, { params, query }) => webhooks.deliveries(scope, params.webhook_id, query)),
  handle(redeliverWebhook, (scope, { params }) => webhooks.redeliver(scope, params.webhook_id, params.delivery_id)),
];
