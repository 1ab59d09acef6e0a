import { operation } from '../operation.ts';
import { noSuch, refused } from '../operation-errors.ts';
import { success } from '../page.ts';
import { deleted } from '../uses/schema.ts';
import { catalogue } from './catalogue-schema.ts';
import { workflowsRoutes } from './routes.ts';
import {
  forceQuery,
  versionCreate,
  versionParams,
  versionPatch,
  versionsQuery,
  workflowCreate,
  workflowDuplicate,
  workflowListQuery,
  workflowPage,
  workflowParams,
  workflowPatch,
  workflowPatchQuery,
  workflowVersions,
  workflowVersionWritten,
  workflowWritten,
} from './schema.ts';

const tag = 'Workflows';

const permission = 'flows_run';

const example = { name: 'Greeting', type: 'flow', definition: { nodes: [], edges: [] } };

export const listNodeTypes = operation({
  id: 'workflows.listNodeTypes',
  route: workflowsRoutes['workflows.listNodeTypes'],
  summary: 'List the node types that workflows are built of',
  description:
    'Returns the catalogue of node types with their inputs, outputs and config fields, the same for every workspace. Editors load it once at their start, so it is one array and not a page.',
  tag,
  permission: 'any',
  answer: catalogue,
  catalogue: true,
});

export const listWorkflows = operation({
  id: 'workflows.list',
  route: workflowsRoutes['workflows.list'],
  summary: 'List the workflows of the workspace',
  description:
    'Returns the workflows page by page, the newest first. With `deleted` set to true it returns the deleted ones, which can be restored.',
  tag,
  permission,
  query: workflowListQuery,
  answer: workflowPage,
});

export const createWorkflow = operation({
  id: 'workflows.create',
  route: workflowsRoutes['workflows.create'],
  summary: 'Create a workflow',
  description:
    'Creates a workflow; without a definition its graph is empty. A definition with validation errors is refused with 422 unless `force` is true, and ids of records of other workspaces always are. One that reads variables or secrets needs `variables_read`.',
  tag,
  permission: 'flows_edit',
  query: forceQuery,
  body: workflowCreate,
  example,
  errors: [
    refused('variables_forbidden', 'The definition reads variables or secrets, and the caller lacks `variables_read`.'),
  ],
  answer: workflowWritten,
});

export const getWorkflow = operation({
  id: 'workflows.get',
  route: workflowsRoutes['workflows.get'],
  summary: 'Get a workflow',
  description:
    'Returns a workflow with its definition; `warnings` names what in it is gone. Callers without `flows_edit` see no credentials in it.',
  tag,
  permission,
  params: workflowParams,
  errors: [noSuch('workflow')],
  answer: workflowWritten,
});

export const updateWorkflow = operation({
  id: 'workflows.update',
  route: workflowsRoutes['workflows.update'],
  summary: 'Update a workflow',
  description:
    'Changes the given fields and keeps the others; of the definition, only the given keys are replaced. The definition is checked as on creation; what it named before and is gone may stay, with a warning. Runs act with the permissions of the caller that saved it last. With `preview=true`, or `drafts` of the workflow, the definition becomes the draft and what is published stays. Runs that have begun keep the graph they began with.',
  tag,
  permission: 'flows_edit',
  params: workflowParams,
  query: workflowPatchQuery,
  body: workflowPatch,
  example,
  errors: [
    refused('variables_forbidden', 'The definition reads variables or secrets, and the caller lacks `variables_read`.'),
    noSuch('workflow'),
  ],
  answer: workflowWritten,
});

export const deleteWorkflow = operation({
  id: 'workflows.delete',
  route: workflowsRoutes['workflows.delete'],
  summary: 'Delete a workflow',
  description: 'Deletes a workflow, and its triggers stop. Both can be restored.',
  tag,
  permission: 'flows_delete',
  params: workflowParams,
  errors: [noSuch('workflow')],
  answer: deleted,
});

export const restoreWorkflow = operation({
  id: 'workflows.restore',
  route: workflowsRoutes['workflows.restore'],
  summary: 'Restore a deleted workflow',
  description: 'Restores a deleted workflow and its triggers. A workflow that is not deleted stays as it is.',
  tag,
  permission: 'flows_delete',
  params: workflowParams,
  errors: [
    refused('variables_forbidden', 'The definition reads variables or secrets, and the caller lacks `variables_read`.'),
    noSuch('workflow'),
  ],
  answer: success,
});

export const duplicateWorkflow = operation({
  id: 'workflows.duplicate',
  route: workflowsRoutes['workflows.duplicate'],
  summary: 'Duplicate a workflow',
  description:
    'Creates a workflow with the same definition, type and error handler. Versions, triggers and runs stay with the original. Runs of the copy act with the permissions of the caller. Records that the definition names and that are gone are named in `warnings`; those that exist and the caller may not use are refused with 422.',
  tag,
  permission: 'flows_edit',
  params: workflowParams,
  body: workflowDuplicate,
  example: { name: 'Greeting, a trial' },
  errors: [
    refused('variables_forbidden', 'The definition reads variables or secrets, and the caller lacks `variables_read`.'),
    noSuch('workflow'),
  ],
  answer: workflowWritten,
});

export const listWorkflowVersions = operation({
  id: 'workflowVersions.list',
  route: workflowsRoutes['workflowVersions.list'],
  summary: 'List the versions of a workflow',
  description: 'Returns all versions, the newest first, as one array and not as a page: a workflow has few of them.',
  tag,
  permission,
  params: workflowParams,
  query: versionsQuery,
  errors: [noSuch('workflow')],
  answer: workflowVersions,
});

export const createWorkflowVersion = operation({
  id: 'workflowVersions.create',
  route: workflowsRoutes['workflowVersions.create'],
  summary: 'Create a version of a workflow',
  description:
    'Stores a version: the workflow as it is now, with the given parts of the definition replaced. Runs, triggers and nodes can be pinned to it.',
  tag,
  permission: 'flows_edit',
  params: workflowParams,
  query: forceQuery,
  body: versionCreate,
  example: { name: 'First', definition: { nodes: [], edges: [] } },
  errors: [
    refused('variables_forbidden', 'The definition reads variables or secrets, and the caller lacks `variables_read`.'),
    noSuch('workflow'),
  ],
  answer: workflowVersionWritten,
});

export const getWorkflowVersion = operation({
  id: 'workflowVersions.get',
  route: workflowsRoutes['workflowVersions.get'],
  summary: 'Get a version of a workflow',
  description: 'Returns a version with its definition. Callers without `flows_edit` see no credentials in it.',
  tag,
  permission,
  params: versionParams,
  errors: [noSuch('workflow or version')],
  answer: workflowVersionWritten,
});

export const updateWorkflowVersion = operation({
  id: 'workflowVersions.update',
  route: workflowsRoutes['workflowVersions.update'],
  summary: 'Update a version of a workflow',
  description:
    'Changes the given fields and keeps the others. Runs, triggers and nodes that are pinned to the version use the new definition from then on.',
  tag,
  permission: 'flows_edit',
  params: versionParams,
  query: forceQuery,
  body: versionPatch,
  example: { name: 'Second' },
  errors: [
    refused('variables_forbidden', 'The definition reads variables or secrets, and the caller lacks `variables_read`.'),
    noSuch('workflow or version'),
  ],
  answer: workflowVersionWritten,
});

export const workflowsOperations = [
  listNodeTypes,
  listWorkflows,
  createWorkflow,
  getWorkflow,
  updateWorkflow,
  deleteWorkflow,
  restoreWorkflow,
  duplicateWorkflow,
  listWorkflowVersions,
  createWorkflowVersion,
  getWorkflowVersion,
  updateWorkflowVersion,
];
