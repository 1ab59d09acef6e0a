import {
  createAgent,
  deleteAgent,
  getAgent,
  listAgents,
  restoreAgent,
  updateAgent,
} from '@atrium/contract/agents/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { AgentPresenter } from './present.ts';
import type { Agents } from './service.ts';

export const agentRoutes = (agents: Agents, present: AgentPresenter): Route[] => [
  handle(listAgents, (scope, { query }) => agents.list(scope, query), present.agents),
  handle(createAgent, (scope, { body }) => agents.create(scope, body), present.agent),
  handle(getAgent, (scope, { params }) => agents.show(scope, params.agent_id), present.agent),
  handle(
    updateAgent,
    (scope, { params, query, body }) => agents.update(scope, params.agent_id, body, { preview: query.preview }),
    present.agent,
  ),
  handle(deleteAgent, async (scope, { params }) => {
    await agents.remove(scope, params.agent_id);
    return done;
  }),
  handle(restoreAgent, async (scope, { params }) => {
    await agents.restore(scope, params.agent_id);
    return done;
  }),
];
