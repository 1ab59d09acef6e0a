/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const webhooksRoutes = {
  'webhooks.list': 'GET /v1/webhooks',
  'webhooks.create': 'POST /v1/webhooks',
  'webhooks.get': 'GET /v1/webhooks/{webhook_id}',
  'webhooks.update': 'PATCH /v1/webhooks/{webhook_id}',
  'webhooks.delete': 'DELETE /v1/webhooks/{webhook_id}',
  'webhooks.test': 'POST /v1/webhooks/{webhook_id}/test',
  'webhooks.listDeliveries': 'GET /v1/webhooks/{webhook_id}/deliveries',
  'webhooks.redeliver': 'POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
} as const;
