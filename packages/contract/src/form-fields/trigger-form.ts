import type * as z from 'zod';
import type { Permission } from '../permissions.ts';
import { onlyIf } from '../settings/key.ts';
import {
  agentTriggerCreate,
  channelTriggerCreate,
  channelTypes,
  definitionFields,
  triggerEvents,
  triggerTypes,
  workflowTriggerCreate,
} from '../triggers/schema.ts';
import { type Form, type FormField, fieldFrom, groupsOf, orderFields } from './form.ts';
import { type FieldText, valueForm } from './form-field.ts';

type TriggerType = (typeof triggerTypes)[number];
type DefinitionField = keyof typeof definitionFields;

const variants: Record<TriggerType | (typeof channelTypes)[number], { label: string; help: string }> = {
  schedule: { label: 'Schedule', help: 'Fires at the times of a cron expression.' },
  webhook: { label: 'Webhook', help: 'Fires when another program posts a message.' },
  event: { label: 'Event', help: 'Fires when something happens in the workspace.' },
  slack: { label: 'Slack', help: 'Chooses which messages of Slack reach an agent.' },
  teams: { label: 'Microsoft Teams', help: 'Chooses which messages of Teams reach an agent.' },
};

const eventsOf = (...families: string[]) =>
  triggerEvents.filter((event) => families.includes(event.split('.')[0] as string));

const everyTexts: Partial<Record<DefinitionField, FieldText>> = {
  message: {
    ...{ label: 'Message', help: 'What an agent is sent, with `((order.id))` where a value of the input belongs.' },
    control: 'template',
  },
  input: { label: 'Input', help: 'Values that every run gets; those of the message or event win.', control: 'json' },
};

/** The fields of `definition`, by the type of the trigger. */
const texts: Record<TriggerType, Partial<Record<DefinitionField, FieldText>>> = {
  schedule: {
    cron: { label: 'When', help: 'A cron expression with five fields, such as `0 8 * * 1-5`.', control: 'cron' },
    timezone: { label: 'Time zone', help: 'The time zone of the expression.', control: 'time_zone' },
    catch_up: {
      label: 'Missed times',
      help: 'What happens with times that passed while the server did not run.',
      options: { skip: 'Skip them', once: 'Fire once', all: 'Fire each of them' },
    },
    ...everyTexts,
  },
  webhook: {
    auth: {
      label: 'Proof of the sender',
      help: 'How the sender proves itself. Empty: by the secret if there is one, else not at all.',
      options: {
        ...{ none: 'None', secret: 'A secret in a header', hmac: 'Standard Webhooks signature' },
        hmac_body: 'Signature of the body',
      },
    },
    secret: {
      label: 'Secret',
      help: 'The secret of the sender; generated when it is needed and not given.',
      shown_when: onlyIf('auth', 'secret', 'hmac', 'hmac_body'),
    },
    tolerance_seconds: {
      ...{ label: 'Tolerance', help: 'How far the time of a message may be off.', unit: 'seconds', advanced: true },
      shown_when: onlyIf('auth', 'hmac'),
    },
    dedupe_header: {
      ...{
        label: 'Header with the id',
        help: 'A message with a known id in this header fires nothing.',
        advanced: true,
      },
    },
    dedupe_field: {
      label: 'Field with the id',
      ...{ help: 'The field of the body that holds the id of a message, where no header does.', advanced: true },
    },
    ...everyTexts,
  },
  event: {
    event: {
      label: 'Event',
      help: 'The event to wait for; a family such as `row` stands for all of its events.',
      options: {
        ...{ row: 'Any change of a row', 'row.created': 'Row created', 'row.updated': 'Row updated' },
        ...{ 'row.deleted': 'Row deleted', document: 'Any training', 'document.trained': 'Document trained' },
        ...{ 'document.failed': 'Document failed', 'conversation.ended': 'Conversation ended' },
        ...{ 'conversation.waiting': 'Conversation waits for a person', run: 'Any end of a run' },
        ...{ 'run.completed': 'Run completed', 'run.failed': 'Run failed', 'run.stopped': 'Run stopped' },
      },
    },
    table_id: {
      ...{ label: 'Table', help: 'Only events of this table. Empty: of every table.', references: 'table' },
      ...{ control: 'reference', shown_when: onlyIf('event', ...eventsOf('row')) },
    },
    knowledge_base_id: {
      ...{ label: 'Knowledge base', help: 'Only events of this knowledge base. Empty: of every one.' },
      ...{ references: 'knowledge_base', control: 'reference' },
      shown_when: onlyIf('event', ...eventsOf('document')),
    },
    agent_id: {
      ...{ label: 'Agent', help: 'Only events of this agent. Empty: of every agent.', references: 'agent' },
      ...{ control: 'reference', shown_when: onlyIf('event', ...eventsOf('conversation', 'run')) },
    },
    workflow_id: {
      ...{ label: 'Workflow', help: 'Only events of this workflow. Empty: of every workflow.', references: 'workflow' },
      ...{ control: 'reference', shown_when: onlyIf('event', ...eventsOf('run')) },
    },
    ...everyTexts,
  },
};
const defaults: Partial<Record<DefinitionField, unknown>> = {
  ...{ timezone: 'UTC', catch_up: 'once', tolerance_seconds: 300 },
};
const required: readonly DefinitionField[] = ['cron', 'event'];

const channelTexts: Record<keyof typeof channelTriggerCreate.shape, FieldText> = {
  team_id: { label: 'Team', help: 'The id of the team, or workspace, in the chat service.' },
  channel: { label: 'Channel', help: 'Only messages of this channel. Empty: of every channel of the team.' },
  keyword: { label: 'Keyword', help: 'Only messages that contain this text, in any case. Empty: all messages.' },
};

const toEdit: Permission[] = ['agents_edit', 'flows_edit'];

const recordSchemas: Record<string, z.ZodType> = { ...workflowTriggerCreate.shape, ...agentTriggerCreate.shape };
const recordTexts: Record<string, FieldText> = {
  name: { label: 'Name', help: 'The name that people see; the type of the trigger unless given.' },
  enabled: { label: 'On', help: 'Whether the trigger fires by itself.' },
  workflow_version_id: {
    ...{ label: 'Version of the workflow', help: 'The version to run. Empty: the workflow as it is at that time.' },
    ...{ control: 'reference', references: 'workflow_version', advanced: true },
  },
  assistant_version_id: {
    ...{ label: 'Version of the agent', help: 'The version to run. Empty: the published version at that time.' },
    ...{ control: 'reference', references: 'agent_version', advanced: true },
  },
};
const typeText: FieldText = {
  ...{ label: 'Type', help: 'What fires the trigger; it cannot be changed.' },
  options: Object.fromEntries(triggerTypes.map((type) => [type, variants[type].label])),
};

const recordFields = (): FormField[] => [
  fieldFrom(valueForm(workflowTriggerCreate.shape.definition.shape.type, typeText), typeText, {
    ...{ key: 'type', path: ['definition', 'type'], group: 'record', section: 'General', permission: toEdit },
    required: true,
  }),
  ...Object.entries(recordTexts).map(([key, text]) =>
    fieldFrom(valueForm(recordSchemas[key] as z.ZodType, text), text, {
      ...{ key, path: [key], group: 'record', section: 'General', permission: toEdit },
      default: key === 'enabled' ? true : null,
    }),
  ),
];

const definitionOf = (type: TriggerType): FormField[] =>
  (Object.entries(texts[type]) as [DefinitionField, FieldText][]).map(([key, text]) =>
    fieldFrom(valueForm(definitionFields[key], text), text, {
      ...{ key, variant: type, path: ['definition', key], group: 'definition', permission: toEdit },
      section: key in everyTexts ? 'What the run gets' : 'When it fires',
      ...{ required: required.includes(key), default: defaults[key] ?? null },
    }),
  );

const channelOf = (type: string): FormField[] =>
  (Object.entries(channelTexts) as [keyof typeof channelTexts, FieldText][]).map(([key, text]) =>
    fieldFrom(valueForm(channelTriggerCreate.shape[key], text), text, {
      ...{
        key,
        variant: type,
        path: [key],
        group: 'definition',
        section: 'When it fires',
        permission: ['agents_edit'],
      },
      required: key === 'team_id',
    }),
  );

/** The form of a trigger, by its type. */
export function triggerForm(): Form {
  const fields = [...recordFields(), ...triggerTypes.flatMap(definitionOf), ...channelTypes.flatMap(channelOf)];
  return {
    ...{ kind: 'triggers', label: 'Triggers', update: 'PATCH /v1/triggers/{trigger_id}' },
    create: [
      'POST /v1/workflows/{workflow_id}/triggers',
      'POST /v1/agents/{agent_id}/triggers',
      'POST /v1/agents/{agent_id}/triggers/{channel_type}',
    ],
    variant_path: ['definition', 'type'],
    variants: [...triggerTypes, ...channelTypes].map((variant) => ({ variant, ...variants[variant] })),
    groups: groupsOf(fields, { record: 'General', definition: 'Definition' }),
    fields: orderFields(fields),
  };
}
