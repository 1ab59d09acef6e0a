import * as z from 'zod';
import { actor } from '../actor.ts';
import { createdAt, groupId } from '../fields.ts';
import { createdFields, paged, pageFields, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';
import { notificationKindNames } from './kinds.ts';

export const notification = z
  .strictObject({
    id: z.guid().describe('The id of the notification.'),
    group_id: groupId,
    kind: z.enum(notificationKindNames).describe('What the person is notified of.'),
    text: z.string().describe('The same in a sentence, which names no record.'),
    target: z
      .strictObject({
        kind: z.string().describe('The kind of record.'),
        id: z.string().describe('Its id.'),
      })
      .nullable()
      .describe('The record that it is about.'),
    parent: z
      .strictObject({
        kind: z.string().describe('The kind of record.'),
        id: z.string().describe('Its id.'),
      })
      .nullable()
      .describe('The record that this one belongs to: the conversation of an approval.'),
    subject: z
      .strictObject({
        kind: z.enum(['agent', 'workflow']).describe('Which of them it is.'),
        id: z.guid().describe('Its id.'),
        name: z.string().describe('Its name.'),
      })
      .nullable()
      .describe(
        'The agent or workflow that it is about. Null: none, it is gone, or the person may not see agents or workflows now.',
      ),
    actor: actor.nullable().describe('Who caused it. Null: the platform.'),
    read_at: z.iso.datetime().nullable().describe('When the person read it. Null: it is unread.'),
    created_at: createdAt,
  })
  .meta({ id: 'Notification' });

export const notificationQuery = s.query({
  ...pageFields,
  ...createdFields,
  unread: s.optional(s.bool()).describe('True: only unread ones. False: only those that were read.'),
  kind: s.optional(s.oneOf(notificationKindNames)).describe('Only those of this kind.'),
});

export const notificationParams = s.object({
  notification_id: s.uuid('notification').describe('The id of the notification.'),
});

export const notificationPage = paged(
  notification,
  summaryOf(notification, ['id', 'group_id', 'kind', 'text', 'target', 'read_at', 'created_at']),
);

export const unreadCount = z
  .strictObject({ unread: z.int().describe('How many notifications are unread; counted up to 1,000.') })
  .meta({ id: 'UnreadCount' });

export const markAllRead = s
  .object({
    through: s
      .optional(s.uuid())
      .describe('The newest one that was shown: later ones stay unread. All of them unless given.'),
  })
  .meta({ id: 'MarkAllRead' });

/** A key or a secret of a browser, as base64 with the alphabet for URLs. */
const encoded = (bytes: number) => {
  const length = Math.ceil((bytes * 4) / 3);
  return s.str({ min: length, max: length + 3, pattern: /^[\w-]+={0,2}$/, secret: true });
};

export const pushKey = z
  .strictObject({
    public_key: z
      .string()
      .describe('The `applicationServerKey` to subscribe with (base64 with the alphabet for URLs).'),
  })
  .meta({ id: 'PushKey' });

export const pushSubscription = z
  .strictObject({
    id: z.guid().describe('The id of the subscription.'),
    label: z.string().describe('What the person calls the device.'),
    origin: z.string().describe('The push service of the browser. The rest of the address is secret and not shown.'),
    last_sent_at: z.iso.datetime().nullable().describe('When it last took a notification. Null: it has not.'),
    created_at: createdAt,
  })
  .meta({ id: 'PushSubscription' });

export const pushSubscriptionCreate = s
  .object({
    endpoint: s
      .str({ max: 2000, pattern: /^https?:\/\/[^\s@#]+$/, secret: true })
      .describe('The address of the subscription, as the browser gives it.'),
    keys: s
      .object({
        p256dh: encoded(65).describe('The public key of the browser.'),
        auth: encoded(16).describe('The secret that the browser shares with the server.'),
      })
      .describe('The keys of the subscription, as the browser gives them.'),
    label: s.withDefault(s.str({ max: 100 }), '').describe('What the person calls the device.'),
  })
  .meta({ id: 'PushSubscriptionCreate' });

export const pushSubscriptionParams = s.object({
  push_subscription_id: s.uuid('push_subscription').describe('The id of the subscription.'),
});

export type Notification = z.output<typeof notification>;
export type NotificationQuery = z.output<typeof notificationQuery>;
export type PushSubscription = z.output<typeof pushSubscription>;
export type PushSubscriptionCreate = z.output<typeof pushSubscriptionCreate>;
