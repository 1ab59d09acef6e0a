import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt } from '../fields.ts';
import { timedList } from '../list-query.ts';
import { paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';
import { lockNames } from '../settings/locks.ts';

const lockedBy = z
  .guid()
  .nullable()
  .describe('The id of the person or key that turned the lock on; null when it is not known.');

/** A lock that is on. */
export const agentLock = z
  .strictObject({
    lock: z.enum(lockNames).describe('The lock; its setting is on.'),
    locked_by: lockedBy,
    locked_by_actor: actorField('Who turned the lock on.'),
    locked_at: z.iso.datetime().nullable().describe('When the lock was turned on; null when it is not known.'),
    reason: z.string().nullable().describe('Why, as `lock_reason` said; null when no reason was given.'),
  })
  .meta({ id: 'AgentLock' });

const statuses = ['pending', 'approved', 'rejected', 'withdrawn'] as const;

export const unlockRequest = z
  .strictObject({
    id: z.guid().describe('The id of the request.'),
    agent_id: z.guid().describe('The agent whose lock is to be turned off.'),
    lock: z.enum(lockNames).describe('The lock.'),
    reason: z
      .string()
      .nullable()
      .describe('Why the lock should be turned off. Null: only the one who asks and those who may decide read it.'),
    asked_by: z.guid().describe('The id of the person or key that asks.'),
    asked_by_actor: actorField('Who asks.'),
    status: z
      .enum(statuses)
      .describe('`approved`: the lock was turned off. `withdrawn`: it was turned off in another way.'),
    note: z
      .string()
      .nullable()
      .describe('What the administrator who decided wrote. Null: nothing, or it is hidden like `reason`.'),
    decided_by: z.guid().nullable().describe('The id of the person or key that decided; null while none has.'),
    decided_by_actor: actorField('Who decided.'),
    decided_at: z.iso.datetime().nullable().describe('When it was decided; null while it is not.'),
    created_at: createdAt,
  })
  .meta({ id: 'UnlockRequest' });
export const unlockRequestPage = paged(
  unlockRequest,
  summaryOf(unlockRequest, [
    'id',
    'agent_id',
    'lock',
    'reason',
    'status',
    'asked_by',
    'asked_by_actor',
    'decided_at',
    'created_at',
  ]),
);

const agentId = s.uuid('agent').describe('The id of the agent.');
export const unlockRequestParams = s.object({
  agent_id: agentId,
  request_id: s.uuid('unlock_request').describe('The id of the request.'),
});
export const unlockRequestQuery = s.query({
  ...timedList(),
  status: s.optional(s.oneOf(statuses)).describe('Only requests with this status.'),
});
export const unlockRequestCreate = s
  .object({
    lock: s.oneOf(lockNames).describe('The lock to turn off.'),
    reason: s.str({ min: 1, max: 2000, pattern: /\S/ }).describe('Why it should be turned off.'),
  })
  .meta({ id: 'UnlockRequestCreate' });
export const unlockDecision = s
  .object({
    decision: s.oneOf(['unlock', 'refuse']).describe('Whether the lock is turned off.'),
    note: s.optional(s.str({ max: 2000 })).describe('A remark for the one who asked.'),
  })
  .meta({ id: 'UnlockDecision' });

export type AgentLock = z.output<typeof agentLock>;
export type UnlockRequest = z.output<typeof unlockRequest>;
export type UnlockRequestQuery = z.output<typeof unlockRequestQuery>;
export type UnlockRequestCreate = z.output<typeof unlockRequestCreate>;
export type UnlockDecision = z.output<typeof unlockDecision>;
