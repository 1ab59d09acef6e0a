import {
  createDeployment,
  deleteDeployment,
  getDeployment,
  listAllDeployments,
  listDeployments,
  rotateDeployment,
  takeOverDeployment,
  updateDeployment,
} from '@atrium/contract/deployments/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Deployments } from './service.ts';

export const deploymentRoutes = (deployments: Deployments): Route[] => [
  handle(listAllDeployments, (scope, { query }) => deployments.listOfWorkspace(scope, query)),
  handle(listDeployments, (scope, { params, query }) => deployments.list(scope, params.agent_id, query)),
  handle(createDeployment, (scope, { params, body }) => deployments.create(scope, params.agent_id, body)),
  handle(getDeployment, (scope, { params }) => deployments.get(scope, params.agent_id, params.deployment_id)),
  handle(updateDeployment, (scope, { params, body }) =>
    deployments.update(scope, params.agent_id, params.deployment_id, body),
  ),
  handle(rotateDeployment, (scope, { params }) => deployments.rotate(scope, params.agent_id, params.deployment_id)),
  handle(takeOverDeployment, (scope, { params }) => deployments.takeOver(scope, params.agent_id, params.deployment_id)),
  handle(deleteDeployment, async (scope, { params }) => {
    await deployments.remove(scope, params.agent_id, params.deployment_id);
    return done;
  }),
];
