/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const notificationsRoutes = {
  'notifications.list': 'GET /v1/me/notifications',
  'notifications.count': 'GET /v1/me/notifications/count',
  'notifications.markAllRead': 'POST /v1/me/notifications/read',
  'notifications.markRead': 'POST /v1/me/notifications/{notification_id}/read',
  'notifications.markUnread': 'DELETE /v1/me/notifications/{notification_id}/read',
  'pushSubscriptions.getKey': 'GET /v1/me/push-key',
  'pushSubscriptions.list': 'GET /v1/me/push-subscriptions',
  'pushSubscriptions.create': 'POST /v1/me/push-subscriptions',
  'pushSubscriptions.delete': 'DELETE /v1/me/push-subscriptions/{push_subscription_id}',
} as const;
