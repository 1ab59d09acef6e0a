import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

/** What can be subscribed to; a family stands for all of its events. */
export const webhookEvents = [
  ...['conversation', 'conversation.ended', 'conversation.waiting'],
  ...['run', 'run.completed', 'run.failed', 'run.stopped'],
  ...['document', 'document.trained', 'document.failed'],
  ...['trigger', 'trigger.fired', 'trigger.failed'],
  ...['row', 'row.created', 'row.updated', 'row.deleted'],
  ...['mcp_server', 'mcp_server.tools_held'],
  ...['webhook', 'webhook.disabled'],
] as const;

const trouble = z.strictObject({ code: z.string(), message: z.string(), at: z.iso.datetime() });

export const webhook = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    /** Shown once, to whoever had it made. */
    secret: z.string(),
    enabled: z.boolean(),
    /** Since when nothing has arrived there. */
    failing_since: z.iso.datetime().nullable(),
    /** Why it was switched off by itself. */
    notice: trouble.nullable(),
    last_delivered_at: z.iso.datetime().nullable(),
    last_error: trouble.nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
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
    name: s.optional(fields.name),
    url: fields.url,
    events: fields.events,
    secret: s.optional(fields.secret),
    enabled: s.withDefault(s.bool(), true),
  })
  .meta({ id: 'WebhookCreate' });

export const webhookPatch = s
  .object({
    name: s.optional(fields.name),
    url: s.optional(fields.url),
    events: s.optional(fields.events),
    secret: s.optional(fields.secret),
    enabled: s.optional(s.bool()),
  })
  .meta({ id: 'WebhookPatch' });

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const webhookDelivery = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    webhook_id: z.guid(),
    event: z.string(),
    payload: z.record(z.string(), z.unknown()),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    next_attempt_at: z.iso.datetime().nullable(),
    /** What the other side last answered. */
    response_status: z.int().nullable(),
    error: trouble.nullable(),
    redelivery_of: z.guid().nullable(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const webhookPage = paged(webhook);
export const webhookDeliveryPage = paged(webhookDelivery);
export const webhookQuery = s.query(pageFields);
export const webhookDeliveryQuery = s.query({ ...pageFields, status: s.optional(s.oneOf(deliveryStatuses)) });
export const webhookParams = s.object({ webhook_id: s.uuid('webhook') });
export const webhookDeliveryParams = s.object({
  webhook_id: s.uuid('webhook'),
  delivery_id: s.uuid('webhook_delivery'),
});

export type Webhook = z.output<typeof webhook>;
export type WebhookCreate = z.output<typeof webhookCreate>;
export type WebhookPatch = z.output<typeof webhookPatch>;
export type WebhookDeliveryQuery = z.output<typeof webhookDeliveryQuery>;
export type WebhookDelivery = z.output<typeof webhookDelivery>;
