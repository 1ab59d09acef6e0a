import { done } from '@atrium/contract/page.ts';
import {
  createWorkflow,
  createWorkflowVersion,
  deleteWorkflow,
  duplicateWorkflow,
  getWorkflow,
  getWorkflowVersion,
  listNodeTypes,
  listWorkflows,
  listWorkflowVersions,
  restoreWorkflow,
  updateWorkflow,
  updateWorkflowVersion,
} from '@atrium/contract/workflows/operations.ts';
import { evaluateExpression, validateWorkflow } from '@atrium/contract/workflows/trial-operations.ts';
import { jsonText } from '../../lib/responses/raw-answer.ts';
import { handle, type Route } from '../../lib/route.ts';
import { tryExpression } from './definition/try-expression.ts';
import type { NodeRegistry } from './nodes/node-registry.ts';
import { present } from './present.ts';
import type { StepSampleService } from './samples/step-samples.ts';
import type { Workflows } from './service.ts';

export const workflowRoutes = (workflows: Workflows, nodes: NodeRegistry, samples: StepSampleService): Route[] => [
  handle(listNodeTypes, () => jsonText(nodes.catalogue)),
  handle(validateWorkflow, (scope, { body }) => workflows.validate(scope, body)),
  handle(evaluateExpression, async (scope, { body }) => tryExpression(await samples.fillSample(scope, body))),
  handle(listWorkflows, (scope, { query }) => workflows.list(scope, query), present.workflows),
  handle(createWorkflow, (scope, { body, query }) => workflows.create(scope, body, query.force), present.workflow),
  handle(getWorkflow, (scope, { params }) => workflows.get(scope, params.workflow_id), present.workflow),
  handle(
    updateWorkflow,
    (scope, { params, body, query }) => workflows.update(scope, params.workflow_id, body, query),
    present.workflow,
  ),
  handle(
    duplicateWorkflow,
    (scope, { params, body }) => workflows.duplicate(scope, params.workflow_id, body.name),
    present.workflow,
  ),
  handle(deleteWorkflow, async (scope, { params }) => {
    await workflows.remove(scope, params.workflow_id);
    return done;
  }),
  handle(restoreWorkflow, async (scope, { params }) => {
    await workflows.restore(scope, params.workflow_id);
    return done;
  }),
  handle(listWorkflowVersions, (scope, { params }) => workflows.versions(scope, params.workflow_id), present.versions),
  handle(
    createWorkflowVersion,
    (scope, { params, body, query }) => workflows.createVersion(scope, params.workflow_id, body, query.force),
    present.version,
  ),
  handle(
    getWorkflowVersion,
    (scope, { params }) => workflows.version(scope, params.workflow_id, params.version_id),
    present.version,
  ),
  handle(
    updateWorkflowVersion,
    (scope, { params, body, query }) =>
      workflows.updateVersion(scope, params.workflow_id, params.version_id, body, query.force),
    present.version,
  ),
];
