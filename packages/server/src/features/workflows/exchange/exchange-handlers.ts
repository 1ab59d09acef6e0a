import { exportWorkflow, importWorkflow } from '@atrium/contract/workflows/exchange-operations.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { handle, type Route } from '../../../lib/route.ts';
import { present } from '../present.ts';
import type { WorkflowExport } from './export-workflow.ts';
import type { WorkflowImporter } from './import-workflow.ts';

export const workflowExchangeRoutes = (options: {
  exporting: WorkflowExport;
  importing: WorkflowImporter;
}): Route[] => [
  handle(
    exportWorkflow,
    (scope, { params }) => options.exporting(scope, params.workflow_id),
    (file) =>
      new RawAnswer(JSON.stringify(file), {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="workflow.json"',
        'x-content-type-options': 'nosniff',
      }),
  ),
  handle(importWorkflow, (scope, { body }) => options.importing(scope, body), present.imported),
];
