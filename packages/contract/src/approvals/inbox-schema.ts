import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt } from '../fields.ts';
import { createdFields, facetsField, paged, pageFields, summaryOf } from '../page.ts';
import { allPermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';
import { deciderFields } from './deciders.ts';
import { reachFields, reasonFields } from './schema.ts';

const kinds = ['conversation', 'workflow', 'agent'] as const;
const statuses = ['pending', 'approved', 'rejected', 'answered', 'expired', 'withdrawn'] as const;

/** A request to people by an agent run, a workflow run, or an editor of a locked agent. Fields that do not apply are null. */
const inboxItem = z
  .strictObject({
    id: z.guid().describe('The id of the approval or question.'),
    kind: z
      .enum(kinds)
      .describe('Whether an agent run or a workflow run asks, or an editor about a lock of an agent (`agent`).'),
    type: z
      .enum(['approval', 'question', 'unlock'])
      .describe(
        'An approval is answered with yes or no, a question with text; `unlock` asks to turn off a lock of the agent and is answered at `POST /v1/agents/{agent_id}/unlock-requests/{id}`.',
      ),
    run_id: z.guid().nullable().describe('The run that waits; null for the kind `agent`.'),
    conversation_id: z.guid().nullable().describe('The conversation of the agent run; null for workflows.'),
    conversation_name: z.string().nullable().describe('The name of the conversation; null when it has none.'),
    agent_id: z.guid().nullable().describe('The agent that asks, or whose lock is asked about; null for workflows.'),
    agent_name: z.string().nullable().describe('The name of the agent.'),
    workflow_id: z.guid().nullable().describe('The workflow whose run asks; null for conversations.'),
    workflow_name: z.string().nullable().describe('The name of the workflow.'),
    node_id: z.string().nullable().describe('The node of the workflow that asks; null for conversations.'),
    node_name: z
      .string()
      .nullable()
      .describe('The name of that node in the workflow; null for conversations, and where it has none.'),
    lock: z.string().nullable().describe('The lock that is asked about; null for other types than `unlock`.'),
    asked_by: z
      .string()
      .nullable()
      .describe(
        'The id of who caused the request: the caller that the run works for, such as a person, a key, the guest of a link, a deployment or a trigger; for `unlock` the editor who asks.',
      ),
    asked_by_actor: actorField('Who caused the request.'),
    question: z
      .string()
      .nullable()
      .describe('The question of the agent or the node, or why a lock should be off; null for a tool call.'),
    tool: z.string().nullable().describe('The tool that the agent wants to call; null for workflows.'),
    tool_call_id: z.string().nullable().describe("The id of the call in the agent run's events; null for workflows."),
    arguments: z
      .unknown()
      .describe('Exactly the arguments that the tool is run with when the call is approved; null for workflows.'),
    details: z.unknown().describe('The input of the node that asks; null for conversations.'),
    recipient: z
      .string()
      .nullable()
      .describe('The host that the tool call sends to; null when it is not known, and for questions and workflows.'),
    ...reachFields,
    reason: z
      .enum(['requires_approval', 'rule', 'tool', 'egress'])
      .nullable()
      .describe(
        "Why a tool call waits: the entry's `requires_approval`, one of its `approval_rules`, the tool itself, or the egress rule. Null for questions and workflows.",
      ),
    ...reasonFields,
    ...deciderFields,
    status: z
      .enum(statuses)
      .describe(
        'How the request stands; `withdrawn` when the run ended first or the caller who asked took it back, `expired` once `expires_at` is over.',
      ),
    note: z.string().nullable().describe('What the person who decided wrote; for a question the answer.'),
    decided_by: z
      .string()
      .nullable()
      .describe('The actor that decided: its id, for a step of a workflow its name at that time. Null while none has.'),
    decided_by_actor: actorField('Who decided.'),
    decided_at: z.iso.datetime().nullable().describe('When it was decided; null while it is not.'),
    expires_at: z.iso.datetime().nullable().describe('Until when it can be answered; null: without a limit.'),
    created_at: createdAt,
    needs: z.enum(allPermissions).describe('The permission that the person who answers must hold.'),
    four_eyes: z
      .boolean()
      .describe('Whether an actor that started the workflow run, or took part in the conversation, may not decide.'),
  })
  .meta({ id: 'InboxItem' });

export const inboxPage = paged(
  inboxItem,
  summaryOf(inboxItem, [
    'id',
    'kind',
    'type',
    'conversation_id',
    'workflow_id',
    'agent_name',
    'question',
    'tool',
    'status',
    'created_at',
  ]),
);
export const inboxQuery = s.query({
  ...pageFields,
  kind: s
    .optional(s.oneOf(kinds))
    .describe('Only requests of agent runs, of workflow runs, or about locks of agents; all unless given.'),
  status: s
    .withDefault(s.oneOf([...statuses, 'decided', 'all']), 'pending')
    .describe(
      'Only requests with this status; `decided` for approved, rejected and answered ones, `all` for every status.',
    ),
  conversation_id: s
    .optional(s.uuid('conversation'))
    .describe('Only requests of this conversation; those of workflows and about locks are left out.'),
  named: s
    .optional(s.oneOf(['me']))
    .describe('`me`: only requests whose approvers name the person who asks for the list, or a user group of theirs.'),
  ...createdFields,
  updated_after: s
    .optional(s.datetime({ example: '2026-01-01T00:00:00Z' }))
    .describe('Only requests that were asked or decided at this time or later.'),
  facets: facetsField(),
});

export type InboxItem = z.output<typeof inboxItem>;
export type InboxQuery = z.output<typeof inboxQuery>;
export type InboxStatus = InboxQuery['status'];
/** What the lists of each kind of request filter by. */
export type InboxFilter = Pick<
  InboxQuery,
  'status' | 'conversation_id' | 'named' | 'created_after' | 'created_before' | 'updated_after'
>;
