import { operation } from '../operation.ts';
import { listed, summaryOf, windowFields } from '../page.ts';
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
  versionPublish,
} from './schema.ts';

const tag = 'Agents';

export const listAgentVersions = operation({
  id: 'agentVersions.list',
  route: agentsRoutes['agentVersions.list'],
  summary: 'List the versions of an agent',
  description:
    'Returns versions of an agent, newest first, each with all of its settings. The answer is a plain list of one page, without totals: clients of this path read it so.',
  tag,
  permission: 'agents_run',
  params: agentParams,
  query: s.query(windowFields),
  answer: listed(
    agentVersion,
    summaryOf(agentVersion, [
      'id',
      'number',
      'name',
      'description',
      'is_published',
      'created_by',
      'created_by_actor',
      'created_at',
    ]),
  ),
});

export const createAgentVersion = operation({
  id: 'agentVersions.create',
  route: agentsRoutes['agentVersions.create'],
  summary: 'Create a version of an agent',
  description:
    'Creates a version from the given settings, else from the draft, else from the published settings. It is used by new conversations once it is published; until then, callers with `agents_edit` can name it.',
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
  summary: 'Compare two versions of an agent',
  description:
    'Returns the settings in which two versions of an agent differ, with both values. Credentials are masked unless the key holds `agents_edit`.',
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
  description: 'Returns one version of an agent with all of its settings. Versions never change.',
  tag,
  permission: 'agents_run',
  params: versionParams,
  answer: agentVersion,
});

export const publishAgentVersion = operation({
  id: 'agentVersions.publish',
  route: agentsRoutes['agentVersions.publish'],
  summary: 'Publish a version of an agent',
  description:
    'Makes a version the one that new conversations use, and ends the draft. Conversations that began with another version keep it. Publish an older version to go back. Where the agent has a gate, the settings must have passed its evaluation: else the answer is 409 `evaluation_running` or `evaluation_failed`, with the run and the cases that failed.',
  tag,
  permission: 'agents_edit',
  params: versionParams,
  body: versionPublish,
  example: {},
  answer: agentVersion,
});

export const agentVersionOperations = [
  listAgentVersions,
  createAgentVersion,
  compareAgentVersions,
  getAgentVersion,
  publishAgentVersion,
];
