import { operation } from '../operation.ts';
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
  pageQuery,
  trigger,
  triggerFire,
  triggerList,
  triggerPage,
  triggerParams,
  triggerPatch,
  workflowParams,
  workflowTriggerCreate,
} from './schema.ts';

const tag = 'Triggers';

const schedule = { type: 'schedule', cron: '0 8 * * 1-5', timezone: 'Europe/Berlin' };

/** What a trigger takes follows from what it starts. */
const toRun = ['agents_run', 'flows_run'] as const;

const toEdit = ['agents_edit', 'flows_edit'] as const;

export const listWorkflowTriggers = operation({
  id: 'triggers.listOfWorkflow',
  route: triggersRoutes['triggers.listOfWorkflow'],
  summary: 'List the triggers of a workflow',
  tag,
  permission: 'flows_run',
  params: workflowParams,
  query: pageQuery,
  answer: triggerPage,
});

export const createWorkflowTrigger = operation({
  id: 'triggers.createForWorkflow',
  route: triggersRoutes['triggers.createForWorkflow'],
  summary: 'Create a trigger of a workflow: a schedule, a webhook or an event',
  tag,
  permission: 'flows_edit',
  params: workflowParams,
  body: workflowTriggerCreate,
  example: { name: 'Every working day at eight', definition: { ...schedule, input: { topic: 'News' } } },
  answer: trigger,
});

export const listAgentTriggers = operation({
  id: 'triggers.listOfAgent',
  route: triggersRoutes['triggers.listOfAgent'],
  summary: 'List the triggers of an agent',
  tag,
  permission: 'agents_run',
  params: agentParams,
  answer: triggerList,
});

export const createAgentTrigger = operation({
  id: 'triggers.createForAgent',
  route: triggersRoutes['triggers.createForAgent'],
  summary: 'Create a trigger of an agent: a schedule, a webhook or an event',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  body: agentTriggerCreate,
  example: { name: 'Every working day at eight', definition: { ...schedule, message: 'What is new?' } },
  answer: trigger,
});

export const createChannelTrigger = operation({
  id: 'triggers.createForChannel',
  route: triggersRoutes['triggers.createForChannel'],
  summary: 'Let messages of a chat service reach an agent',
  tag,
  permission: 'agents_edit',
  params: channelParams,
  body: channelTriggerCreate,
  example: { team_id: 'T0123', channel: 'C0456', keyword: 'help' },
  answer: trigger,
});

export const getTrigger = operation({
  id: 'triggers.get',
  route: triggersRoutes['triggers.get'],
  summary: 'Get a trigger',
  tag,
  permission: toRun,
  params: triggerParams,
  answer: trigger,
});

export const updateTrigger = operation({
  id: 'triggers.update',
  route: triggersRoutes['triggers.update'],
  summary: 'Change a trigger, or switch it on or off',
  tag,
  permission: toEdit,
  params: triggerParams,
  body: triggerPatch,
  example: { enabled: false, definition: { message: 'What is new?' } },
  answer: trigger,
});

export const deleteTrigger = operation({
  id: 'triggers.delete',
  route: triggersRoutes['triggers.delete'],
  summary: 'Delete a trigger and its deliveries',
  tag,
  permission: toEdit,
  params: triggerParams,
  answer: success,
});

export const fireTrigger = operation({
  id: 'triggers.fire',
  route: triggersRoutes['triggers.fire'],
  summary: 'Fire a trigger by hand',
  tag,
  permission: toRun,
  params: triggerParams,
  body: triggerFire,
  example: { input: { order: 17 } },
  answer: delivery,
});

export const listTriggerDeliveries = operation({
  id: 'triggers.listDeliveries',
  route: triggersRoutes['triggers.listDeliveries'],
  summary: 'List what fired a trigger, newest first',
  tag,
  permission: toRun,
  params: triggerParams,
  query: deliveryQuery,
  answer: deliveryPage,
});

export const redeliverTrigger = operation({
  id: 'triggers.redeliver',
  route: triggersRoutes['triggers.redeliver'],
  summary: 'Start a run with the input of an earlier delivery',
  tag,
  permission: toRun,
  params: deliveryParams,
  answer: delivery,
});

export const triggersOperations = [
  listWorkflowTriggers,
  createWorkflowTrigger,
  listAgentTriggers,
  createAgentTrigger,
  createChannelTrigger,
  getTrigger,
  updateTrigger,
  deleteTrigger,
  fireTrigger,
  listTriggerDeliveries,
  redeliverTrigger,
];
