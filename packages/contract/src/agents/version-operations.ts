import { z } from 'zod';
import { operation } from '../operation.ts';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { agentsRoutes } from './routes.ts';
import {
  agentParams,
  agentVersion,
  agentVersionWritten,
  diffQuery,
  versionCreate,
  versionDiff,
  versionParams,
} from './schema.ts';

const tag = 'Agents';

export const listAgentVersions = operation({
  id: 'agentVersions.list',
  route: agentsRoutes['agentVersions.list'],
  summary: 'List the versions of an agent, newest first',
  tag,
  permission: 'agents_run',
  params: agentParams,
  query: s.query(pageFields),
  answer: z.array(agentVersion),
});

export const createAgentVersion = operation({
  id: 'agentVersions.create',
  route: agentsRoutes['agentVersions.create'],
  summary: 'Make a version from the given settings, or from the draft',
  tag,
  permission: 'agents_edit',
  params: agentParams,
  body: versionCreate,
  example: { name: 'Friendlier', description: 'Shorter answers', publish: false },
  answer: agentVersionWritten,
});

export const compareAgentVersions = operation({
  id: 'agentVersions.compare',
  route: agentsRoutes['agentVersions.compare'],
  summary: 'Compare two versions, key by key',
  tag,
  permission: 'agents_run',
  params: agentParams,
  query: diffQuery,
  answer: versionDiff,
});

export const getAgentVersion = operation({
  id: 'agentVersions.get',
  route: agentsRoutes['agentVersions.get'],
  summary: 'Get a version of an agent',
  tag,
  permission: 'agents_run',
  params: versionParams,
  answer: agentVersion,
});

export const publishAgentVersion = operation({
  id: 'agentVersions.publish',
  route: agentsRoutes['agentVersions.publish'],
  summary: 'Publish a version: new conversations use it',
  tag,
  permission: 'agents_edit',
  params: versionParams,
  answer: agentVersion,
});

export const agentVersionOperations = [
  listAgentVersions,
  createAgentVersion,
  compareAgentVersions,
  getAgentVersion,
  publishAgentVersion,
];
