import { z } from 'zod';
import { pageFields } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import * as s from '../../lib/schema/schema.ts';
import type { AgentPresenter } from './present.ts';
import {
  agentParams,
  agentVersion,
  agentVersionWritten,
  diffQuery,
  versionCreate,
  versionDiff,
  versionParams,
} from './schema.ts';
import type { AgentVersions } from './versions.ts';

const tag = 'Agents';

export const agentVersionRoutes = (versions: AgentVersions, present: AgentPresenter): Route[] => [
  defineRoute({
    route: 'GET /v1/agents/{agent_id}/versions',
    summary: 'List the versions of an agent, newest first',
    tag,
    permission: 'agents_run',
    params: agentParams,
    query: s.query(pageFields),
    answer: z.array(agentVersion),
    handler: (scope, { params, query }) => versions.list(scope, params.agent_id, query),
    present: present.versions,
  }),
  defineRoute({
    route: 'POST /v1/agents/{agent_id}/versions',
    summary: 'Make a version from the given settings, or from the draft',
    tag,
    permission: 'agents_edit',
    params: agentParams,
    body: versionCreate,
    example: { name: 'Friendlier', description: 'Shorter answers', publish: false },
    answer: agentVersionWritten,
    handler: (scope, { params, body }) => versions.create(scope, params.agent_id, body),
    present: present.version,
  }),
  defineRoute({
    route: 'GET /v1/agents/{agent_id}/versions/diff',
    summary: 'Compare two versions, key by key',
    tag,
    permission: 'agents_run',
    params: agentParams,
    query: diffQuery,
    answer: versionDiff,
    handler: (scope, { params, query }) => versions.diff(scope, params.agent_id, query.from, query.to),
  }),
  defineRoute({
    route: 'GET /v1/agents/{agent_id}/versions/{version_id}',
    summary: 'Get a version of an agent',
    tag,
    permission: 'agents_run',
    params: versionParams,
    answer: agentVersion,
    handler: (scope, { params }) => versions.get(scope, params.agent_id, params.version_id),
    present: present.version,
  }),
  defineRoute({
    route: 'POST /v1/agents/{agent_id}/versions/{version_id}/publish',
    summary: 'Publish a version: new conversations use it',
    tag,
    permission: 'agents_edit',
    params: versionParams,
    answer: agentVersion,
    handler: (scope, { params }) => versions.publish(scope, params.agent_id, params.version_id),
    present: present.version,
  }),
];
