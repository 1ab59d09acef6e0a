import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

const statuses = ['pending', 'approved', 'rejected', 'expired', 'withdrawn'] as const;

/** A tool call that waits for a person's word, or has waited. */
export const approval = z
  .strictObject({
    id: z.guid(),
    conversation_id: z.guid(),
    run_id: z.guid(),
    tool: z.string(),
    tool_call_id: z.string(),
    /** Exactly what the tool is run with when it is approved. */
    arguments: z.unknown(),
    reason: z.enum(['requires_approval', 'rule', 'tool', 'egress']),
    /** Whether the actor that caused the call may not decide. */
    four_eyes: z.boolean(),
    status: z.enum(statuses),
    note: z.string().nullable(),
    decided_by: z.string().nullable(),
    decided_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Approval' });

export const approvalPage = paged(approval);
export const approvalQuery = s.query({ ...pageFields, status: s.optional(s.oneOf(statuses)) });
export const approvalParams = s.object({ conversation_id: s.uuid('conversation'), approval_id: s.uuid('approval') });
export const approvalDecision = s
  .object({ decision: s.oneOf(['approve', 'reject']), note: s.optional(s.str({ max: 10_000 })) })
  .meta({ id: 'ApprovalDecision' });

export type Approval = z.output<typeof approval>;
export type ApprovalDecision = z.output<typeof approvalDecision>;
