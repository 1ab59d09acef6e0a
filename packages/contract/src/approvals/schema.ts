import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import { workspacePermissions } from '../permissions.ts';
import * as s from '../schema/schema.ts';

const kinds = ['conversation', 'workflow'] as const;
const statuses = ['pending', 'approved', 'rejected', 'answered', 'expired', 'withdrawn'] as const;

/** Something that people are asked, by a run of either kind. What only the other kind has is null. */
const inboxItem = z
  .strictObject({
    id: z.guid(),
    kind: z.enum(kinds),
    /** An approval is answered with yes or no, a question in words. */
    type: z.enum(['approval', 'question']),
    run_id: z.guid(),
    conversation_id: z.guid().nullable(),
    conversation_name: z.string().nullable(),
    agent_id: z.guid().nullable(),
    agent_name: z.string().nullable(),
    workflow_id: z.guid().nullable(),
    workflow_name: z.string().nullable(),
    node_id: z.string().nullable(),
    /** In words, where whoever asks has put it so: an agent's question, a step's. */
    question: z.string().nullable(),
    tool: z.string().nullable(),
    tool_call_id: z.string().nullable(),
    /** Of a tool call: exactly what the tool is run with when it is approved. */
    arguments: z.unknown(),
    /** Of a step: the value that has come to it. */
    details: z.unknown(),
    reason: z.enum(['requires_approval', 'rule', 'tool', 'egress']).nullable(),
    status: z.enum(statuses),
    note: z.string().nullable(),
    decided_by: z.string().nullable(),
    decided_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    /** The permission that whoever decides must hold. */
    needs: z.enum(workspacePermissions),
    /** Whether the actor that started the run, or caused the call, may not decide. */
    four_eyes: z.boolean(),
  })
  .meta({ id: 'InboxItem' });

export const inboxPage = paged(inboxItem);
export const inboxQuery = s.query({
  ...pageFields,
  kind: s.optional(s.oneOf(kinds)),
  status: s.withDefault(s.oneOf([...statuses, 'all']), 'pending'),
});

export type InboxItem = z.output<typeof inboxItem>;
export type InboxQuery = z.output<typeof inboxQuery>;
export type InboxStatus = InboxQuery['status'];
