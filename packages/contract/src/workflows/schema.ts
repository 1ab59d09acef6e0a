import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt, etag, groupId, updatedAt } from '../fields.ts';
import { namedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import { createdFields, listed, paged, pageFields, summaryOf, viewField } from '../page.ts';
import { requestWarning } from '../request-warning.ts';
import { runFigures } from '../runs/run-figures.ts';
import { run as conversationRun } from '../runs/schema.ts';
import * as s from '../schema/schema.ts';

const workflowId = s.uuid('workflow').describe('The id of the workflow.');

export const workflowTypes = ['flow', 'agent_flow'] as const;
const name = s.str({ min: 1, max: 500 });

export const storedDefinition = z
  .looseObject({
    nodes: z
      .array(z.looseObject({}))
      .describe('The nodes: each has `id`, `type`, `name`, `node_config` and `inputs` with fixed values.'),
    edges: z
      .array(z.looseObject({}))
      .describe('The edges: each leads from `from_id` to `to_id`, both with `node_id`, `connector_name` and `key`.'),
  })
  .describe('The graph as it was sent, with unknown keys kept. Callers without `flows_edit` see no credentials in it.');
const valid = z
  .boolean()
  .describe('False when the definition was stored with `force` and has validation errors: it cannot run.');

/** Who changed a draft, when, and whether it could be published. */
export const draftFields = {
  by: z.guid().nullable().describe('The id of the API key or person that changed the draft last. Null: not known.'),
  by_actor: actorField('Who changed the draft last.'),
  at: z.iso.datetime().nullable().describe('When it was changed (ISO 8601, UTC). Null: not known.'),
  valid: z.boolean().describe('Whether the draft had no validation errors when it was saved: only then it can run.'),
};

export const workflow = z
  .strictObject({
    id: z.guid().describe('The id of the workflow.'),
    group_id: groupId,
    name: z.string().describe('The name that people see.'),
    type: z
      .enum(workflowTypes)
      .describe('`flow` runs from inputs to outputs; `agent_flow` answers the messages of a conversation.'),
    definition: storedDefinition,
    error_handler: z
      .guid()
      .nullable()
      .describe('The workflow that is started when a run of this one fails. Null: none.'),
    valid,
    drafts: z
      .boolean()
      .describe(
        'Whether a new definition goes to the draft. False: it is published at once, unless the request asks for the draft.',
      ),
    draft: z
      .strictObject(draftFields)
      .nullable()
      .describe('Who changed the draft and when; its definition is at `/draft`. Null: there is no draft.'),
    created_at: createdAt,
    updated_at: updatedAt,
    updated_by: z
      .guid()
      .nullable()
      .describe('The id of the API key or person that saved the workflow or its draft last. Null: not known.'),
    updated_by_actor: actorField('Who saved the workflow last.'),
    etag,
    deleted_at: z.iso.datetime().nullable().describe('When the workflow was deleted. Null: it is not deleted.'),
    may: mayField('workflow'),
  })
  .meta({ id: 'Workflow' });

export const warningsField = {
  warnings: z
    .array(requestWarning)
    .optional()
    .describe(
      'What the definition names and can not be used as things stand: records that are gone (`unknown_reference`), variables that are not there (`unknown_variable`), and in answers to changes models that nobody offers (`unknown_model`). Only for callers with `flows_edit`.',
    ),
};
export const workflowWritten = workflow.extend(warningsField).meta({ id: 'WorkflowWritten' });
export const workflowPage = paged(
  workflow,
  summaryOf(workflow, ['id', 'name', 'type', 'valid', 'error_handler', 'created_at', 'updated_at', 'deleted_at']),
);

export const workflowVersion = z
  .strictObject({
    id: z.guid().describe('The id of the version.'),
    workflow_id: z.guid().describe('The workflow that the version belongs to.'),
    name: z.string().describe('The name of the version.'),
    description: z.string().nullable().describe('What the version is for. Null: nothing was said.'),
    definition: storedDefinition,
    valid,
    created_by: z.guid().nullable().describe('The id of the API key or person that made the version.'),
    created_by_actor: actorField('Who made the version.'),
    created_at: createdAt,
    etag,
  })
  .meta({ id: 'WorkflowVersion' });
export const workflowVersionWritten = workflowVersion.extend(warningsField).meta({ id: 'WorkflowVersionWritten' });
export const workflowVersions = listed(
  workflowVersion,
  summaryOf(workflowVersion, ['id', 'name', 'description', 'valid', 'created_by', 'created_by_actor', 'created_at']),
);
export const versionsQuery = s.query({ view: viewField() });

const definition = s
  .optional(s.dict())
  .describe('The graph: `nodes` and `edges`, and any other keys that clients want to keep with it.');
const definitionPatch = s
  .optional(s.dict())
  .describe('Parts of the graph to replace: `nodes`, `edges` or other keys; keys that are not sent stay as they are.');
const description = s.optional(s.str({ max: 10_000 })).describe('What the version is for.');

export const workflowCreate = s
  .object({
    name: s.withDefault(name, 'Untitled Workflow').describe('The name that people see.'),
    type: s
      .withDefault(s.oneOf(workflowTypes), 'flow')
      .describe('`flow` runs from inputs to outputs; `agent_flow` answers the messages of a conversation.'),
    definition,
    error_handler: s
      .optional(s.uuid('workflow'))
      .describe('A workflow of the workspace to start when a run of this one fails.'),
    drafts: s.withDefault(s.bool(), false).describe('Whether later changes of the definition go to the draft.'),
  })
  .meta({ id: 'WorkflowCreate' });
export const workflowPatch = s
  .object({
    name: s.optional(name).describe('The name that people see.'),
    type: s.optional(s.oneOf(workflowTypes)).describe('The type; the definition must be valid for it.'),
    definition: definitionPatch,
    error_handler: s
      .optional(s.uuidOrEmpty('workflow'))
      .describe('The workflow to start when a run of this one fails; an empty text removes it, null leaves it.'),
    drafts: s.optional(s.bool()).describe('Whether changes of the definition go to the draft, from this request on.'),
  })
  .meta({ id: 'WorkflowPatch' });
export const workflowDuplicate = s
  .object({ name: s.optional(name).describe('The name of the copy; `Copy of` and the name unless given.') })
  .meta({ id: 'WorkflowDuplicate' });
export const versionCreate = s
  .object({
    name: name.describe('The name of the version.'),
    description,
    definition: s
      .optional(s.dict())
      .describe(
        'Parts of the graph that differ from the workflow; without it, the version is the workflow as it is now.',
      ),
  })
  .meta({ id: 'WorkflowVersionCreate' });
export const versionPatch = s
  .object({ name: s.optional(name).describe('The name of the version.'), description, definition: definitionPatch })
  .meta({ id: 'WorkflowVersionPatch' });

export const workflowParams = s.object({ workflow_id: workflowId });
export const versionParams = s.object({
  workflow_id: workflowId,
  version_id: s.uuid('workflow_version').describe('The id of the version.'),
});
export const workflowListQuery = s.query({
  ...namedList(['name', 'created_at', 'updated_at']),
  type: s.optional(s.oneOf(workflowTypes)).describe('Only workflows of this type.'),
  deleted: s.withDefault(s.bool(), false).describe('List the deleted workflows instead of the others.'),
});
export const forceQuery = s.query({
  force: s
    .withDefault(s.bool(), false)
    .describe('Store a definition that has validation errors too; it cannot run until they are fixed.'),
});

export const workflowPatchQuery = forceQuery.extend({
  preview: s
    .optional(s.bool())
    .describe(
      'True saves the definition as the draft, also with validation errors; false publishes it at once. Without it, `drafts` of the workflow decides. The other fields are changed at once in any case.',
    ),
});

export const runStatuses = ['queued', 'running', 'completed', 'failed', 'stopped', 'awaiting_human_feedback'] as const;
export type RunStatus = (typeof runStatuses)[number];

const stepError = z.strictObject({
  code: z.string().describe('A code that programs can branch on.'),
  message: z.string().describe('What happened, in words for people.'),
  node_id: z.string().nullable().describe('The node that failed. Null: the run failed as a whole.'),
});

const outputValue = z.strictObject({
  text: z.string().describe('The value as text.'),
  label: z.string().describe('The label of the output node.'),
  value: z.unknown().describe('The value itself.'),
});

const nodeIds = z.array(z.string());
const progressDetails = z.looseObject({
  executed_nodes: nodeIds.describe('Nodes that have completed or failed.'),
  remaining_nodes: nodeIds.describe('Nodes that have not begun, or were stopped.'),
  running_nodes: nodeIds.describe('Nodes that run or wait.'),
  skipped_nodes: nodeIds.describe('Nodes that no value reached.'),
  error_handler_nodes: nodeIds.describe('The nodes that handle failures.'),
  per_node_progress: z
    .record(
      z.string(),
      z.looseObject({
        status: z
          .string()
          .describe('`remaining`, `running`, `waiting`, `completed`, `failed`, `skipped` or `stopped`.'),
        progress: z.number().describe('0 to 100; inside of a loop, the part of its rounds.'),
        times: z.int().describe('How often the node has ended: more than once inside of loops.'),
        completed: z.int().describe('How often it has completed.'),
        failed: z.int().describe('How often it has failed.'),
        skipped: z.int().describe('How often it was skipped.'),
        rounds: z
          .int()
          .nullable()
          .describe(
            'Of a loop: how many rounds it has; of one inside of another loop, those of all its executions so far. Null for other nodes, and until it has begun.',
          ),
        ms: z.number().describe('Milliseconds that the node has taken, all rounds together.'),
      }),
    )
    .describe('The progress of each node, by its id.'),
  per_edge_progress: z
    .record(z.string(), z.string())
    .describe(
      '`completed` for each edge that a value went over, `skipped` for each other one whose first node has ended, by the id of the edge.',
    ),
  per_edge_counts: z
    .record(z.string(), z.int())
    .describe('How often a value went over each of these edges: inside of loops once for each round.'),
  subflow_executions: z
    .record(
      z.string(),
      z.array(
        z.looseObject({
          workflow_id: z.string().describe('The workflow that was run.'),
          executed: z.int().describe('How many of its steps have ended.'),
        }),
      ),
    )
    .describe('The workflows that a node has run, by the id of the node.'),
  run_logs: z.record(z.string(), z.array(z.string())).describe('Lines of the log, by the id of the node.'),
  warnings: z
    .record(
      z.string(),
      z.array(
        z.looseObject({
          code: z.string().describe('A code that programs can branch on, such as `reply_cut`.'),
          message: z.string().describe('What differs from what was asked for, in words for people.'),
        }),
      ),
    )
    .optional()
    .describe('How steps did something other than their config asks for, by the id of the node.'),
});

export const workflowRun = z
  .strictObject({
    id: z.guid().describe('The id of the run.'),
    group_id: groupId,
    kind: z.enum(['workflow']).describe('Tells runs of workflows from runs of conversations.'),
    workflow_id: z.guid().describe('The workflow that runs.'),
    workflow_version_id: z
      .guid()
      .nullable()
      .describe('The version that runs. Null: the workflow as it was at the start.'),
    draft: z.boolean().describe('Whether the draft of the workflow runs, as it was at the start.'),
    status: z.enum(runStatuses).describe('Where the run stands; `awaiting_human_feedback` waits for an approval.'),
    input: z.record(z.string(), z.unknown()).describe('The values that the run was started with.'),
    output: z
      .record(z.string(), outputValue)
      .nullable()
      .describe(
        'The values at the outputs, by `<node id>::<output>`, or by label in answers of `runs/sync`. Null until the run has completed.',
      ),
    error: stepError.nullable().describe('Why the run failed. Null: it did not.'),
    progress: z.int().describe('How far the run is, in percent; 100 only when it is over.'),
    progress_details: progressDetails
      .nullable()
      .describe('The progress of each node and edge. Null in the answer to the request that started the run.'),
    node_ids: z.array(z.string()).nullable().describe('The nodes that the run is limited to. Null: all of them.'),
    single_node_id: z.string().nullable().describe('The only node that the run executes. Null: more than one.'),
    pinned_outputs: z
      .record(z.string(), z.record(z.string(), z.unknown()))
      .nullable()
      .describe('Outputs that were given for nodes, which are then not executed, by node id. Null: none.'),
    hidden: z
      .enum(['not_yours', 'documents'])
      .nullable()
      .describe(
        '`not_yours`: another person started the run; inputs, outputs and messages are left out, and those who may edit the workflow see that it failed, where and why. `documents`: the run has read documents that the caller may not read, and its outputs are left out. Null: nothing is left out.',
      ),
    tracing: z.boolean().describe('Whether the logs hold the inputs and outputs of each node.'),
    callback_url: z.string().nullable().describe('The address that is sent the run when it is over. Null: none.'),
    retry_of: z.guid().nullable().describe('The first run that this one retries. Null: it is no retry.'),
    handles_run: z.guid().nullable().describe('The failed run that started this one as its error handler. Null: none.'),
    created_at: createdAt,
    started_at: z.iso.datetime().nullable().describe('When the run began. Null: it is queued.'),
    finished_at: z.iso.datetime().nullable().describe('When the run ended. Null: it is not over.'),
  })
  .meta({ id: 'WorkflowRun' });
/** A run of a conversation or of a workflow with whom it belongs to and what it has used. */
export const runItem = z.union([
  conversationRun.extend(runFigures).meta({ id: 'RunItem' }),
  workflowRun.extend(runFigures).meta({ id: 'WorkflowRunItem' }),
]);
/** A run of a conversation or of a workflow. */
export const anyRun = z.union([conversationRun, workflowRun]);
const workflowRunSummary = summaryOf(workflowRun, [
  'id',
  'kind',
  'workflow_id',
  'workflow_version_id',
  'status',
  'progress',
  'retry_of',
  'created_at',
  'started_at',
  'finished_at',
]);
export const workflowRunPage = paged(workflowRun, workflowRunSummary);
const conversationRunSummary = summaryOf(conversationRun, [
  ...(['id', 'kind', 'workflow_id', 'conversation_id', 'message_id', 'status', 'progress'] as const),
  ...(['created_at', 'started_at', 'finished_at'] as const),
]);
export const runItemPage = paged(runItem, z.union([conversationRunSummary, workflowRunSummary]));

export const runCreate = s
  .object({
    input: s
      .withDefault(s.dict(), () => ({}))
      .describe('A value for each input, by the label of its node, the id of its node, or `<node id>::<input>`.'),
    workflow_version_id: s
      .optional(s.uuid('workflow_version'))
      .describe('The version to run; without it, the workflow as it is now.'),
    draft: s
      .optional(s.bool())
      .describe(
        'Run the draft instead of what is published; needs `flows_edit`, and no `workflow_version_id` beside it.',
      ),
    callback_url: s
      .optional(s.str({ max: 2000, pattern: /^https?:\/\/[^\s/]+/ }))
      .describe('An address to send the run to when it is over, signed with the callback secret of the workspace.'),
    node_ids: s
      .optional(s.list(s.str({ min: 1, max: 100 }), { max: 2000 }))
      .describe('Run only these nodes; edges from other nodes carry nothing.'),
    single_node_id: s
      .optional(s.str({ min: 1, max: 100 }))
      .describe(
        'Run only this node, also one inside of a loop. Its inputs come from `input` (`<node id>::<input>`) or from `pinned_outputs`.',
      ),
    pinned_outputs: s
      .optional(z.record(z.string(), s.dict()))
      .describe(
        'Outputs of nodes by node id and output: these nodes are not executed and give these values, in every round of a loop. For tests; needs `flows_edit`.',
      ),
    use_samples: s
      .optional(s.bool())
      .describe(
        'With `single_node_id`: the samples that are kept for the nodes before it are its pinned outputs, as far as `pinned_outputs` has no others. Needs `flows_edit`.',
      ),
    group_id: s.optional(s.uuid('workspace')).describe("The caller's workspace; any other one is answered with 404."),
    tracing: s.withDefault(s.bool(), false).describe('Whether the logs hold the inputs and outputs of each node.'),
    debugger: s.withDefault(s.bool(), false).describe('Another name of `tracing`; either of them switches it on.'),
  })
  .meta({ id: 'WorkflowRunCreate' });

export const runListQuery = s.query({
  ...pageFields,
  ...createdFields,
  status: s.optional(s.oneOf(runStatuses)).describe('Only runs with this status.'),
});
export const syncQuery = s.query({
  output_only: s.withDefault(s.bool(), false).describe('Answer with the output alone instead of the run.'),
  use_output_ids: s
    .withDefault(s.bool(), false)
    .describe('Name the values of the output by `<node id>::<output>` instead of by label.'),
});
export const workflowRunParams = s.object({
  workflow_id: workflowId,
  run_id: s.uuid('workflow_run').describe('The id of the run.'),
});
export const syncAnswer = z.union([workflowRun, z.record(z.string(), z.unknown())]);

export const callbackSecret = z
  .strictObject({
    secret: z.string().describe('The secret in the form of the Standard Webhooks scheme: `whsec_` and base64.'),
  })
  .meta({ id: 'CallbackSecret' });

export type WorkflowListQuery = Partial<z.output<typeof workflowListQuery>> & { page: number };
export type WorkflowCreate = z.output<typeof workflowCreate>;
export type WorkflowPatch = z.output<typeof workflowPatch>;
export type VersionCreate = z.output<typeof versionCreate>;
export type VersionPatch = z.output<typeof versionPatch>;
export type RunListQuery = z.output<typeof runListQuery>;
export type RunCreate = z.output<typeof runCreate>;
export type WorkflowRun = z.output<typeof workflowRun>;
export type RunItem = z.output<typeof runItem>;
export type AnyRun = z.output<typeof anyRun>;
