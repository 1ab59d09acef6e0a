import * as z from 'zod';
import { conversationId, runStatuses } from '../conversations/schema.ts';
import { createdAt, groupId } from '../fields.ts';
import { createdFields, facetsField, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';
import { messageContent } from './message-request.ts';
import { runSorts } from './run-figures.ts';

const runError = z
  .strictObject({
    code: z.string().describe('The kind of the error, for programs.'),
    message: z.string().describe('What happened, for the user.'),
  })
  .nullable()
  .describe('Why the run failed. Null: it did not.');

/** A run of a conversation. It has the shape of a workflow run, with the conversation in the place of the workflow. */
export const run = z
  .strictObject({
    id: z.guid().describe('The id of the run.'),
    group_id: groupId,
    kind: z.enum(['conversation']).describe('Tells runs of conversations from runs of workflows.'),
    workflow_id: z.guid().describe('The id of the conversation, for clients that read every run as a workflow run.'),
    conversation_id: z.guid().describe('The conversation that the run answers in.'),
    message_id: z
      .guid()
      .describe('The id of the reply. The message exists once the run has ended or waits for a person.'),
    status: z
      .enum(runStatuses)
      .describe('Where the run stands; `awaiting_human_feedback` waits for an approval, an answer or a person.'),
    input: z.record(z.string(), z.unknown()).describe('The message that the run answers, as its stored part.'),
    output: z.record(z.string(), z.unknown()).nullable().describe('Always null: the reply is the output of the run.'),
    error: runError,
    progress: z.int().describe('100 when the run is over, else 0.'),
    progress_details: z.record(z.string(), z.unknown()).nullable().describe('Always null for runs of conversations.'),
    node_ids: z.array(z.string()).nullable().describe('Always null for runs of conversations.'),
    created_at: createdAt,
    started_at: z.iso.datetime().nullable().describe('When the run began. Null: it is queued.'),
    finished_at: z.iso.datetime().nullable().describe('When the run ended. Null: it is not over.'),
  })
  .meta({ id: 'Run' });

export const runParams = s.object({ run_id: s.uuid('run').describe('The id of the run.') });
export const runRetry = s
  .object({
    version: s
      .withDefault(s.oneOf(['original', 'current']), 'original')
      .describe(
        'Of a run of a workflow: `original` continues with the definition that the run began with, `current` with the workflow as it is now. With `current`, finished steps are kept unless their node, or one that it depends on, was changed. Runs of conversations take `original` only.',
      ),
  })
  .meta({ id: 'RunRetry' });
export type RunRetry = z.output<typeof runRetry>;
const runKinds = ['conversation', 'workflow'] as const;
export const runListQuery = s.query({
  ...pageFields,
  kind: s.optional(s.oneOf(runKinds)).describe('Only runs of this kind.'),
  status: s.optional(s.oneOf(runStatuses)).describe('Only runs with this status.'),
  conversation_id: s
    .optional(s.uuid('conversation'))
    .describe('Only runs of this conversation; workflow runs are left out.'),
  assistant_id: s
    .optional(s.uuid('agent'))
    .describe('Only runs of conversations with this agent, deleted agents included; workflow runs are left out.'),
  workflow_id: s
    .optional(s.uuid('workflow'))
    .describe('Only runs of this workflow; runs of conversations are left out.'),
  assistant_version_id: s
    .optional(s.uuid('agent_version'))
    .describe('Only runs that started with this version of an agent; workflow runs are left out.'),
  person_id: s
    .optional(s.uuid('person'))
    .describe('Only runs that this person asked for, by a session or by a key or trigger of theirs.'),
  trigger_id: s.optional(s.uuid('trigger')).describe('Only runs that this trigger started.'),
  parent_run_id: s.optional(s.uuid('run')).describe('Only runs that this run started.'),
  min_cost: s.optional(s.number({ ge: 0 })).describe('Only runs whose cost is at least this, in US dollars.'),
  min_tokens: s
    .optional(s.int({ ge: 0, le: 2_147_483_647 }))
    .describe('Only runs that have used at least this many tokens.'),
  ...createdFields,
  sort: s
    .withDefault(s.oneOf(runSorts), '-created_at')
    .describe('The order: by time, cost or tokens, with `-` the largest first. Runs without a known cost come last.'),
  facets: facetsField(),
});

const streamFormats = ['ui', 'vercel', 'json'] as const;
const format = s
  .optional(s.oneOf(streamFormats))
  .describe(
    'The format of the events: `ui` and `vercel` are the UI message stream of the AI SDK, `ui` with event ids to resume from; `json` has envelopes with the number of the event. Without it, the plain format of older clients.',
  );
const if_running = s
  .withDefault(s.oneOf(['reject', 'enqueue', 'interrupt']), 'reject')
  .describe(
    'What happens while the agent still answers: `reject` refuses the message with 409, `enqueue` answers it afterwards, `interrupt` stops the current answer first.',
  );

export const sendQuery = s.query({ if_running });
export const streamQuery = s.query({ format, if_running });
export const publicStreamQuery = s.query({ format });
export const eventsQuery = s.query({
  format,
  etag: s
    .optional(s.str({ max: 100 }))
    .describe('The etag of the conversation, or of the run, as the client last saw it: newer events are sent.'),
  after: s
    .optional(s.int({ ge: 0, le: 2_147_483_647 }))
    .describe('The number of the last event that the client has received: only later ones are sent.'),
});

export const messageParams = s.object({
  conversation_id: conversationId,
  message_id: s.uuid('message').describe('The id of the message.'),
});
export const branchQuery = s.query({
  format,
  wait: s
    .withDefault(s.bool(), true)
    .describe(
      'False answers 202 at once with the id of the run, which `GET /v1/runs/{run_id}/events` streams. `format` wins over it.',
    ),
});
/** The answer of a request that does not wait. */
export const runStarted = z
  .strictObject({
    run_id: z.guid().describe('The run that answers.'),
    conversation_id: z.guid().describe('The conversation that it answers in.'),
    user_message_id: z.guid().describe('The message of the user on the new branch.'),
    message_id: z.guid().describe('The id that the reply will have.'),
  })
  .meta({ id: 'RunStarted' });
export type RunStarted = z.output<typeof runStarted>;
export type BranchQuery = z.output<typeof branchQuery>;
export const messageEdit = s.object({ content: messageContent }).meta({ id: 'MessageEdit' });

export const chatAnswer = z
  .strictObject({
    id: z.guid().describe('The id of the reply.'),
    parts: z
      .array(
        z.looseObject({
          kind: z
            .enum(['request', 'response'])
            .describe('`response`: text and tool calls of the model. `request`: results of tools.'),
        }),
      )
      .describe('The messages between server and model. The last one is a response with a text, which can be empty.'),
    status: z
      .enum(runStatuses)
      .describe(
        'How the run stands: `failed` when there is no answer, `running` when it took longer than the request.',
      ),
    error: runError,
  })
  .meta({ id: 'ChatAnswer' });

export type RunListQuery = z.output<typeof runListQuery>;
export type RunAnswer = z.output<typeof run>;
export type StreamFormat = (typeof streamFormats)[number] | undefined;
export type IfRunning = 'reject' | 'enqueue' | 'interrupt';
