import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import { success } from '../page.ts';
import { triggersRoutes } from './routes.ts';
import {
  agentParams,
  agentTriggerCreate,
  channelParams,
  channelTriggerCreate,
  delivery,
  deliveryPage,
  deliveryParams,
  deliveryQuery,
  schedulePreview,
  schedulePreviewBody,
  trigger,
  triggerFire,
  triggerList,
  triggerListQuery,
  triggerPage,
  triggerParams,
  triggerPatch,
  workflowParams,
  workflowTriggerCreate,
  workspaceTriggersQuery,
} from './schema.ts';

const paused = conflicts(
  'trigger_paused',
  'The owner of the trigger is not active or lacks the permission; take it over first.',
);
const tag = 'Triggers';

const schedule = { type: 'schedule', cron: '0 8 * * 1-5', timezone: 'Europe/Berlin' };

/** Which of the two a trigger needs depends on whether it starts an agent or a workflow. */
const toRun = ['agents_run', 'flows_run'] as const;

const toEdit = ['agents_edit', 'flows_edit'] as const;

export const listTriggers = operation({
  id: 'triggers.list',
  route: triggersRoutes['triggers.list'],
  summary: 'List the triggers of the workspace',
  description:
    'Returns the triggers of all agents and workflows page by page, the newest first, each with its `health`. Callers see triggers of agents with `agents_run` and triggers of workflows with `flows_run`; those of deleted agents and workflows are left out.',
  tag,
  permission: toRun,
  query: workspaceTriggersQuery,
  answer: triggerPage,
});

export const previewSchedule = operation({
  id: 'triggers.previewSchedule',
  route: triggersRoutes['triggers.previewSchedule'],
  summary: 'Show the next times of a schedule',
  description:
    'Returns the next times of a cron expression in a time zone, before or without saving a trigger. An expression or a time zone that does not exist is refused with 422 at its field.',
  tag,
  permission: toRun,
  audit: { none: 'it changes nothing' },
  body: schedulePreviewBody,
  example: { cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
  answer: schedulePreview,
});

export const listWorkflowTriggers = operation({
  id: 'triggers.listOfWorkflow',
  route: triggersRoutes['triggers.listOfWorkflow'],
  summary: 'List the triggers of a workflow',
  description:
    'Returns the triggers of a workflow page by page. Callers without `flows_edit` see asterisks instead of the routing key of a webhook.',
  tag,
  permission: 'flows_run',
  params: workflowParams,
  query: triggerListQuery,
  errors: [noSuch('workflow')],
  answer: triggerPage,
});

export const createWorkflowTrigger = operation({
  id: 'triggers.createForWorkflow',
  route: triggersRoutes['triggers.createForWorkflow'],
  summary: 'Create a trigger of a workflow',
  description:
    'Creates a schedule, a webhook or an event trigger that starts a run of the workflow. Runs act with the permissions that the caller has now. A secret that the server generates is shown in this answer only; a workflow has at most 1000 triggers.',
  tag,
  permission: 'flows_edit',
  params: workflowParams,
  body: workflowTriggerCreate,
  example: { name: 'Every working day at eight', definition: { ...schedule, input: { topic: 'News' } } },
  errors: [noSuch('workflow or version'), conflicts('conflict', 'The workflow has as many triggers as it can have.')],
  answer: trigger,
});

export const listAgentTriggers = operation({
  id: 'triggers.listOfAgent',
  route: triggersRoutes['triggers.listOfAgent'],
  summary: 'List the triggers of an agent',
  description:
    'Returns all triggers of an agent as one array and not as a page: an agent has at most 1000. Callers without `agents_edit` see asterisks instead of the routing key of a webhook.',
  tag,
  permission: 'agents_run',
  params: agentParams,
  errors: [noSuch('agent')],
  answer: triggerList,
});

export const createAgentTrigger = operation({
  id: 'triggers.createForAgent',
  route: triggersRoutes['triggers.createForAgent'],
  summary: 'Create a trigger of an agent',
  description:
    'Creates a schedule, a webhook or an event trigger that sends the agent a message in a new conversation. Runs act with the permissions that the caller has now. A secret that the server generates is shown in this answer only.',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  body: agentTriggerCreate,
  example: { name: 'Every working day at eight', definition: { ...schedule, message: 'What is new?' } },
  errors: [noSuch('agent or version'), conflicts('conflict', 'The agent has as many triggers as it can have.')],
  answer: trigger,
});

export const createChannelTrigger = operation({
  id: 'triggers.createForChannel',
  route: triggersRoutes['triggers.createForChannel'],
  summary: 'Choose which messages of a chat service reach an agent',
  description:
    'Adds a filter for messages of a chat service. An agent without such triggers for a service gets every message; with some, only messages that match one of them.',
  tag,
  permission: 'agents_edit',
  params: channelParams,
  body: channelTriggerCreate,
  example: { team_id: 'T0123', channel: 'C0456', keyword: 'help' },
  errors: [noSuch('agent'), conflicts('conflict', 'The agent has as many triggers as it can have.')],
  answer: trigger,
});

export const getTrigger = operation({
  id: 'triggers.get',
  route: triggersRoutes['triggers.get'],
  summary: 'Get a trigger',
  description:
    'Returns a trigger. The caller needs `agents_run` or `flows_run`, by what the trigger starts. The secret of a webhook is never shown.',
  tag,
  permission: toRun,
  params: triggerParams,
  errors: [noSuch('trigger')],
  answer: trigger,
});

export const updateTrigger = operation({
  id: 'triggers.update',
  route: triggersRoutes['triggers.update'],
  summary: 'Update a trigger',
  description:
    'Changes the given fields and keeps the others; of the definition, only the given keys are replaced, and its type cannot change. From then on the trigger belongs to the owner of the caller, and its runs act with the permissions of the caller as far as that owner holds them. Switch a trigger off with `enabled: false`.',
  tag,
  permission: toEdit,
  params: triggerParams,
  body: triggerPatch,
  example: { enabled: false, definition: { message: 'What is new?' } },
  errors: [noSuch('trigger or version')],
  answer: trigger,
});

export const takeOverTrigger = operation({
  id: 'triggers.takeOver',
  route: triggersRoutes['triggers.takeOver'],
  summary: 'Become the owner of a trigger',
  description:
    'Makes the person who calls, or the owner of the calling key, the owner of the trigger, and changes nothing else. Its runs act with the permissions of the caller from then on. A trigger that is paused because of its owner fires again.',
  tag,
  permission: toEdit,
  params: triggerParams,
  errors: [noSuch('trigger')],
  answer: trigger,
});

export const deleteTrigger = operation({
  id: 'triggers.delete',
  route: triggersRoutes['triggers.delete'],
  summary: 'Delete a trigger and its deliveries',
  description: 'Deletes a trigger and the record of its deliveries. Runs that it has started go on.',
  tag,
  permission: toEdit,
  params: triggerParams,
  errors: [noSuch('trigger')],
  answer: success,
});

export const fireTrigger = operation({
  id: 'triggers.fire',
  route: triggersRoutes['triggers.fire'],
  summary: 'Fire a trigger by hand',
  description:
    'Fires a trigger once with the given input, also one that is switched off. The run may do only what both the caller and the owner of the trigger may do. A trigger of a chat service is answered with 409.',
  tag,
  permission: toRun,
  audit: { none: 'a run is work; it is listed with its own trace' },
  params: triggerParams,
  body: triggerFire,
  example: { input: { order: 17 } },
  errors: [noSuch('trigger'), conflicts('not_fireable', 'The trigger chooses messages of a channel.'), paused],
  answer: delivery,
});

export const listTriggerDeliveries = operation({
  id: 'triggers.listDeliveries',
  route: triggersRoutes['triggers.listDeliveries'],
  summary: 'List the deliveries of a trigger',
  description:
    'Returns what has fired the trigger, the newest first, with the run that it started or the reason why none began. Deliveries are kept for 30 days.',
  tag,
  permission: toRun,
  params: triggerParams,
  query: deliveryQuery,
  errors: [noSuch('trigger')],
  answer: deliveryPage,
});

export const redeliverTrigger = operation({
  id: 'triggers.redeliver',
  route: triggersRoutes['triggers.redeliver'],
  summary: 'Start a run with the input of an earlier delivery',
  description:
    'Creates a new delivery with the input of an earlier one, and so a new run. Use it when the first run failed for a reason that is fixed now.',
  tag,
  permission: toRun,
  audit: { none: 'a run is work; it is listed with its own trace' },
  params: deliveryParams,
  errors: [noSuch('trigger or delivery'), paused],
  answer: delivery,
});

export const triggersOperations = [
  listTriggers,
  previewSchedule,
  listWorkflowTriggers,
  createWorkflowTrigger,
  listAgentTriggers,
  createAgentTrigger,
  createChannelTrigger,
  getTrigger,
  updateTrigger,
  takeOverTrigger,
  deleteTrigger,
  fireTrigger,
  listTriggerDeliveries,
  redeliverTrigger,
];
