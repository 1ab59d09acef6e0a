import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { workflowsRoutes } from './routes.ts';
import {
  catalogue,
  forceQuery,
  versionCreate,
  versionParams,
  versionPatch,
  workflow,
  workflowCreate,
  workflowListQuery,
  workflowPage,
  workflowParams,
  workflowPatch,
  workflowVersion,
  workflowVersions,
} from './schema.ts';

const tag = 'Workflows';

const permission = 'flows_run';

const example = { name: 'Greeting', type: 'flow', definition: { nodes: [], edges: [] } };

export const listNodeTypes = operation({
  id: 'workflows.listNodeTypes',
  route: workflowsRoutes['workflows.listNodeTypes'],
  summary: 'List the nodes that workflows are built of',
  tag,
  permission: 'any',
  answer: catalogue,
});

export const listWorkflows = operation({
  id: 'workflows.list',
  route: workflowsRoutes['workflows.list'],
  summary: 'List the workflows of the workspace; deleted=true lists those that can be restored',
  tag,
  permission,
  query: workflowListQuery,
  answer: workflowPage,
});

export const createWorkflow = operation({
  id: 'workflows.create',
  route: workflowsRoutes['workflows.create'],
  summary: 'Create a workflow; force=true stores one that has faults too',
  tag,
  permission: 'flows_edit',
  query: forceQuery,
  body: workflowCreate,
  example,
  answer: workflow,
});

export const getWorkflow = operation({
  id: 'workflows.get',
  route: workflowsRoutes['workflows.get'],
  summary: 'Get a workflow',
  tag,
  permission,
  params: workflowParams,
  answer: workflow,
});

export const updateWorkflow = operation({
  id: 'workflows.update',
  route: workflowsRoutes['workflows.update'],
  summary: 'Change a workflow; force=true stores one that has faults too',
  tag,
  permission: 'flows_edit',
  params: workflowParams,
  query: forceQuery,
  body: workflowPatch,
  example,
  answer: workflow,
});

export const deleteWorkflow = operation({
  id: 'workflows.delete',
  route: workflowsRoutes['workflows.delete'],
  summary: 'Delete a workflow; it can be restored',
  tag,
  permission: 'flows_delete',
  params: workflowParams,
  answer: success,
});

export const restoreWorkflow = operation({
  id: 'workflows.restore',
  route: workflowsRoutes['workflows.restore'],
  summary: 'Restore a deleted workflow, and its triggers with it',
  tag,
  permission: 'flows_delete',
  params: workflowParams,
  answer: success,
});

export const listWorkflowVersions = operation({
  id: 'workflowVersions.list',
  route: workflowsRoutes['workflowVersions.list'],
  summary: 'List the versions of a workflow, the newest first',
  tag,
  permission,
  params: workflowParams,
  answer: workflowVersions,
});

export const createWorkflowVersion = operation({
  id: 'workflowVersions.create',
  route: workflowsRoutes['workflowVersions.create'],
  summary: 'Make a version of a workflow, as it is now or as given',
  tag,
  permission: 'flows_edit',
  params: workflowParams,
  query: forceQuery,
  body: versionCreate,
  example: { name: 'First', definition: { nodes: [], edges: [] } },
  answer: workflowVersion,
});

export const getWorkflowVersion = operation({
  id: 'workflowVersions.get',
  route: workflowsRoutes['workflowVersions.get'],
  summary: 'Get a version of a workflow',
  tag,
  permission,
  params: versionParams,
  answer: workflowVersion,
});

export const updateWorkflowVersion = operation({
  id: 'workflowVersions.update',
  route: workflowsRoutes['workflowVersions.update'],
  summary: 'Change a version of a workflow',
  tag,
  permission: 'flows_edit',
  params: versionParams,
  query: forceQuery,
  body: versionPatch,
  example: { name: 'Second' },
  answer: workflowVersion,
});

export const workflowsOperations = [
  listNodeTypes,
  listWorkflows,
  createWorkflow,
  getWorkflow,
  updateWorkflow,
  deleteWorkflow,
  restoreWorkflow,
  listWorkflowVersions,
  createWorkflowVersion,
  getWorkflowVersion,
  updateWorkflowVersion,
];
