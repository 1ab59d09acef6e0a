import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { AgentPresenter } from './present.ts';
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
import type { Agents } from './service.ts';

const tag = 'Agents';

export const agentRoutes = (agents: Agents, present: AgentPresenter): Route[] => [
  defineRoute({
    route: 'GET /v1/agents',
    summary: 'List the agents of the workspace',
    tag,
    permission: 'agents_run',
    query: agentListQuery,
    answer: agentPage,
    handler: (scope, { query }) => agents.list(scope, query),
    present: present.agents,
  }),
  defineRoute({
    route: 'POST /v1/agents',
    summary: 'Create an agent',
    tag,
    permission: 'agents_edit',
    body: agentCreate,
    example: { name: 'Support', definition: { persona: 'You are a patient support agent.', temperature: 0.2 } },
    answer: agentWritten,
    handler: (scope, { body }) => agents.create(scope, body),
    present: present.agent,
  }),
  defineRoute({
    route: 'GET /v1/agents/{agent_id}',
    summary: 'Get an agent',
    tag,
    permission: 'agents_run',
    params: agentParams,
    answer: agent,
    handler: (scope, { params }) => agents.get(scope, params.agent_id),
    present: present.agent,
  }),
  defineRoute({
    route: 'PATCH /v1/agents/{agent_id}',
    summary: 'Change an agent; preview=true writes the draft',
    tag,
    permission: 'agents_edit',
    params: agentParams,
    query: agentPatchQuery,
    body: agentPatch,
    example: { definition: { tone: 'Short and friendly' } },
    answer: agentWritten,
    handler: (scope, { params, query, body, if_match }) =>
      agents.update(scope, params.agent_id, body, { preview: query.preview, if_match }),
    present: present.agent,
  }),
  defineRoute({
    route: 'DELETE /v1/agents/{agent_id}',
    summary: 'Delete an agent; it can be restored',
    tag,
    permission: 'agents_delete',
    params: agentParams,
    answer: success,
    handler: async (scope, { params }) => {
      await agents.remove(scope, params.agent_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/agents/{agent_id}/restore',
    summary: 'Restore a deleted agent',
    tag,
    permission: 'agents_delete',
    params: agentParams,
    answer: success,
    handler: async (scope, { params }) => {
      await agents.restore(scope, params.agent_id);
      return done;
    },
  }),
];
