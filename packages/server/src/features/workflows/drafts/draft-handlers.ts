import { done } from '@atrium/contract/page.ts';
import {
  compareWorkflowDraft,
  discardWorkflowDraft,
  getWorkflowDraft,
  publishWorkflowDraft,
} from '@atrium/contract/workflows/draft-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import { present } from '../present.ts';
import type { WorkflowDrafts } from './workflow-drafts.ts';

export const workflowDraftRoutes = (drafts: WorkflowDrafts): Route[] => [
  handle(getWorkflowDraft, (scope, { params }) => drafts.get(scope, params.workflow_id)),
  handle(compareWorkflowDraft, (scope, { params }) => drafts.compare(scope, params.workflow_id)),
  handle(
    publishWorkflowDraft,
    (scope, { params, body }) => drafts.publish(scope, params.workflow_id, body),
    present.workflow,
  ),
  handle(discardWorkflowDraft, async (scope, { params }) => {
    await drafts.discard(scope, params.workflow_id);
    return done;
  }),
];
