import * as z from 'zod';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { notificationsRoutes as routes } from './routes.ts';
import {
  markAllRead,
  notification,
  notificationPage,
  notificationParams,
  notificationQuery,
  pushKey,
  pushSubscription,
  pushSubscriptionCreate,
  pushSubscriptionParams,
  unreadCount,
} from './schema.ts';

const common = { tag: 'Notifications', permission: 'session' } as const;
const audit = { none: 'a person looks after their own notifications and devices' };

export const listNotifications = operation({
  id: 'notifications.list',
  route: routes['notifications.list'],
  ...common,
  summary: 'List your notifications',
  description:
    'Returns the notifications of the person who is signed in, of all of their workspaces, newest first. Those about records that the person may not see any more are left out.',
  query: notificationQuery,
  answer: notificationPage,
});

export const countNotifications = operation({
  id: 'notifications.count',
  route: routes['notifications.count'],
  ...common,
  summary: 'Count your unread notifications',
  description: 'Returns how many notifications of the person who is signed in are unread.',
  answer: unreadCount,
});

export const markAllNotificationsRead = operation({
  id: 'notifications.markAllRead',
  route: routes['notifications.markAllRead'],
  ...common,
  audit,
  summary: 'Mark all of your notifications as read',
  description: 'Marks all notifications as read, or those up to the newest one that was shown.',
  body: markAllRead,
  example: {},
  answer: unreadCount,
});

export const markNotificationRead = operation({
  id: 'notifications.markRead',
  route: routes['notifications.markRead'],
  ...common,
  audit,
  summary: 'Mark a notification as read',
  description: 'Marks a notification as read and returns it.',
  params: notificationParams,
  answer: notification,
});

export const markNotificationUnread = operation({
  id: 'notifications.markUnread',
  route: routes['notifications.markUnread'],
  ...common,
  audit,
  summary: 'Mark a notification as unread',
  description: 'Marks a notification as unread again and returns it.',
  params: notificationParams,
  answer: notification,
});

export const getPushKey = operation({
  id: 'pushSubscriptions.getKey',
  route: routes['pushSubscriptions.getKey'],
  ...common,
  summary: 'Get the key to subscribe to push notifications with',
  description:
    'Returns the public key of the organization for Web Push (VAPID). A browser subscribes with it and sends the subscription to the server.',
  answer: pushKey,
});

export const listPushSubscriptions = operation({
  id: 'pushSubscriptions.list',
  route: routes['pushSubscriptions.list'],
  ...common,
  summary: 'List your devices for push notifications',
  description: 'Returns the push subscriptions of the person who is signed in, without their secrets.',
  answer: z.array(pushSubscription),
});

export const createPushSubscription = operation({
  id: 'pushSubscriptions.create',
  route: routes['pushSubscriptions.create'],
  ...common,
  audit,
  summary: 'Add a device for push notifications',
  description:
    'Stores the push subscription of a browser. The same subscription again replaces the first. A person can have 20; one that the push service does not know any more is removed.',
  body: pushSubscriptionCreate,
  example: {
    endpoint: 'https://push.example.com/send/abc',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    label: 'Laptop',
  },
  answer: pushSubscription,
});

export const deletePushSubscription = operation({
  id: 'pushSubscriptions.delete',
  route: routes['pushSubscriptions.delete'],
  ...common,
  audit,
  summary: 'Remove a device for push notifications',
  description: 'Deletes a push subscription of the person who is signed in; nothing is sent to it any more.',
  params: pushSubscriptionParams,
  answer: success,
});

export const notificationsOperations = [
  listNotifications,
  countNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  markNotificationUnread,
  getPushKey,
  listPushSubscriptions,
  createPushSubscription,
  deletePushSubscription,
];
