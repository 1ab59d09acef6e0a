import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt } from '../fields.ts';
import { workspacePermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';
import { deciderFields } from './deciders.ts';

export const workflowApproval = z
  .strictObject({
    id: z.guid().describe('The id of the approval.'),
    run_id: z.guid().describe('The run that waits.'),
    node_id: z.string().describe('The node that asks.'),
    question: z.string().describe('The question to people.'),
    details: z.unknown().describe('The value that the node was given, for people to look at. Null: none.'),
    decision: z.enum(['approve', 'reject']).nullable().describe('The decision. Null: nothing was decided.'),
    note: z.string().nullable().describe('The note that came with the decision. Null: none.'),
    decided_by: z
      .string()
      .nullable()
      .describe('The name of the caller that decided, as it was then. Null: nothing was decided.'),
    decided_by_actor: actorField('Who decided, with the current name.'),
    created_at: createdAt,
    decided_at: z.iso.datetime().nullable().describe('When it was decided. Null: nothing was decided.'),
    expires_at: z.iso
      .datetime()
      .nullable()
      .describe('Until when a decision counts; then the node acts by its `on_timeout`. Null: without a limit.'),
    needs: z.enum(workspacePermissions).describe('The permission that the caller who decides must hold.'),
    four_eyes: z.boolean().describe('Whether the caller that started the run may not decide.'),
    ...deciderFields,
  })
  .meta({ id: 'WorkflowApproval' });
export const workflowApprovals = z.array(workflowApproval);
const runId = s.uuid('workflow_run').describe('The id of the run.');
export const workflowApprovalParams = s.object({
  run_id: runId,
  approval_id: s.uuid('workflow_approval').describe('The id of the approval.'),
});
export const workflowApprovalsParams = s.object({ run_id: runId });
export const workflowApprovalDecision = s
  .object({
    decision: s
      .oneOf(['approve', 'reject', 'withdraw'])
      .describe(
        'Whether the run goes on by the output `approved` or `rejected`. `withdraw`: the caller who started the run takes the request back, and the run goes on by `rejected`.',
      ),
    note: s.optional(s.str({ max: 10_000 })).describe('A reason; the node puts it into its output `decision`.'),
  })
  .meta({ id: 'WorkflowApprovalDecision' });

export type WorkflowApproval = z.output<typeof workflowApproval>;
export type WorkflowApprovalDecision = z.output<typeof workflowApprovalDecision>;
