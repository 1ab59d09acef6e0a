import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

/** What becomes of scheduled times that passed while no worker ran. */
const catchUps = ['skip', 'once', 'all'] as const;
export type CatchUp = (typeof catchUps)[number];

export const triggerTypes = ['schedule', 'webhook', 'event'] as const;
export const channelTypes = ['slack', 'teams'] as const;
/** How a webhook knows its senders. */
const auths = ['none', 'secret', 'hmac', 'hmac_body'] as const;

/** What an event trigger can wait for; a family stands for all of its events. */
export const triggerEvents = [
  ...['row', 'row.created', 'row.updated', 'row.deleted'],
  ...['document', 'document.trained', 'document.failed'],
  ...['conversation.ended', 'conversation.waiting'],
  ...['run', 'run.completed', 'run.failed', 'run.stopped'],
] as const;

const error = z.strictObject({ code: z.string(), message: z.string(), at: z.iso.datetime() });

export const trigger = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    /** Of a workflow, or of an agent. */
    workflow_id: z.guid().nullable(),
    assistant_id: z.guid().nullable(),
    name: z.string(),
    definition: z.looseObject({ type: z.enum([...triggerTypes, ...channelTypes]) }),
    /** Of a webhook: where to send to, `POST /hooks/{routing_key}`. */
    routing_key: z.string(),
    enabled: z.boolean(),
    /** The version it is pinned to; null follows the newest. */
    workflow_version_id: z.guid().nullable(),
    assistant_version_id: z.guid().nullable(),
    /** Of a schedule that is on: its next five fires. */
    next_fires: z.array(z.iso.datetime()),
    /** When its condition last came true. */
    last_fired_at: z.iso.datetime().nullable(),
    /** When a run that it started last began. */
    last_run_at: z.iso.datetime().nullable(),
    /** The last failure to fire or to start; null after a success. */
    last_error: error.nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Trigger' });

const definitionFields = {
  // schedule
  cron: s.optional(s.str({ min: 1, max: 200 })),
  timezone: s.optional(s.str({ min: 1, max: 100 })),
  catch_up: s.optional(s.oneOf(catchUps)),
  // webhook
  auth: s.optional(s.oneOf(auths)),
  secret: s.optional(s.str({ min: 8, max: 500, secret: true })),
  tolerance_seconds: s.optional(s.int({ ge: 10, le: 86_400 })),
  dedupe_header: s.optional(s.str({ min: 1, max: 100, pattern: /^[A-Za-z0-9-]+$/ })),
  dedupe_field: s.optional(s.str({ min: 1, max: 200 })),
  // event
  event: s.optional(s.oneOf(triggerEvents)),
  table_id: s.optional(s.uuid('table')),
  knowledge_base_id: s.optional(s.uuid('knowledge_base')),
  agent_id: s.optional(s.uuid('agent')),
  workflow_id: s.optional(s.uuid('workflow')),
  // What a run is given besides what made the trigger fire, and what an agent is told.
  input: s.optional(s.dict()),
  message: s.optional(s.str({ min: 1, max: 20_000, pattern: /\S/ })),
};

/** Free-form: what is not known here is kept. */
const definition = z.looseObject({ type: s.oneOf(triggerTypes), ...definitionFields });
const definitionPatch = z.looseObject({ type: s.optional(s.oneOf(triggerTypes)), ...definitionFields });

const name = s.str({ min: 1, max: 200 });
const common = { name: s.optional(name), definition, enabled: s.withDefault(s.bool(), true) };

export const workflowTriggerCreate = s
  .object({ ...common, workflow_version_id: s.optional(s.uuid('workflow_version')) })
  .meta({ id: 'WorkflowTriggerCreate' });
export const agentTriggerCreate = s
  .object({ ...common, assistant_version_id: s.optional(s.uuid('agent_version')) })
  .meta({ id: 'AgentTriggerCreate' });

export const triggerPatch = s
  .object({
    name: s.optional(name),
    definition: s.optional(definitionPatch),
    enabled: s.optional(s.bool()),
    workflow_version_id: s.optional(s.uuid('workflow_version')),
    assistant_version_id: s.optional(s.uuid('agent_version')),
    /** Ends the pinning to a version. */
    follow_newest: s.withDefault(s.bool(), false),
  })
  .meta({ id: 'TriggerPatch' });

/** What of a chat service reaches the agent: a team, one of its channels, messages with a word. */
export const channelTriggerCreate = s
  .object({
    team_id: s.str({ min: 1, max: 200, pattern: /^[^\s:]+$/ }),
    channel: s.optional(s.str({ min: 1, max: 200, pattern: /^[^\s:]+$/ })),
    keyword: s.optional(s.str({ min: 1, max: 200 })),
  })
  .meta({ id: 'ChannelTriggerCreate' });

export const triggerFire = s.object({ input: s.withDefault(s.dict(), () => ({})) }).meta({ id: 'TriggerFire' });

const deliveryStatuses = ['pending', 'started', 'failed'] as const;

export const delivery = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    trigger_id: z.guid(),
    source: z.enum(['schedule', 'webhook', 'event', 'manual', 'redelivery']),
    /** What made it fire; nothing fires a trigger twice. */
    dedupe_key: z.string(),
    input: z.record(z.string(), z.unknown()),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    next_attempt_at: z.iso.datetime().nullable(),
    run_id: z.guid().nullable(),
    error: error.nullable(),
    redelivery_of: z.guid().nullable(),
    fired_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'TriggerDelivery' });

export const hookAnswer = z
  .strictObject({ success: z.literal(true), id: z.guid(), duplicate: z.boolean() })
  .meta({ id: 'HookAnswer' });

export const triggerPage = paged(trigger);
export const triggerList = z.array(trigger);
export const deliveryPage = paged(delivery);
export const pageQuery = s.query(pageFields);
export const deliveryQuery = s.query({ ...pageFields, status: s.optional(s.oneOf(deliveryStatuses)) });
export const workflowParams = s.object({ workflow_id: s.uuid('workflow') });
export const agentParams = s.object({ agent_id: s.uuid('agent') });
export const channelParams = s.object({ agent_id: s.uuid('agent'), channel_type: s.oneOf(channelTypes) });
export const triggerParams = s.object({ trigger_id: s.uuid('trigger') });
export const deliveryParams = s.object({ trigger_id: s.uuid('trigger'), delivery_id: s.uuid('trigger_delivery') });
export const hookParams = s.object({ routing_key: s.str({ min: 1, max: 500 }) });

export type Trigger = z.output<typeof trigger>;
export type DeliveryQuery = z.output<typeof deliveryQuery>;
export type Delivery = z.output<typeof delivery>;
type Known = z.output<z.ZodObject<typeof definitionFields>>;
/** A definition without its secret, as it is stored. */
export type StoredDefinition = Omit<Known, 'secret'> & { type: TriggerType | ChannelType; [key: string]: unknown };
export type GivenDefinition = StoredDefinition & Pick<Known, 'secret'>;
export type TriggerPatch = z.output<typeof triggerPatch>;
export type ChannelTriggerCreate = z.output<typeof channelTriggerCreate>;
type TriggerType = (typeof triggerTypes)[number];
export type ChannelType = (typeof channelTypes)[number];
export type HookAnswer = z.output<typeof hookAnswer>;
export interface TriggerCreate {
  name?: string | undefined;
  definition: GivenDefinition;
  enabled: boolean;
  version_id?: string | undefined;
}
