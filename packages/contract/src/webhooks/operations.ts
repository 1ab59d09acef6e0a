import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { webhooksRoutes } from './routes.ts';
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

const common = { tag: 'Webhooks', permission: 'integrations_edit' } as const;

export const listWebhooks = operation({
  id: 'webhooks.list',
  route: webhooksRoutes['webhooks.list'],
  ...common,
  summary: 'List the webhooks of the workspace',
  description: 'Returns the webhooks of the workspace page by page. Secrets are masked.',
  query: webhookQuery,
  answer: webhookPage,
});

export const createWebhook = operation({
  id: 'webhooks.create',
  route: webhooksRoutes['webhooks.create'],
  ...common,
  summary: 'Subscribe a URL to events of the workspace',
  description:
    'Subscribes a URL to events of the workspace; each event is then posted there as JSON, signed as Standard Webhooks describes. Without a `secret` one is generated and returned once. A workspace can have 100 webhooks.',
  body: webhookCreate,
  example: { url: 'https://example.com/atrium', events: ['run.failed', 'document'] },
  answer: webhook,
});

export const getWebhook = operation({
  id: 'webhooks.get',
  route: webhooksRoutes['webhooks.get'],
  ...common,
  summary: 'Get a webhook',
  description: 'Returns one webhook with the state of its deliveries. The secret is masked.',
  params: webhookParams,
  answer: webhook,
});

export const updateWebhook = operation({
  id: 'webhooks.update',
  route: webhooksRoutes['webhooks.update'],
  ...common,
  summary: 'Change a webhook, or switch it on or off',
  description:
    'Changes the given fields and keeps the others. A URL on another host needs the secret to be sent again, since deliveries to it are signed with that secret. Set `enabled` to true to switch on a webhook that was switched off after failures.',
  params: webhookParams,
  body: webhookPatch,
  example: { enabled: true },
  answer: webhook,
});

export const deleteWebhook = operation({
  id: 'webhooks.delete',
  route: webhooksRoutes['webhooks.delete'],
  ...common,
  summary: 'Delete a webhook and its deliveries',
  description: 'Deletes a webhook and all of its deliveries; events that were not delivered yet are dropped.',
  params: webhookParams,
  answer: success,
});

export const testWebhook = operation({
  id: 'webhooks.test',
  route: webhooksRoutes['webhooks.test'],
  audit: { none: 'it tries what is configured and changes nothing' },
  ...common,
  summary: 'Send a test event to a webhook',
  description:
    'Queues a delivery of the event `webhook.test`, whatever the webhook is subscribed to. Use it to try out a receiver; read the result from the list of deliveries.',
  params: webhookParams,
  answer: webhookDelivery,
});

export const listWebhookDeliveries = operation({
  id: 'webhooks.listDeliveries',
  route: webhooksRoutes['webhooks.listDeliveries'],
  ...common,
  summary: 'List the deliveries of a webhook, newest first',
  description:
    'Returns the deliveries of a webhook page by page, newest first, with the payload and the last response of the receiver. Use it to find out why a receiver missed an event.',
  params: webhookParams,
  query: webhookDeliveryQuery,
  answer: webhookDeliveryPage,
});

export const redeliverWebhook = operation({
  id: 'webhooks.redeliver',
  route: webhooksRoutes['webhooks.redeliver'],
  audit: { none: 'a delivery is listed with its webhook' },
  ...common,
  summary: 'Send an earlier delivery of a webhook again',
  description: 'Queues the payload of an earlier delivery again, as a new delivery with its own id.',
  params: webhookDeliveryParams,
  answer: webhookDelivery,
});

export const webhooksOperations = [
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
];
