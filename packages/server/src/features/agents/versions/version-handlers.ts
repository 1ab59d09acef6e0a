import {
  compareAgentVersions,
  createAgentVersion,
  getAgentVersion,
  listAgentVersions,
  publishAgentVersion,
} from '@atrium/contract/agents/version-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { AgentVersions } from '../ports.ts';
import type { AgentPresenter } from '../present.ts';

export const agentVersionRoutes = (versions: AgentVersions, present: AgentPresenter): Route[] => [
  handle(
    listAgentVersions,
    (scope, { params, query }) => versions.list(scope, params.agent_id, query),
    present.versions,
  ),
  handle(
    createAgentVersion,
    (scope, { params, body }) => versions.create(scope, params.agent_id, body),
    present.version,
  ),
  handle(compareAgentVersions, (scope, { params, query }) =>
    versions.diff(scope, params.agent_id, query.from, query.to),
  ),
  handle(
    getAgentVersion,
    (scope, { params }) => versions.get(scope, params.agent_id, params.version_id),
    present.version,
  ),
  handle(
    publishAgentVersion,
    (scope, { params, body }) => versions.publish(scope, params.agent_id, params.version_id, body.override_reason),
    present.version,
  ),
];
