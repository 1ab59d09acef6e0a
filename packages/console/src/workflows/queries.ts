import type { AnswerOf, ItemOf } from '@atrium/sdk';
import { queryOptions } from '@tanstack/react-query';
import type { useClient } from '../api/session.ts';
import { makeCatalogue } from './graph/catalogue.ts';

type Client = ReturnType<typeof useClient>;
export type Workflow = AnswerOf<'workflows.get'>;
export type WorkflowSummary = ItemOf<'workflows.list', 'summary'>;
export type WorkflowRun = AnswerOf<'workflowRuns.get'>;
export type Fault = AnswerOf<'workflows.validate'>['errors'][number];

/** A workflow and, for those who may edit it, the definition of its draft. */
export interface Loaded {
  workflow: Workflow;
  /** What is edited and shown: the draft, or what is published. */
  definition: Workflow['definition'];
}

export async function loadWorkflow(client: Client, id: string, mayEdit: boolean): Promise<Loaded> {
  const workflow = await client.workflows.get(id);
  if (!mayEdit || !workflow.draft) return { workflow, definition: workflow.definition };
  const { definition } = await client.workflowDrafts.get(id);
  return { workflow, definition };
}

/** Live events of workflows mark it as old. */
export const workflowQuery = (client: Client, workspace: string, id: string, mayEdit: boolean) =>
  queryOptions({
    queryKey: [workspace, 'workflows', 'one', id, mayEdit],
    queryFn: () => loadWorkflow(client, id, mayEdit),
  });

export const runOfWorkflow = (client: Client, workspace: string, workflowId: string, runId: string | undefined) =>
  queryOptions({
    queryKey: [workspace, 'runs', 'of-workflow', runId],
    queryFn: () => client.workflowRuns.get(workflowId, runId as string),
  });

/** The kinds of steps, the same for every workspace. */
export const stepTypesQuery = (client: Client) =>
  queryOptions({
    queryKey: ['step-types'],
    queryFn: async () => makeCatalogue(await client.workflows.listNodeTypes()),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const versionsQuery = (client: Client, workspace: string, id: string) =>
  queryOptions({
    queryKey: [workspace, 'workflows', 'versions', id],
    queryFn: () => client.workflowVersions.list(id, { view: 'summary' }),
  });

export const versionQuery = (client: Client, workspace: string, id: string, versionId: string) =>
  queryOptions({
    queryKey: [workspace, 'workflows', 'version', id, versionId],
    queryFn: () => client.workflowVersions.get(id, versionId),
    staleTime: 60_000,
  });

export const samplesQuery = (client: Client, workspace: string, id: string) =>
  queryOptions({
    queryKey: [workspace, 'workflows', 'samples', id],
    queryFn: () => client.stepSamples.list(id),
  });
