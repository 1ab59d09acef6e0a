import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { ByHand } from './by-hand.ts';
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
import type { Triggers } from './service.ts';

const tag = 'Triggers';
const schedule = { type: 'schedule', cron: '0 8 * * 1-5', timezone: 'Europe/Berlin' };

export const workflowTriggerRoutes = (triggers: Triggers): Route[] => [
  defineRoute({
    route: 'GET /v1/workflows/{workflow_id}/triggers',
    summary: 'List the triggers of a workflow',
    tag,
    permission: 'flows_run',
    params: workflowParams,
    query: pageQuery,
    answer: triggerPage,
    handler: (scope, { params, query }) => triggers.list(scope, 'workflow', params.workflow_id, query),
  }),
  defineRoute({
    route: 'POST /v1/workflows/{workflow_id}/triggers',
    summary: 'Create a trigger of a workflow: a schedule, a webhook or an event',
    tag,
    permission: 'flows_edit',
    params: workflowParams,
    body: workflowTriggerCreate,
    example: { name: 'Every working day at eight', definition: { ...schedule, input: { topic: 'News' } } },
    answer: trigger,
    handler: (scope, { params, body: { workflow_version_id, ...body } }) =>
      triggers.create(scope, 'workflow', params.workflow_id, { ...body, version_id: workflow_version_id }),
  }),
];

export const agentTriggerRoutes = (triggers: Triggers): Route[] => [
  defineRoute({
    route: 'GET /v1/agents/{agent_id}/triggers',
    summary: 'List the triggers of an agent',
    tag,
    permission: 'agents_run',
    params: agentParams,
    answer: triggerList,
    handler: (scope, { params }) => triggers.all(scope, 'agent', params.agent_id),
  }),
  defineRoute({
    route: 'POST /v1/agents/{agent_id}/triggers',
    summary: 'Create a trigger of an agent: a schedule, a webhook or an event',
    tag,
    permission: 'agents_edit',
    params: agentParams,
    body: agentTriggerCreate,
    example: { name: 'Every working day at eight', definition: { ...schedule, message: 'What is new?' } },
    answer: trigger,
    handler: (scope, { params, body: { assistant_version_id, ...body } }) =>
      triggers.create(scope, 'agent', params.agent_id, { ...body, version_id: assistant_version_id }),
  }),
  defineRoute({
    route: 'POST /v1/agents/{agent_id}/triggers/{channel_type}',
    summary: 'Let messages of a chat service reach an agent',
    tag,
    permission: 'agents_edit',
    params: channelParams,
    body: channelTriggerCreate,
    example: { team_id: 'T0123', channel: 'C0456', keyword: 'help' },
    answer: trigger,
    handler: (scope, { params, body }) => triggers.createForChannel(scope, params.agent_id, params.channel_type, body),
  }),
];

/** What a trigger takes follows from what it starts. */
const toRun = ['agents_run', 'flows_run'] as const;
const toEdit = ['agents_edit', 'flows_edit'] as const;

export const triggerRoutes = (triggers: Triggers, byHand: ByHand): Route[] => [
  defineRoute({
    route: 'GET /v1/triggers/{trigger_id}',
    summary: 'Get a trigger',
    tag,
    permission: toRun,
    params: triggerParams,
    answer: trigger,
    handler: (scope, { params }) => triggers.get(scope, params.trigger_id),
  }),
  defineRoute({
    route: 'PATCH /v1/triggers/{trigger_id}',
    summary: 'Change a trigger, or switch it on or off',
    tag,
    permission: toEdit,
    params: triggerParams,
    body: triggerPatch,
    example: { enabled: false, definition: { message: 'What is new?' } },
    answer: trigger,
    handler: (scope, { params, body }) => triggers.update(scope, params.trigger_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/triggers/{trigger_id}',
    summary: 'Delete a trigger and its deliveries',
    tag,
    permission: toEdit,
    params: triggerParams,
    answer: success,
    handler: async (scope, { params }) => {
      await triggers.remove(scope, params.trigger_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/triggers/{trigger_id}/fire',
    summary: 'Fire a trigger by hand',
    tag,
    permission: toRun,
    params: triggerParams,
    body: triggerFire,
    example: { input: { order: 17 } },
    answer: delivery,
    handler: (scope, { params, body }) => byHand.fire(scope, params.trigger_id, body.input),
  }),
  defineRoute({
    route: 'GET /v1/triggers/{trigger_id}/deliveries',
    summary: 'List what fired a trigger, newest first',
    tag,
    permission: toRun,
    params: triggerParams,
    query: deliveryQuery,
    answer: deliveryPage,
    handler: (scope, { params, query }) => byHand.deliveries(scope, params.trigger_id, query),
  }),
  defineRoute({
    route: 'POST /v1/triggers/{trigger_id}/deliveries/{delivery_id}/redeliver',
    summary: 'Start a run with the input of an earlier delivery',
    tag,
    permission: toRun,
    params: deliveryParams,
    answer: delivery,
    handler: (scope, { params }) => byHand.redeliver(scope, params.trigger_id, params.delivery_id),
  }),
];
