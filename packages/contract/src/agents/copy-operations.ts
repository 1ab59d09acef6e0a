import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import { agentDuplicate, followedAgents, followers, following } from './follower-schema.ts';
import { agentsRoutes } from './routes.ts';
import { agentParams, agentWritten } from './schema.ts';
import { startingPoints } from './starting-point-schema.ts';

const tag = 'Agents';
const notAPerson = conflicts('not_a_person', 'The key belongs to no person: only people follow agents.');

export const listStartingPoints = operation({
  id: 'startingPoints.list',
  route: agentsRoutes['startingPoints.list'],
  summary: 'List starting points for agents',
  description:
    'Returns agents to begin with, each with its settings and what is to be added. Create an agent from one with `starting_point`.',
  tag,
  permission: 'any',
  catalogue: true,
  answer: startingPoints,
});

export const duplicateAgent = operation({
  id: 'agents.duplicate',
  route: agentsRoutes['agents.duplicate'],
  summary: 'Duplicate an agent',
  description:
    'Creates an agent with the same published settings and the same draft, as version 1. Deployments, triggers, memories and conversations stay with the original, and the copy is not open to the public. The key needs the permissions of everything that the settings name, as when it creates an agent.',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  body: agentDuplicate,
  example: { name: 'Support, a trial' },
  answer: agentWritten,
});

export const followAgent = operation({
  id: 'agents.follow',
  route: agentsRoutes['agents.follow'],
  summary: 'Follow an agent',
  description: 'The person is notified of what happens to the agent. Following twice changes nothing.',
  tag,
  permission: 'agents_run',
  audit: { none: 'people choose what they hear of themselves' },
  params: agentParams,
  answer: following,
  errors: [noSuch('agent'), notAPerson],
});

export const unfollowAgent = operation({
  id: 'agents.unfollow',
  route: agentsRoutes['agents.unfollow'],
  summary: 'Stop following an agent',
  description: 'The person is not notified of the agent any more. Not following it already changes nothing.',
  tag,
  permission: 'agents_run',
  audit: { none: 'people choose what they hear of themselves' },
  params: agentParams,
  answer: following,
  errors: [noSuch('agent'), notAPerson],
});

export const listFollowers = operation({
  id: 'agents.listFollowers',
  route: agentsRoutes['agents.listFollowers'],
  summary: 'List the followers of an agent',
  description: 'Returns the people who follow an agent and are still active, for those who edit it.',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  answer: followers,
});

export const listFollowedAgents = operation({
  id: 'agents.listFollowed',
  route: agentsRoutes['agents.listFollowed'],
  summary: 'List the agents that one follows',
  description:
    'Returns the agents of the workspace that the person follows, the newest first. Empty for a key of no person.',
  tag,
  permission: 'agents_run',
  answer: followedAgents,
});

export const agentCopyOperations = [
  listStartingPoints,
  duplicateAgent,
  followAgent,
  unfollowAgent,
  listFollowers,
  listFollowedAgents,
];
