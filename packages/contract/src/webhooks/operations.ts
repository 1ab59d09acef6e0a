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
  query: webhookQuery,
  answer: webhookPage,
});

export const createWebhook = operation({
  id: 'webhooks.create',
  route: webhooksRoutes['webhooks.create'],
  ...common,
  summary: 'Subscribe an address to what happens in the workspace',
  body: webhookCreate,
  example: { url: 'https://example.com/atrium', events: ['run.failed', 'document'] },
  answer: webhook,
});

export const getWebhook = operation({
  id: 'webhooks.get',
  route: webhooksRoutes['webhooks.get'],
  ...common,
  summary: 'Get a webhook',
  params: webhookParams,
  answer: webhook,
});

export const updateWebhook = operation({
  id: 'webhooks.update',
  route: webhooksRoutes['webhooks.update'],
  ...common,
  summary: 'Change a webhook, or switch it on or off; another host needs the secret again',
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
  params: webhookParams,
  answer: success,
});

export const testWebhook = operation({
  id: 'webhooks.test',
  route: webhooksRoutes['webhooks.test'],
  ...common,
  summary: 'Send a test event to a webhook',
  params: webhookParams,
  answer: webhookDelivery,
});

export const listWebhookDeliveries = operation({
  id: 'webhooks.listDeliveries',
  route: webhooksRoutes['webhooks.listDeliveries'],
  ...common,
  summary: 'List what a webhook was told, newest first',
  params: webhookParams,
  query: webhookDeliveryQuery,
  answer: webhookDeliveryPage,
});

export const redeliverWebhook = operation({
  id: 'webhooks.redeliver',
  route: webhooksRoutes['webhooks.redeliver'],
  ...common,
  summary: 'Send an earlier delivery of a webhook once more',
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
