import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import {
  deployment,
  deploymentCreate,
  deploymentListQuery,
  deploymentMade,
  deploymentPage,
  deploymentParams,
  deploymentPatch,
  deploymentsParams,
} from './schema.ts';
import type { Deployments } from './service.ts';

const tag = 'Deployments';
const permission = 'agents_edit';

export const deploymentRoutes = (deployments: Deployments): Route[] => [
  defineRoute({
    route: 'GET /v1/agents/{agent_id}/deployments',
    summary: 'List the channels that an agent is deployed to',
    tag,
    permission,
    params: deploymentsParams,
    query: deploymentListQuery,
    answer: deploymentPage,
    handler: (scope, { params, query }) => deployments.list(scope, params.agent_id, query),
  }),
  defineRoute({
    route: 'POST /v1/agents/{agent_id}/deployments',
    summary: 'Deploy an agent to a channel; secrets that are made for it are shown this once',
    tag,
    permission,
    params: deploymentsParams,
    body: deploymentCreate,
    example: { channel: 'webhook', name: 'Shop', custom_instructions: 'Answer in one sentence.' },
    answer: deploymentMade,
    handler: (scope, { params, body }) => deployments.create(scope, params.agent_id, body),
  }),
  defineRoute({
    route: 'GET /v1/agents/{agent_id}/deployments/{deployment_id}',
    summary: 'Get a deployment',
    tag,
    permission,
    params: deploymentParams,
    answer: deployment,
    handler: (scope, { params }) => deployments.get(scope, params.agent_id, params.deployment_id),
  }),
  defineRoute({
    route: 'PATCH /v1/agents/{agent_id}/deployments/{deployment_id}',
    summary: 'Change a deployment; config is merged by key, and a secret that is left out stays',
    tag,
    permission,
    params: deploymentParams,
    body: deploymentPatch,
    example: { enabled: false },
    answer: deployment,
    handler: (scope, { params, body, if_match }) =>
      deployments.update(scope, params.agent_id, params.deployment_id, body, if_match),
  }),
  defineRoute({
    route: 'POST /v1/agents/{agent_id}/deployments/{deployment_id}/rotate',
    summary: 'Replace the address of a public page, or the secrets that were made for a deployment',
    tag,
    permission,
    params: deploymentParams,
    answer: deploymentMade,
    handler: (scope, { params }) => deployments.rotate(scope, params.agent_id, params.deployment_id),
  }),
  defineRoute({
    route: 'DELETE /v1/agents/{agent_id}/deployments/{deployment_id}',
    summary: 'End a deployment; its conversations stay',
    tag,
    permission,
    params: deploymentParams,
    answer: success,
    handler: async (scope, { params }) => {
      await deployments.remove(scope, params.agent_id, params.deployment_id);
      return done;
    },
  }),
];
