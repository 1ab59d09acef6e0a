import { operation } from '../operation.ts';
import { conflicts, noSuch, refused } from '../operation-errors.ts';
import { success } from '../page.ts';
import { draftPublish, workflowDraft, workflowDraftDiff } from './draft-schema.ts';
import { workflowsRoutes } from './routes.ts';
import { workflowParams, workflowWritten } from './schema.ts';

const tag = 'Workflows';
const permission = 'flows_edit';
const noDraft = noSuch('workflow, or it has no draft');

export const getWorkflowDraft = operation({
  id: 'workflowDrafts.get',
  route: workflowsRoutes['workflowDrafts.get'],
  summary: 'Get the draft of a workflow',
  description:
    'Returns the draft with its definition, its errors and who changed it last. A draft is stored by `PATCH /v1/workflows/{workflow_id}?preview=true`, with its errors; nothing but runs that ask for it uses it.',
  tag,
  permission,
  params: workflowParams,
  errors: [noDraft],
  answer: workflowDraft,
});

export const compareWorkflowDraft = operation({
  id: 'workflowDrafts.compare',
  route: workflowsRoutes['workflowDrafts.compare'],
  summary: 'Compare the draft of a workflow with what is published',
  description: 'Returns the nodes, edges and other keys in which the draft differs from the published definition.',
  tag,
  permission,
  params: workflowParams,
  errors: [noDraft],
  answer: workflowDraftDiff,
});

export const publishWorkflowDraft = operation({
  id: 'workflowDrafts.publish',
  route: workflowsRoutes['workflowDrafts.publish'],
  summary: 'Publish the draft of a workflow',
  description:
    'Makes the draft the definition that triggers, agents and other workflows run, keeps it as a version with the note, and ends the draft. Runs act with the permissions of the caller that published. A draft with errors is refused with 422, and so are ids of records that exist and that the caller could not name itself.',
  tag,
  permission,
  params: workflowParams,
  body: draftPublish,
  example: { note: 'Greets in the language of the customer' },
  errors: [
    refused('variables_forbidden', 'The definition reads variables or secrets, and the caller lacks `variables_read`.'),
    noDraft,
    conflicts('etag_mismatch', 'The workflow or its draft was changed since the caller has read `etag`.'),
  ],
  answer: workflowWritten,
});

export const discardWorkflowDraft = operation({
  id: 'workflowDrafts.discard',
  route: workflowsRoutes['workflowDrafts.discard'],
  summary: 'Discard the draft of a workflow',
  description: 'Deletes the draft. What is published stays as it is, and so do runs of the draft that have begun.',
  tag,
  permission,
  params: workflowParams,
  errors: [noDraft],
  answer: success,
});

export const workflowDraftOperations = [
  getWorkflowDraft,
  compareWorkflowDraft,
  publishWorkflowDraft,
  discardWorkflowDraft,
];
