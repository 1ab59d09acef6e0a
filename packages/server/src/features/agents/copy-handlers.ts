import {
  duplicateAgent,
  followAgent,
  listFollowedAgents,
  listFollowers,
  listStartingPoints,
  unfollowAgent,
} from '@atrium/contract/agents/copy-operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { DuplicateAgent } from './duplicate-agent.ts';
import type { Followers } from './followers/followers.ts';
import type { AgentPresenter } from './present.ts';
import type { Agents } from './service.ts';
import type { LoadedStartingPoint } from './starting-points/load-starting-points.ts';

export const agentCopyRoutes = (deps: {
  agents: Pick<Agents, 'show'>;
  duplicate: DuplicateAgent;
  followers: Followers;
  startingPoints(): readonly LoadedStartingPoint[];
  present: AgentPresenter;
}): Route[] => [
  handle(listStartingPoints, () => deps.startingPoints().map(({ shown }) => shown)),
  handle(
    duplicateAgent,
    async (scope, { params, body }) => deps.agents.show(scope, await deps.duplicate(scope, params.agent_id, body.name)),
    deps.present.agent,
  ),
  handle(followAgent, (scope, { params }) => deps.followers.follow(scope, params.agent_id)),
  handle(unfollowAgent, (scope, { params }) => deps.followers.unfollow(scope, params.agent_id)),
  handle(listFollowers, (scope, { params }) => deps.followers.list(scope, params.agent_id)),
  handle(listFollowedAgents, (scope) => deps.followers.followed(scope)),
];
