import { jsonText } from '../../lib/answer.ts';
import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import { present } from './present.ts';
import type { NodeRegistry } from './registry.ts';
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
import type { Workflows } from './service.ts';

const tag = 'Workflows';
const permission = 'flows_run';
const example = { name: 'Greeting', type: 'flow', definition: { nodes: [], edges: [] } };

export const workflowRoutes = (workflows: Workflows, nodes: NodeRegistry): Route[] => [
  defineRoute({
    route: 'GET /v1/nodes',
    summary: 'List the nodes that workflows are built of',
    tag,
    permission: 'any',
    answer: catalogue,
    handler: () => jsonText(nodes.text),
  }),
  defineRoute({
    route: 'GET /v1/workflows',
    summary: 'List the workflows of the workspace; deleted=true lists those that can be restored',
    tag,
    permission,
    query: workflowListQuery,
    answer: workflowPage,
    handler: (scope, { query }) => workflows.list(scope, query),
    present: present.workflows,
  }),
  defineRoute({
    route: 'POST /v1/workflows',
    summary: 'Create a workflow; force=true stores one that has faults too',
    tag,
    permission: 'flows_edit',
    query: forceQuery,
    body: workflowCreate,
    example,
    answer: workflow,
    handler: (scope, { body, query }) => workflows.create(scope, body, query.force),
    present: present.workflow,
  }),
  defineRoute({
    route: 'GET /v1/workflows/{workflow_id}',
    summary: 'Get a workflow',
    tag,
    permission,
    params: workflowParams,
    answer: workflow,
    handler: (scope, { params }) => workflows.find(scope, params.workflow_id),
    present: present.workflow,
  }),
  defineRoute({
    route: 'PATCH /v1/workflows/{workflow_id}',
    summary: 'Change a workflow; force=true stores one that has faults too',
    tag,
    permission: 'flows_edit',
    params: workflowParams,
    query: forceQuery,
    body: workflowPatch,
    example,
    answer: workflow,
    handler: (scope, { params, body, query }) => workflows.update(scope, params.workflow_id, body, query.force),
    present: present.workflow,
  }),
  defineRoute({
    route: 'DELETE /v1/workflows/{workflow_id}',
    summary: 'Delete a workflow; it can be restored',
    tag,
    permission: 'flows_delete',
    params: workflowParams,
    answer: success,
    async handler(scope, { params }) {
      await workflows.remove(scope, params.workflow_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/workflows/{workflow_id}/restore',
    summary: 'Restore a deleted workflow, and its triggers with it',
    tag,
    permission: 'flows_delete',
    params: workflowParams,
    answer: success,
    async handler(scope, { params }) {
      await workflows.restore(scope, params.workflow_id);
      return done;
    },
  }),
  defineRoute({
    route: 'GET /v1/workflows/{workflow_id}/versions',
    summary: 'List the versions of a workflow, the newest first',
    tag,
    permission,
    params: workflowParams,
    answer: workflowVersions,
    handler: (scope, { params }) => workflows.versions(scope, params.workflow_id),
    present: present.versions,
  }),
  defineRoute({
    route: 'POST /v1/workflows/{workflow_id}/versions',
    summary: 'Make a version of a workflow, as it is now or as given',
    tag,
    permission: 'flows_edit',
    params: workflowParams,
    query: forceQuery,
    body: versionCreate,
    example: { name: 'First', definition: { nodes: [], edges: [] } },
    answer: workflowVersion,
    handler: (scope, { params, body, query }) => workflows.createVersion(scope, params.workflow_id, body, query.force),
    present: present.version,
  }),
  defineRoute({
    route: 'GET /v1/workflows/{workflow_id}/versions/{version_id}',
    summary: 'Get a version of a workflow',
    tag,
    permission,
    params: versionParams,
    answer: workflowVersion,
    handler: (scope, { params }) => workflows.version(scope, params.workflow_id, params.version_id),
    present: present.version,
  }),
  defineRoute({
    route: 'PATCH /v1/workflows/{workflow_id}/versions/{version_id}',
    summary: 'Change a version of a workflow',
    tag,
    permission: 'flows_edit',
    params: versionParams,
    query: forceQuery,
    body: versionPatch,
    example: { name: 'Second' },
    answer: workflowVersion,
    handler: (scope, { params, body, query }) =>
      workflows.updateVersion(scope, params.workflow_id, params.version_id, body, query.force),
    present: present.version,
  }),
];
