import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { agentsRoutes } from './routes.ts';
import {
  agent,
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
  tag,
  permission: 'agents_run',
  query: agentListQuery,
  answer: agentPage,
});

export const createAgent = operation({
  id: 'agents.create',
  route: agentsRoutes['agents.create'],
  summary: 'Create an agent',
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
  tag,
  permission: 'agents_run',
  params: agentParams,
  answer: agent,
});

export const updateAgent = operation({
  id: 'agents.update',
  route: agentsRoutes['agents.update'],
  summary: 'Change an agent; preview=true writes the draft',
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
  summary: 'Delete an agent; it can be restored',
  tag,
  permission: 'agents_delete',
  params: agentParams,
  answer: success,
});

export const restoreAgent = operation({
  id: 'agents.restore',
  route: agentsRoutes['agents.restore'],
  summary: 'Restore a deleted agent',
  tag,
  permission: 'agents_delete',
  params: agentParams,
  answer: success,
});

export const agentsOperations = [listAgents, createAgent, getAgent, updateAgent, deleteAgent, restoreAgent];
