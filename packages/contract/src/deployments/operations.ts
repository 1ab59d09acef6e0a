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
} from './schema.ts';

const tag = 'Deployments';

const permission = 'agents_edit';

export const listDeployments = operation({
  id: 'deployments.list',
  route: deploymentsRoutes['deployments.list'],
  summary: 'List the channels that an agent is deployed to',
  tag,
  permission,
  params: deploymentsParams,
  query: deploymentListQuery,
  answer: deploymentPage,
});

export const createDeployment = operation({
  id: 'deployments.create',
  route: deploymentsRoutes['deployments.create'],
  summary: 'Deploy an agent to a channel; secrets that are made for it are shown this once',
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
  tag,
  permission,
  params: deploymentParams,
  answer: deployment,
});

export const updateDeployment = operation({
  id: 'deployments.update',
  route: deploymentsRoutes['deployments.update'],
  summary: 'Change a deployment; config is merged by key, and a secret that is left out stays',
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
  summary: 'Replace the address of a public page, or the secrets that were made for a deployment',
  tag,
  permission,
  params: deploymentParams,
  answer: deploymentMade,
});

export const deleteDeployment = operation({
  id: 'deployments.delete',
  route: deploymentsRoutes['deployments.delete'],
  summary: 'End a deployment; its conversations stay',
  tag,
  permission,
  params: deploymentParams,
  answer: success,
});

export const deploymentsOperations = [
  listDeployments,
  createDeployment,
  getDeployment,
  updateDeployment,
  rotateDeployment,
  deleteDeployment,
];
