import { done } from '@atrium/contract/page.ts';
import {
  createAgentTrigger,
  createChannelTrigger,
  createWorkflowTrigger,
  deleteTrigger,
  fireTrigger,
  getTrigger,
  listAgentTriggers,
  listTriggerDeliveries,
  listTriggers,
  listWorkflowTriggers,
  previewSchedule,
  redeliverTrigger,
  takeOverTrigger,
  updateTrigger,
} from '@atrium/contract/triggers/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { ManualTriggers } from './fire/manual-triggers.ts';
import type { Triggers } from './ports.ts';

export const workflowTriggerRoutes = (triggers: Triggers): Route[] => [
  handle(listWorkflowTriggers, (scope, { params, query }) =>
    triggers.list(scope, 'workflow', params.workflow_id, query),
  ),
  handle(createWorkflowTrigger, (scope, { params, body: { workflow_version_id, ...body } }) =>
    triggers.create(scope, 'workflow', params.workflow_id, { ...body, version_id: workflow_version_id }),
  ),
];

export const agentTriggerRoutes = (triggers: Triggers): Route[] => [
  handle(listAgentTriggers, (scope, { params }) => triggers.all(scope, 'agent', params.agent_id)),
  handle(createAgentTrigger, (scope, { params, body: { assistant_version_id, ...body } }) =>
    triggers.create(scope, 'agent', params.agent_id, { ...body, version_id: assistant_version_id }),
  ),
  handle(createChannelTrigger, (scope, { params, body }) =>
    triggers.createForChannel(scope, params.agent_id, params.channel_type, body),
  ),
];

export const triggerRoutes = (triggers: Triggers, byHand: ManualTriggers): Route[] => [
  handle(listTriggers, (scope, { query }) => triggers.listOfWorkspace(scope, query)),
  handle(previewSchedule, (_scope, { body }) => triggers.preview(body)),
  handle(getTrigger, (scope, { params }) => triggers.get(scope, params.trigger_id)),
  handle(takeOverTrigger, (scope, { params }) => triggers.takeOver(scope, params.trigger_id)),
  handle(updateTrigger, (scope, { params, body }) => triggers.update(scope, params.trigger_id, body)),
  handle(deleteTrigger, async (scope, { params }) => {
    await triggers.remove(scope, params.trigger_id);
    return done;
  }),
  handle(fireTrigger, (scope, { params, body }) => byHand.fire(scope, params.trigger_id, body.input)),
  handle(listTriggerDeliveries, (scope, { params, query }) => byHand.deliveries(scope, params.trigger_id, query)),
  handle(redeliverTrigger, (scope, { params }) => byHand.redeliver(scope, params.trigger_id, params.delivery_id)),
];
