import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { deleted } from '../uses/schema.ts';
import { agentsRoutes } from './routes.ts';
import {
  agentCreate,
  agentListQuery,
  agentPage,
  agentParams,
  agentPatch,
  agentPatchQuery,
  agentWritten,
} from './schema.ts';

const tag = 'Agents';

export const listAgents = operation({
  id: 'agents.list',
  route: agentsRoutes['agents.list'],
  summary: 'List the agents of the workspace',
  description:
    'Returns the agents of the workspace, page by page, each with all of its settings. Credentials in settings are masked unless the key holds `agents_edit`.',
  tag,
  permission: 'agents_run',
  query: agentListQuery,
  answer: agentPage,
});

export const createAgent = operation({
  id: 'agents.create',
  route: agentsRoutes['agents.create'],
  summary: 'Create an agent',
  description:
    'Creates an agent and publishes its settings as version 1. Records that the settings name must exist in the workspace, and the key needs their permissions.',
  tag,
  permission: 'agents_edit',
  body: agentCreate,
  example: { name: 'Support', definition: { persona: 'You are a patient support agent.', temperature: 0.2 } },
  answer: agentWritten,
});

export const getAgent = operation({
  id: 'agents.get',
  route: agentsRoutes['agents.get'],
  summary: 'Get an agent',
  description:
    'Returns an agent with all settings of its published version and of its draft. A deleted agent is not found until it is restored.',
  tag,
  permission: 'agents_run',
  params: agentParams,
  answer: agentWritten,
});

export const updateAgent = operation({
  id: 'agents.update',
  route: agentsRoutes['agents.update'],
  summary: 'Update an agent or its draft',
  description:
    'Changes the given fields and settings and keeps the others. Settings are published at once as a new version, or stored in the draft with `preview=true`. Locked settings are refused with 403.',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  query: agentPatchQuery,
  body: agentPatch,
  example: { definition: { tone: 'Short and friendly' } },
  answer: agentWritten,
});

export const deleteAgent = operation({
  id: 'agents.delete',
  route: agentsRoutes['agents.delete'],
  summary: 'Delete an agent',
  description:
    'Deletes an agent: it answers no more and leaves the list, but its conversations stay readable and it can be restored.',
  tag,
  permission: 'agents_delete',
  params: agentParams,
  answer: deleted,
});

export const restoreAgent = operation({
  id: 'agents.restore',
  route: agentsRoutes['agents.restore'],
  summary: 'Restore a deleted agent',
  description: 'Brings a deleted agent back as it was. An agent that is not deleted stays as it is.',
  tag,
  permission: 'agents_delete',
  params: agentParams,
  answer: success,
});

export const agentsOperations = [listAgents, createAgent, getAgent, updateAgent, deleteAgent, restoreAgent];
