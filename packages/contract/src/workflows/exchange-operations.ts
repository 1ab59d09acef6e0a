import { operation } from '../operation.ts';
import { noSuch, refused } from '../operation-errors.ts';
import {
  workflowFile,
  workflowFileFormat,
  workflowFileVersion,
  workflowImport,
  workflowImported,
} from './exchange-schema.ts';
import { workflowsRoutes } from './routes.ts';
import { workflowParams } from './schema.ts';

const tag = 'Workflows';

/** Two definitions of the largest size, and the names of what they refer to. */
const largestFile = 24 * 1024 * 1024;

export const exportWorkflow = operation({
  id: 'workflows.export',
  route: workflowsRoutes['workflows.export'],
  summary: 'Export a workflow as a file',
  description:
    'Returns a workflow with its draft as a file that another workspace or installation can import. Credentials are left out and their places listed; records that it refers to are listed with their names. Versions, triggers, runs and samples stay.',
  tag,
  permission: 'flows_edit',
  params: workflowParams,
  errors: [noSuch('workflow')],
  answer: workflowFile,
});

export const importWorkflow = operation({
  id: 'workflows.import',
  route: workflowsRoutes['workflows.import'],
  summary: 'Import a workflow from a file',
  description:
    'Creates a workflow from an exported file. References are matched by `mapping`, then by id, then by a unique name; those that match no record that the caller may use are dropped and reported. A graph that has errors then is stored with `valid: false`. Runs act with the permissions of the caller.',
  tag,
  permission: 'flows_edit',
  body: workflowImport,
  body_limit: largestFile,
  example: {
    format: workflowFileFormat,
    version: workflowFileVersion,
    workflow: { name: 'Greeting', type: 'flow', definition: { nodes: [], edges: [] } },
  },
  errors: [
    refused('variables_forbidden', 'The definition reads variables or secrets, and the caller lacks `variables_read`.'),
  ],
  answer: workflowImported,
});

export const workflowExchangeOperations = [exportWorkflow, importWorkflow];
