import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { deploymentsRoutes } from './routes.ts';
import {
  deployment,
  deploymentCreate,
  deploymentListQuery,
  deploymentMade,
  deploymentPage,
  deploymentParams,
  deploymentPatch,
  deploymentsParams,
  workspaceDeploymentsQuery,
} from './schema.ts';

const tag = 'Deployments';

const permission = 'agents_edit';

export const listDeployments = operation({
  id: 'deployments.list',
  route: deploymentsRoutes['deployments.list'],
  summary: 'List the channels that an agent is deployed to',
  description: 'Returns the deployments of an agent page by page. Secrets are masked.',
  tag,
  permission,
  params: deploymentsParams,
  query: deploymentListQuery,
  answer: deploymentPage,
});

export const listAllDeployments = operation({
  id: 'deployments.listAll',
  route: deploymentsRoutes['deployments.listAll'],
  summary: 'List the deployments of the workspace',
  description:
    'Returns the deployments of all agents page by page, the newest first, each with its `health`. Those of deleted agents are left out. Secrets are masked.',
  tag,
  permission,
  query: workspaceDeploymentsQuery,
  answer: deploymentPage,
});

export const createDeployment = operation({
  id: 'deployments.create',
  route: deploymentsRoutes['deployments.create'],
  summary: 'Deploy an agent to a channel',
  description:
    "Makes an agent reachable through a channel; `config` takes the fields of that channel, and others are refused. Secrets that the server generates are returned once, in `made_secrets`. Conversations of the deployment hold those of the caller's permissions that agents need.",
  tag,
  permission,
  params: deploymentsParams,
  body: deploymentCreate,
  example: { channel: 'webhook', name: 'Shop', custom_instructions: 'Answer in one sentence.' },
  answer: deploymentMade,
});

export const getDeployment = operation({
  id: 'deployments.get',
  route: deploymentsRoutes['deployments.get'],
  summary: 'Get a deployment',
  description: 'Returns one deployment with its paths and its last error. Secrets are masked.',
  tag,
  permission,
  params: deploymentParams,
  answer: deployment,
});

export const updateDeployment = operation({
  id: 'deployments.update',
  route: deploymentsRoutes['deployments.update'],
  summary: 'Change a deployment',
  description:
    'Changes the given fields; `config` is merged by key, and a masked or missing secret stays. A changed address that a secret is sent to needs that secret again. After a change of `config` or `custom_instructions` the deployment holds the permissions of the caller. Send the `etag` as `If-Match` to refuse a change that overwrites another.',
  tag,
  permission,
  params: deploymentParams,
  body: deploymentPatch,
  example: { enabled: false },
  answer: deployment,
});

export const rotateDeployment = operation({
  id: 'deployments.rotate',
  route: deploymentsRoutes['deployments.rotate'],
  summary: 'Replace the page address or the generated secrets of a deployment',
  description:
    'Gives the page of a `web` deployment a new address, or replaces the secrets that the server generated, and returns them once. The old ones stop working at once. Slack and Teams issue their own secrets: change those with an update.',
  tag,
  permission,
  params: deploymentParams,
  answer: deploymentMade,
});

export const takeOverDeployment = operation({
  id: 'deployments.takeOver',
  route: deploymentsRoutes['deployments.takeOver'],
  summary: 'Become the owner of a deployment',
  description:
    'Makes the person who calls, or the owner of the calling key, the owner of the deployment. Its conversations have the rights to run that the caller holds from then on. A deployment that is paused because of its owner accepts messages again.',
  tag,
  permission,
  params: deploymentParams,
  answer: deployment,
});

export const deleteDeployment = operation({
  id: 'deployments.delete',
  route: deploymentsRoutes['deployments.delete'],
  summary: 'Delete a deployment; its conversations stay',
  description: 'Deletes a deployment: the channel no longer reaches the agent. Its conversations stay.',
  tag,
  permission,
  params: deploymentParams,
  answer: success,
});

export const deploymentsOperations = [
  listAllDeployments,
  listDeployments,
  createDeployment,
  getDeployment,
  updateDeployment,
  rotateDeployment,
  takeOverDeployment,
  deleteDeployment,
];
