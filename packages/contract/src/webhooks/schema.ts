import * as z from 'zod';
import { createdAt, etag, groupId, updatedAt } from '../fields.ts';
import { namedList, timedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';

/** The events that a webhook can subscribe to; a family (`run`) stands for all of its events. */
export const webhookEvents = [
  ...['conversation', 'conversation.ended', 'conversation.waiting'],
  ...['run', 'run.completed', 'run.failed', 'run.stopped'],
  ...['document', 'document.trained', 'document.failed'],
  ...['trigger', 'trigger.fired', 'trigger.failed'],
  ...['row', 'row.created', 'row.updated', 'row.deleted'],
  ...['mcp_server', 'mcp_server.tools_held'],
  ...['budget', 'budget.warned', 'budget.reached'],
  ...['webhook', 'webhook.disabled'],
] as const;

const webhookError = z.strictObject({
  code: z.string().describe('What went wrong, for programs.'),
  message: z.string().describe('What went wrong, for people.'),
  at: z.iso.datetime().describe('When it happened (ISO 8601, UTC).'),
});

export const webhook = z
  .strictObject({
    id: z.guid().describe('The id of the webhook.'),
    group_id: groupId,
    name: z.string().describe('The name of the webhook.'),
    url: z.string().describe('Where events are posted to.'),
    events: z.array(z.string()).describe('The events, or families of events, that are posted.'),
    secret: z.string().describe('Signs the deliveries. Masked, except in the answer in which it was generated.'),
    enabled: z.boolean().describe('Whether events are posted.'),
    failing_since: z.iso.datetime().nullable().describe('Since when no delivery succeeded. Null: the last one did.'),
    notice: webhookError
      .nullable()
      .describe('Why the server switched the webhook off: no delivery succeeded for five days, or the URL is gone.'),
    last_delivered_at: z.iso.datetime().nullable().describe('When a delivery last succeeded. Null: not yet.'),
    last_error: webhookError.nullable().describe('Why the last failed attempt failed. Null: none has failed.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
    may: mayField('webhook'),
  })
  .meta({ id: 'Webhook' });

const fields = {
  name: s.str({ min: 1, max: 200 }),
  url: s.str({ max: 2000, pattern: /^https?:\/\/[^\s@#]+$/ }),
  events: s.list(s.oneOf(webhookEvents), { min: 1, max: 50 }),
  secret: s.str({ min: 8, max: 500, secret: true }),
};

export const webhookCreate = s
  .object({
    name: s.optional(fields.name).describe('The name of the webhook; the origin of `url` unless given.'),
    url: fields.url.describe('Where to post events to.'),
    events: fields.events.describe('The events to post; a family (`run`) stands for all of its events.'),
    secret: s
      .optional(fields.secret)
      .describe('Signs the deliveries (HMAC-SHA256): `whsec_` and base64, or any text; generated unless given.'),
    enabled: s.withDefault(s.bool(), true).describe('Whether events are posted.'),
  })
  .meta({ id: 'WebhookCreate' });

export const webhookPatch = s
  .object({
    name: s.optional(fields.name).describe('The name of the webhook.'),
    url: s.optional(fields.url).describe('Where to post events to; another host needs `secret` too.'),
    events: s.optional(fields.events).describe('The events to post; replaces the list.'),
    secret: s.optional(fields.secret).describe('Signs the deliveries from now on; the mask keeps the present one.'),
    enabled: s.optional(s.bool()).describe('Whether events are posted.'),
  })
  .meta({ id: 'WebhookPatch' });

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const webhookDelivery = z
  .strictObject({
    id: z.guid().describe('The id of the delivery, sent as the header `webhook-id`.'),
    group_id: groupId,
    webhook_id: z.guid().describe('The webhook that the event is posted to.'),
    event: z.string().describe('The event, `run.failed` for example.'),
    payload: z
      .record(z.string(), z.unknown())
      .describe('The JSON body that is posted: type, timestamp, workspace, data.'),
    status: z.enum(deliveryStatuses).describe('Whether the delivery waits for an attempt, succeeded, or was given up.'),
    attempts: z.int().describe('How many times it was attempted.'),
    next_attempt_at: z.iso.datetime().nullable().describe('When it is attempted next. Null: it is finished.'),
    response_status: z.int().nullable().describe('The HTTP status of the last response. Null: there was none.'),
    error: webhookError.nullable().describe('Why the last attempt failed. Null: it did not fail.'),
    redelivery_of: z.guid().nullable().describe('The delivery whose payload this one repeats.'),
    created_at: createdAt,
    finished_at: z.iso.datetime().nullable().describe('When it succeeded or was given up. Null: it is pending.'),
  })
  .meta({ id: 'WebhookDelivery' });

export const webhookPage = paged(
  webhook,
  summaryOf(webhook, [
    'id',
    'name',
    'url',
    'enabled',
    'failing_since',
    'last_delivered_at',
    'created_at',
    'updated_at',
  ]),
);
export const webhookDeliveryPage = paged(
  webhookDelivery,
  summaryOf(webhookDelivery, ['id', 'event', 'status', 'attempts', 'response_status', 'created_at', 'finished_at']),
);
export const webhookQuery = s.query(
  namedList(['name', 'created_at', 'updated_at'], { search: 'name or address', order: 'the oldest first' }),
);
export const webhookDeliveryQuery = s.query({
  ...timedList(),
  status: s.optional(s.oneOf(deliveryStatuses)).describe('Only deliveries in this state.'),
});
const webhook_id = s.uuid('webhook').describe('The id of the webhook.');
export const webhookParams = s.object({ webhook_id });
export const webhookDeliveryParams = s.object({
  webhook_id,
  delivery_id: s.uuid('webhook_delivery').describe('The id of the delivery.'),
});

export type Webhook = z.output<typeof webhook>;
export type WebhookCreate = z.output<typeof webhookCreate>;
export type WebhookPatch = z.output<typeof webhookPatch>;
export type WebhookDeliveryQuery = z.output<typeof webhookDeliveryQuery>;
export type WebhookDelivery = z.output<typeof webhookDelivery>;
