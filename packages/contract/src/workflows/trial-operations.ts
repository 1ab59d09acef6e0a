import { operation } from '../operation.ts';
import { noSuch, refused } from '../operation-errors.ts';
import { workflowsRoutes } from './routes.ts';
import { expressionEvaluate, expressionTrial, workflowCheck, workflowValidate } from './trial-schema.ts';

const tag = 'Workflows';
const audit = { none: 'it changes nothing' };

export const validateWorkflow = operation({
  id: 'workflows.validate',
  route: workflowsRoutes['workflows.validate'],
  summary: 'Check a definition without saving it',
  description:
    'Checks a definition as a save does and returns its errors, each with its place, in a 200. Nothing is stored. Ids of records of other workspaces are errors as unknown ids are. A definition that reads variables or secrets needs `variables_read`, as on saving.',
  tag,
  permission: 'flows_edit',
  audit,
  body: workflowValidate,
  example: { type: 'flow', definition: { nodes: [], edges: [] } },
  errors: [
    refused('variables_forbidden', 'The definition reads variables or secrets, and the caller lacks `variables_read`.'),
  ],
  answer: workflowCheck,
});

export const evaluateExpression = operation({
  id: 'workflows.evaluateExpression',
  route: workflowsRoutes['workflows.evaluateExpression'],
  summary: 'Evaluate an expression with sample values',
  description:
    'Evaluates an expression of a workflow with the given sample, within the limits that runs have, and returns words that fit at the cursor. With `workflow_id` the samples that are kept for the steps before `node_id` are part of it. It sees the sample and nothing else: no variables, secrets or records. An expression with an error is answered with 200 and the error.',
  tag,
  permission: 'flows_run',
  audit,
  body: expressionEvaluate,
  example: { expression: 'sum(map(rows, item.amount)) > 100', sample: { rows: [{ amount: 70 }, { amount: 50 }] } },
  errors: [refused('forbidden', 'The caller lacks `flows_edit`, which `workflow_id` needs.'), noSuch('workflow')],
  answer: expressionTrial,
});

export const workflowTrialOperations = [validateWorkflow, evaluateExpression];
