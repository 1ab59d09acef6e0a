import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import { workspacePermissions } from '../permissions.ts';
import { run as conversationRun } from '../runs/schema.ts';
import * as s from '../schema/schema.ts';

const connector = z
  .looseObject({
    name: z.string(),
    label: z.string(),
    definition: z.strictObject({ data_type: z.string(), is_list: z.boolean() }),
    type: z.string(),
    propagates_list: z.boolean(),
    optional: z.boolean(),
    rules: z.array(z.unknown()),
    visible: z.boolean(),
  })
  .meta({ id: 'Connector' });

const configDefinition = z
  .looseObject({
    type: z.string(),
    description: z.string().nullable(),
    visible: z.boolean(),
    optional: z.boolean(),
    default: z.unknown(),
  })
  .meta({ id: 'ConfigDefinition' });

const nodeDefinition = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    description: z.string(),
    small_description: z.string(),
    category: z.string(),
    integrations: z.array(z.union([z.string(), z.array(z.string())])),
    inputs: z.array(connector),
    outputs: z.array(connector),
    config: z.record(z.string(), configDefinition),
    is_available: z.boolean(),
    visible: z.boolean(),
    config_endpoint: z.string().nullable(),
    used_in: z.array(z.string()),
  })
  .meta({ id: 'NodeDefinition' });

export const catalogue = z.array(nodeDefinition);

export const runStatuses = ['queued', 'running', 'completed', 'failed', 'stopped', 'awaiting_human_feedback'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const workflowTypes = ['flow', 'agent_flow'] as const;
const name = s.str({ min: 1, max: 500 });

export const workflow = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    name: z.string(),
    type: z.enum(workflowTypes),
    definition: z.looseObject({ nodes: z.array(z.unknown()), edges: z.array(z.unknown()) }),
    error_handler: z.guid().nullable(),
    /** False when it was stored with force=true and has faults: it can't be run then. */
    valid: z.boolean(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    deleted_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Workflow' });
export const workflowPage = paged(workflow);

export const workflowVersion = z
  .strictObject({
    id: z.guid(),
    workflow_id: z.guid(),
    name: z.string(),
    description: z.string().nullable(),
    definition: z.looseObject({ nodes: z.array(z.unknown()), edges: z.array(z.unknown()) }),
    valid: z.boolean(),
    created_by: z.guid().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'WorkflowVersion' });
export const workflowVersions = z.array(workflowVersion);

export const workflowCreate = s
  .object({
    name: s.withDefault(name, 'Untitled Workflow'),
    type: s.withDefault(s.oneOf(workflowTypes), 'flow'),
    definition: s.optional(s.dict()),
    error_handler: s.optional(s.uuid('workflow')),
  })
  .meta({ id: 'WorkflowCreate' });
export const workflowPatch = s
  .object({
    name: s.optional(name),
    type: s.optional(s.oneOf(workflowTypes)),
    definition: s.optional(s.dict()),
    /** Null leaves it as it is, as everywhere; an empty text takes it away. */
    error_handler: s.optional(s.uuidOrEmpty('workflow')),
  })
  .meta({ id: 'WorkflowPatch' });
export const versionCreate = s
  .object({
    name,
    description: s.optional(s.str({ max: 10_000 })),
    definition: s.optional(s.dict()),
  })
  .meta({ id: 'WorkflowVersionCreate' });
export const versionPatch = s
  .object({
    name: s.optional(name),
    description: s.optional(s.str({ max: 10_000 })),
    definition: s.optional(s.dict()),
  })
  .meta({ id: 'WorkflowVersionPatch' });

export const workflowParams = s.object({ workflow_id: s.uuid('workflow') });
export const versionParams = s.object({ workflow_id: s.uuid('workflow'), version_id: s.uuid('workflow_version') });
export const workflowListQuery = s.query({
  ...pageFields,
  type: s.optional(s.oneOf(workflowTypes)),
  deleted: s.withDefault(s.bool(), false),
});
/** Stores a definition that has faults too; such a workflow can't be run. */
export const forceQuery = s.query({ force: s.withDefault(s.bool(), false) });

const stepError = z.strictObject({ code: z.string(), message: z.string(), node_id: z.string().nullable() });

export const workflowRun = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    kind: z.enum(['workflow']),
    workflow_id: z.guid(),
    workflow_version_id: z.guid().nullable(),
    status: z.enum(runStatuses),
    input: z.record(z.string(), z.unknown()),
    output: z.record(z.string(), z.unknown()).nullable(),
    error: stepError.nullable(),
    progress: z.int(),
    progress_details: z.record(z.string(), z.unknown()).nullable(),
    node_ids: z.array(z.string()).nullable(),
    single_node_id: z.string().nullable(),
    tracing: z.boolean(),
    callback_url: z.string().nullable(),
    retry_of: z.guid().nullable(),
    handles_run: z.guid().nullable(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'WorkflowRun' });
/** A run of any kind. */
export const anyRun = z.union([conversationRun, workflowRun]);
export const workflowRunPage = paged(workflowRun);

export const runCreate = s
  .object({
    input: s.withDefault(s.dict(), () => ({})),
    workflow_version_id: s.optional(s.uuid('workflow_version')),
    callback_url: s.optional(s.str({ max: 2000, pattern: /^https?:\/\/[^\s/]+/ })),
    node_ids: s.optional(s.list(s.str({ min: 1, max: 100 }), { max: 2000 })),
    single_node_id: s.optional(s.str({ min: 1, max: 100 })),
    group_id: s.optional(s.uuid('workspace')),
    /** The logs of a traced run hold what came into each node and what it gave. */
    tracing: s.withDefault(s.bool(), false),
    /** Another name of `tracing`. */
    debugger: s.withDefault(s.bool(), false),
  })
  .meta({ id: 'WorkflowRunCreate' });

export const runListQuery = s.query({ ...pageFields, status: s.optional(s.oneOf(runStatuses)) });
export const syncQuery = s.query({
  output_only: s.withDefault(s.bool(), false),
  use_output_ids: s.withDefault(s.bool(), false),
});
export const workflowRunParams = s.object({ workflow_id: s.uuid('workflow'), run_id: s.uuid('workflow_run') });
export const syncAnswer = z.union([workflowRun, z.record(z.string(), z.unknown())]);

export const approval = z
  .strictObject({
    id: z.guid(),
    run_id: z.guid(),
    node_id: z.string(),
    question: z.string(),
    details: z.unknown(),
    decision: z.enum(['approve', 'reject']).nullable(),
    note: z.string().nullable(),
    decided_by: z.string().nullable(),
    created_at: z.iso.datetime(),
    decided_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
    /** The permission that whoever decides must hold. */
    needs: z.enum(workspacePermissions),
    /** Whether whoever started the run may not decide. */
    four_eyes: z.boolean(),
  })
  .meta({ id: 'WorkflowApproval' });
export const approvals = z.array(approval);
export const approvalParams = s.object({ run_id: s.uuid('workflow_run'), approval_id: s.uuid('workflow_approval') });
export const approvalsParams = s.object({ run_id: s.uuid('workflow_run') });
export const approvalDecision = s
  .object({ decision: s.oneOf(['approve', 'reject']), note: s.optional(s.str({ max: 10_000 })) })
  .meta({ id: 'WorkflowApprovalDecision' });

export type WorkflowCreate = z.output<typeof workflowCreate>;
export type WorkflowPatch = z.output<typeof workflowPatch>;
export type VersionCreate = z.output<typeof versionCreate>;
export type VersionPatch = z.output<typeof versionPatch>;
export type RunListQuery = z.output<typeof runListQuery>;
export type RunCreate = z.output<typeof runCreate>;
export type WorkflowRun = z.output<typeof workflowRun>;
export type AnyRun = z.output<typeof anyRun>;
export type Approval = z.output<typeof approval>;

/** As the Standard Webhooks scheme has it: whsec_ and base64. */
export const callbackSecret = z.strictObject({ secret: z.string() }).meta({ id: 'CallbackSecret' });
