import * as z from 'zod';
import { createdAt, etag, groupId, updatedAt } from '../fields.ts';
import { health } from '../health.ts';
import { owner, pausedReason } from '../keys/schema.ts';
import { namedList, timedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { paged, summaryOf } from '../page.ts';
import { requestWarning } from '../request-warning.ts';
import * as s from '../schema/schema.ts';

/** What happens with scheduled times that passed while no worker ran. */
const catchUps = ['skip', 'once', 'all'] as const;
export type CatchUp = (typeof catchUps)[number];

export const triggerTypes = ['schedule', 'webhook', 'event'] as const;
export const channelTypes = ['slack', 'teams'] as const;
/** How a webhook authenticates its senders. */
const auths = ['none', 'secret', 'hmac', 'hmac_body'] as const;

/** The events that a trigger can wait for; a family such as `row` stands for all of its events. */
export const triggerEvents = [
  ...['row', 'row.created', 'row.updated', 'row.deleted'],
  ...['document', 'document.trained', 'document.failed'],
  ...['conversation.ended', 'conversation.waiting'],
  ...['run', 'run.completed', 'run.failed', 'run.stopped'],
] as const;

const error = z.strictObject({
  code: z.string().describe('A code that programs can branch on.'),
  message: z.string().describe('What happened, in words for people.'),
  at: z.iso.datetime().describe('When it happened (ISO 8601, UTC).'),
});

export const trigger = z
  .strictObject({
    id: z.guid().describe('The id of the trigger.'),
    group_id: groupId,
    workflow_id: z.guid().nullable().describe('The workflow that the trigger starts. Null: it starts an agent.'),
    assistant_id: z.guid().nullable().describe('The agent that the trigger starts. Null: it starts a workflow.'),
    name: z.string().describe('The name that people see.'),
    definition: z
      .looseObject({
        type: z
          .enum([...triggerTypes, ...channelTypes])
          .describe('What fires the trigger: a time, a message, an event, or a chat service.'),
      })
      .describe('When the trigger fires: the fields that were sent, with defaults filled in and the secret masked.'),
    routing_key: z
      .string()
      .describe('Of a webhook: senders use `POST /hooks/{routing_key}`; asterisks for callers who may not edit it.'),
    enabled: z.boolean().describe('Whether the trigger fires by itself.'),
    owner: owner
      .nullable()
      .describe('Whom its runs act for, with what the owner holds at that time. Null: the owner is gone.'),
    paused_reason: pausedReason,
    workflow_version_id: z
      .guid()
      .nullable()
      .describe('The version of the workflow that is run. Null: the workflow as it is at that time.'),
    assistant_version_id: z
      .guid()
      .nullable()
      .describe('The version of the agent that is run. Null: the published version at that time.'),
    next_fires: z
      .array(z.iso.datetime())
      .describe('The next five times of a schedule that is switched on; empty for other triggers.'),
    last_fired_at: z.iso.datetime().nullable().describe('When the trigger last fired. Null: never.'),
    last_run_at: z.iso.datetime().nullable().describe('When it last started a run. Null: never.'),
    last_error: error.nullable().describe('The last failure to fire or to start a run. Null after a success.'),
    health,
    runs: z
      .strictObject({
        started: z.int().describe('How many runs these are.'),
        failed: z.int().describe('How many of them failed.'),
      })
      .describe('The last runs that the trigger started, at most twenty, of those that are kept.'),
    warnings: z
      .array(requestWarning)
      .optional()
      .describe(
        'Values that the workflow needs and that the trigger does not give (`missing_input`), and the record that it waits for when that is gone (`unknown_reference`); only when there are any. In answers about one trigger.',
      ),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
    may: mayField('trigger'),
  })
  .meta({ id: 'Trigger' });

export const definitionFields = {
  // schedule
  cron: s
    .optional(s.str({ min: 1, max: 200 }))
    .describe('Of a schedule: a cron expression with five fields, such as `0 8 * * 1-5`; required.'),
  timezone: s
    .optional(s.str({ min: 1, max: 100 }))
    .describe('Of a schedule: the time zone of the expression, such as `Europe/Berlin`; `UTC` unless given.'),
  catch_up: s
    .optional(s.oneOf(catchUps))
    .describe('Of a schedule: fire missed times not at all, once (the default), or each of them.'),
  // webhook
  auth: s
    .optional(s.oneOf(auths))
    .describe(
      'Of a webhook: how the sender proves itself. `secret`: in `X-Webhook-Secret` or as a bearer token; `hmac`: Standard Webhooks headers; `hmac_body`: `X-Hub-Signature-256`; `none`: not at all. `secret` if a secret is given, else `none`.',
    ),
  secret: s
    .optional(s.str({ min: 8, max: 500, secret: true }))
    .describe('Of a webhook: the secret for `auth`; generated when it is needed and not given.'),
  tolerance_seconds: s
    .optional(s.int({ ge: 10, le: 86_400 }))
    .describe('Of a webhook with `hmac`: how far the time of a message may be off, in seconds; 300 unless given.'),
  dedupe_header: s
    .optional(s.str({ min: 1, max: 100, pattern: /^[A-Za-z0-9-]+$/ }))
    .describe('Of a webhook: the header that holds the id of a message; a message with a known id fires nothing.'),
  dedupe_field: s
    .optional(s.str({ min: 1, max: 200 }))
    .describe('Of a webhook: the field of the body that holds the id of a message, where no header does.'),
  // event
  event: s
    .optional(s.oneOf(triggerEvents))
    .describe(
      'Of an event trigger: the event to wait for; required. `row`, `document` and `run` stand for their family.',
    ),
  table_id: s.optional(s.uuid('table')).describe('Of `row` events: only those of this table.'),
  knowledge_base_id: s
    .optional(s.uuid('knowledge_base'))
    .describe('Of `document` events: only those of this knowledge base.'),
  agent_id: s.optional(s.uuid('agent')).describe('Of `conversation` and `run` events: only those of this agent.'),
  workflow_id: s.optional(s.uuid('workflow')).describe('Of `run` events: only those of this workflow.'),
  // every type
  input: s
    .optional(s.dict())
    .describe('Values that every run gets; those of the message or event that fired the trigger win.'),
  message: s
    .optional(s.str({ min: 1, max: 20_000, pattern: /\S/ }))
    .describe('The message that an agent is sent, with `((order.id))` where a value of the input belongs.'),
};

/** Unknown keys are kept. */
const definition = z.looseObject({
  type: s.oneOf(triggerTypes).describe('What fires the trigger: a time, a message, or an event.'),
  ...definitionFields,
});
const definitionPatch = z.looseObject({
  type: s.optional(s.oneOf(triggerTypes)).describe('The type of the trigger, which cannot change.'),
  ...definitionFields,
});

const name = s.str({ min: 1, max: 200 });
const versionOfWorkflow = s
  .optional(s.uuid('workflow_version'))
  .describe('The version of the workflow to run; without it, the workflow as it is at that time.');
const versionOfAgent = s
  .optional(s.uuid('agent_version'))
  .describe('The version of the agent to run; without it, the published version at that time.');
const common = {
  name: s.optional(name).describe('The name that people see; the type of the trigger unless given.'),
  definition: definition.describe('When the trigger fires, and the values that its runs get.'),
  enabled: s.withDefault(s.bool(), true).describe('Whether the trigger fires by itself.'),
};

export const workflowTriggerCreate = s
  .object({ ...common, workflow_version_id: versionOfWorkflow })
  .meta({ id: 'WorkflowTriggerCreate' });
export const agentTriggerCreate = s
  .object({ ...common, assistant_version_id: versionOfAgent })
  .meta({ id: 'AgentTriggerCreate' });

export const triggerPatch = s
  .object({
    name: s.optional(name).describe('The name that people see.'),
    definition: s.optional(definitionPatch).describe('The keys of the definition to replace; the others stay.'),
    enabled: s.optional(s.bool()).describe('Whether the trigger fires by itself.'),
    workflow_version_id: s
      .optional(s.uuid('workflow_version'))
      .describe('The version of the workflow to run; 404 for a trigger of an agent.'),
    assistant_version_id: s
      .optional(s.uuid('agent_version'))
      .describe('The version of the agent to run; 404 for a trigger of a workflow.'),
    follow_newest: s.withDefault(s.bool(), false).describe('Removes the version, so that runs use the newest again.'),
  })
  .meta({ id: 'TriggerPatch' });

export const channelTriggerCreate = s
  .object({
    team_id: s
      .str({ min: 1, max: 200, pattern: /^[^\s:]+$/ })
      .describe('The id of the team, or workspace, in the chat service.'),
    channel: s
      .optional(s.str({ min: 1, max: 200, pattern: /^[^\s:]+$/ }))
      .describe('Only messages of this channel; without it, of every channel of the team.'),
    keyword: s
      .optional(s.str({ min: 1, max: 200 }))
      .describe('Only messages that contain this text, in any case; without it, all messages.'),
  })
  .meta({ id: 'ChannelTriggerCreate' });

export const triggerFire = s
  .object({
    input: s.withDefault(s.dict(), () => ({})).describe('Values that the run gets, as if a message had brought them.'),
  })
  .meta({ id: 'TriggerFire' });

const deliveryStatuses = ['pending', 'started', 'failed'] as const;

export const delivery = z
  .strictObject({
    id: z.guid().describe('The id of the delivery.'),
    group_id: groupId,
    trigger_id: z.guid().describe('The trigger that fired.'),
    source: z
      .enum(['schedule', 'webhook', 'event', 'manual', 'redelivery'])
      .describe('What fired the trigger: its own type, a caller by hand, or a repeated delivery.'),
    dedupe_key: z.string().describe('Identifies what fired the trigger; the same thing fires it once.'),
    input: z.record(z.string(), z.unknown()).describe('The values that the run gets; `trigger` tells what fired it.'),
    status: z
      .enum(deliveryStatuses)
      .describe('`pending` until a run has begun (`started`) or cannot begin (`failed`).'),
    attempts: z.int().describe('How often the server has tried to start the run.'),
    next_attempt_at: z.iso.datetime().nullable().describe('When the start is tried next. Null: it is over.'),
    run_id: z.guid().nullable().describe('The run that was started. Null: none yet.'),
    error: error.nullable().describe('Why the last attempt to start failed. Null: it did not.'),
    redelivery_of: z.guid().nullable().describe('The delivery that this one repeats. Null: it repeats none.'),
    fired_at: z.iso.datetime().describe('When the trigger fired (ISO 8601, UTC).'),
    finished_at: z.iso.datetime().nullable().describe('When the delivery was started or failed. Null: it is pending.'),
    created_at: createdAt,
  })
  .meta({ id: 'TriggerDelivery' });

export const hookAnswer = z
  .strictObject({
    success: z.literal(true).describe('Always true; failures have an error status.'),
    id: z.guid().describe('The delivery of the message; of a duplicate, the first one.'),
    duplicate: z.boolean().describe('Whether a message with this id came before; then nothing was fired.'),
  })
  .meta({ id: 'HookAnswer' });

export const triggerPage = paged(
  trigger,
  summaryOf(trigger, [
    'id',
    'name',
    'enabled',
    'workflow_id',
    'assistant_id',
    'paused_reason',
    'health',
    'last_fired_at',
    'created_at',
    'updated_at',
  ]),
);
export const triggerList = z.array(trigger);
export const deliveryPage = paged(
  delivery,
  summaryOf(delivery, ['id', 'source', 'status', 'attempts', 'run_id', 'fired_at', 'finished_at', 'created_at']),
);
export const triggerListQuery = s.query(namedList(['name', 'created_at', 'updated_at'], { order: 'the oldest first' }));
export const workspaceTriggersQuery = s.query({
  ...namedList(['name', 'created_at', 'updated_at']),
  type: s
    .optional(s.oneOf([...triggerTypes, ...channelTypes]))
    .describe('Only triggers that this kind of thing fires.'),
  target: s.optional(s.oneOf(['agent', 'workflow'])).describe('Only triggers that start agents, or workflows.'),
  enabled: s.optional(s.bool()).describe('Only triggers that are switched on (true) or off (false).'),
  failing: s.optional(s.bool()).describe('Only triggers with a `last_error` (true) or without one (false).'),
});

export const schedulePreviewBody = s
  .object({
    cron: s.str({ min: 1, max: 200 }).describe('A cron expression with five fields, such as `0 9 * * 1`.'),
    timezone: s
      .withDefault(s.str({ min: 1, max: 100 }), 'UTC')
      .describe('The time zone of the expression, such as `Europe/Berlin`.'),
    count: s.withDefault(s.int({ ge: 1, le: 50 }), 5).describe('How many times to return.'),
    after: s
      .optional(s.datetime({ example: '2026-01-01T00:00:00Z' }))
      .describe('Only times after this one; after now unless given.'),
  })
  .meta({ id: 'SchedulePreviewCreate' });
export const schedulePreview = z
  .strictObject({
    cron: z.string().describe('The expression that was sent.'),
    timezone: z.string().describe('The time zone of the expression.'),
    next_fires: z
      .array(
        z.strictObject({
          at: z.iso.datetime().describe('The time (ISO 8601, UTC).'),
          local: z.iso
            .datetime({ offset: true })
            .describe('The same time as clocks of the time zone show it, with its offset from UTC.'),
        }),
      )
      .describe('The next times, the first one first.'),
  })
  .meta({ id: 'SchedulePreview' });
export const deliveryQuery = s.query({
  ...timedList(),
  status: s.optional(s.oneOf(deliveryStatuses)).describe('Only deliveries with this status.'),
});
const agentId = s.uuid('agent').describe('The id of the agent.');
const triggerId = s.uuid('trigger').describe('The id of the trigger.');
export const workflowParams = s.object({ workflow_id: s.uuid('workflow').describe('The id of the workflow.') });
export const agentParams = s.object({ agent_id: agentId });
export const channelParams = s.object({
  agent_id: agentId,
  channel_type: s.oneOf(channelTypes).describe('The chat service.'),
});
export const triggerParams = s.object({ trigger_id: triggerId });
export const deliveryParams = s.object({
  trigger_id: triggerId,
  delivery_id: s.uuid('trigger_delivery').describe('The id of the delivery.'),
});
export const hookParams = s.object({
  routing_key: s.str({ min: 1, max: 500 }).describe('The routing key of the webhook trigger.'),
});

export type Trigger = z.output<typeof trigger>;
export type WorkspaceTriggersQuery = z.output<typeof workspaceTriggersQuery>;
export type SchedulePreviewBody = z.output<typeof schedulePreviewBody>;
export type SchedulePreview = z.output<typeof schedulePreview>;
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
