import * as operations from '@atrium/contract/notifications/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { PushSubscriptions } from './push/subscriptions.ts';
import type { Notifications } from './service.ts';

export const notificationRoutes = (notifications: Notifications, devices: PushSubscriptions): Route[] => [
  handle(operations.listNotifications, (scope, { query }) => notifications.list(scope, query)),
  handle(operations.countNotifications, (scope) => notifications.count(scope)),
  handle(operations.markAllNotificationsRead, (scope, { body }) => notifications.markAllRead(scope, body.through)),
  handle(operations.markNotificationRead, (scope, { params }) =>
    notifications.mark(scope, params.notification_id, true),
  ),
  handle(operations.markNotificationUnread, (scope, { params }) =>
    notifications.mark(scope, params.notification_id, false),
  ),
  handle(operations.getPushKey, (scope) => devices.publicKey(scope)),
  handle(operations.listPushSubscriptions, (scope) => devices.list(scope)),
  handle(operations.createPushSubscription, (scope, { body }) => devices.create(scope, body)),
  handle(operations.deletePushSubscription, async (scope, { params }) => {
    await devices.remove(scope, params.push_subscription_id);
    return done;
  }),
];
