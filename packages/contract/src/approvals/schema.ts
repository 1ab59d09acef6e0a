import * as z from 'zod';
import { actorField } from '../actor.ts';
import { conversationId } from '../conversations/schema.ts';
import { createdAt } from '../fields.ts';
import { timedList } from '../list-query.ts';
import { paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';
import { taints } from '../tools/tool-result.ts';
import { deciderFields } from './deciders.ts';

export const approvalScopes = ['once', 'tool', 'recipient', 'conversation'] as const;
const statuses = ['pending', 'approved', 'rejected', 'expired', 'withdrawn'] as const;

export const reachedKinds = ['workflow', 'agent', 'action', 'mcp_server', 'database', 'variable'] as const;

/** A record that a call reaches beneath its tool. */
const reachedRecord = z
  .strictObject({
    kind: z.enum(reachedKinds).describe('The kind of the record.'),
    id: z.guid().nullable().describe('Its id; null for an entry of the settings of an agent.'),
    name: z.string().nullable().describe('Its name; null when the reader may not read such records.'),
    version: z
      .string()
      .nullable()
      .describe('The version of an agent, the graph of a workflow; null for what has no versions.'),
  })
  .meta({ id: 'ReachedRecord' });
export type ReachedRecord = z.output<typeof reachedRecord>;

/** Where a call goes, for those who decide about it. */
export const reachFields = {
  recipients: z
    .array(z.string())
    .describe(
      'The hosts that the call, and everything beneath it, can send to; `*` when an address comes from the input or from a secret.',
    ),
  beneath: z
    .array(reachedRecord)
    .describe(
      'What the call reaches beneath its tool: nested workflows, agents with their actions and servers, variables. A change of any of them before the call asks again.',
    ),
};

/** What the conversation had brought in when the egress rule held a call back. */
export const reasonFields = {
  has_read: z
    .array(z.enum(taints))
    .nullable()
    .describe(
      'For the reason `egress`: what the conversation had read when a person was asked, `private` and `untrusted` things. Empty: the policy of the agent asks before every call that sends. Null for other reasons, and for requests from before it was noted.',
    ),
};

export const approval = z
  .strictObject({
    id: z.guid().describe('The id of the approval.'),
    conversation_id: z.guid().describe('The conversation whose agent wants to call the tool.'),
    run_id: z.guid().describe('The agent run that waits.'),
    tool: z.string().describe('The name of the tool.'),
    tool_call_id: z.string().describe("The id of the call in the run's events."),
    arguments: z.unknown().describe('Exactly the arguments that the tool is run with when the call is approved.'),
    reason: z
      .enum(['requires_approval', 'rule', 'tool', 'egress'])
      .describe(
        "Why the call waits: the entry's `requires_approval`, one of its `approval_rules`, the tool itself, or the egress rule.",
      ),
    recipient: z
      .string()
      .nullable()
      .describe('The host that the call sends to, such as `desk.example.com`; null when it is not known.'),
    ...reachFields,
    ...reasonFields,
    scope: z
      .enum(approvalScopes)
      .describe('The calls that the approval covers in its conversation: this one alone, or later ones too.'),
    scope_ended_at: z.iso.datetime().nullable().describe('When the approval ceased to cover later calls; null: never.'),
    four_eyes: z.boolean().describe('Whether an actor that took part in the conversation may not decide.'),
    ...deciderFields,
    status: z.enum(statuses).describe('How the approval stands; `withdrawn` when the run ended before anyone decided.'),
    note: z.string().nullable().describe('What the person who decided wrote to the agent.'),
    decided_by: z.string().nullable().describe('The id of the actor that decided; null while none has.'),
    decided_by_actor: actorField('Who decided.'),
    decided_at: z.iso.datetime().nullable().describe('When the approval was decided, withdrawn or expired.'),
    expires_at: z.iso.datetime().nullable().describe('When the call counts as rejected; null when it waits forever.'),
    created_at: createdAt,
  })
  .meta({ id: 'Approval' });

export const approvalPage = paged(
  approval,
  summaryOf(approval, [
    'id',
    'run_id',
    'tool',
    'tool_call_id',
    'reason',
    'status',
    'created_at',
    'decided_at',
    'expires_at',
  ]),
);
export const approvalQuery = s.query({
  ...timedList(),
  status: s.optional(s.oneOf(statuses)).describe('Only approvals with this status.'),
});
export const approvalParams = s.object({
  conversation_id: conversationId,
  approval_id: s.uuid('approval').describe('The id of the approval.'),
});
export const approvalDecision = s
  .object({
    decision: s
      .oneOf(['approve', 'reject', 'withdraw'])
      .describe(
        'Whether the tool call is made. `withdraw`: the caller who asked takes the request back, and it is not.',
      ),
    scope: s
      .optional(s.oneOf(approvalScopes))
      .describe(
        'Which later calls of the conversation the approval covers, where the reason is `egress`: none (`once`, the default), those of this `tool`, those to this `recipient`, or all (`conversation`). They hold for the person, or the program, whose run was approved. They are recorded in the log of tool calls, and never pass to other conversations or child runs.',
      ),
    note: s.optional(s.str({ max: 10_000 })).describe('A remark that the agent reads when the call is rejected.'),
  })
  .meta({ id: 'ApprovalDecision' });

export type Approval = z.output<typeof approval>;
export type ApprovalDecision = z.output<typeof approvalDecision>;
