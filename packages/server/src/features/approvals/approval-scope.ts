import type { ApprovalDecision } from '@atrium/contract/approvals/schema.ts';
import { invalid } from '@atrium/contract/errors.ts';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { CoveringApproval, RequestRow } from './request-store.ts';

type ApprovalRequest = Extract<RunEvent, { type: 'approval-request' }>;

/** Refuses a scope that a decision about this request can't have. */
export function requireAllowedScope(asked: RequestRow, { decision, scope = 'once' }: ApprovalDecision): void {
  if (scope === 'once') return;
  const refuse = (error: string) => invalid(['body', 'scope'], error, scope);
  if (decision !== 'approve') throw refuse('a rejection is about one call; leave the scope out');
  if (asked.reason !== 'egress')
    throw refuse('only approvals of the egress rule can cover later calls; approve this call with the scope once');
  // The approver could take part in the conversation later, and would then approve its own call.
  if (asked.four_eyes) throw refuse('with four_eyes every call is approved by itself');
  if (scope === 'recipient' && asked.recipient === null)
    throw refuse('the recipient of this tool is not known; choose tool or conversation');
}

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  new Set(one).symmetricDifference(new Set(other)).size === 0;

/** The earlier approval that covers a call. Only the egress rule lets a call through by one. */
export function findCoveringApproval(
  { reason, four_eyes, name, definition, recipient, approvers = [], approver_groups = [] }: ApprovalRequest,
  approvals: readonly CoveringApproval[],
): CoveringApproval | undefined {
  if (reason !== 'egress' || four_eyes) return undefined;
  return approvals.find((approval) => {
    if (approval.scope === 'tool')
      return (
        approval.tool === name &&
        approval.definition === definition &&
        // Names of an entry for all tools of a kind are no part of the digest.
        isSameSet(approval.approvers, approvers) &&
        isSameSet(approval.approver_groups, approver_groups)
      );
    // Whoever decided about another tool need not be one of those who are named for this one.
    if (approvers.length + approver_groups.length > 0) return false;
    // Other tools are covered as they were when a person was asked; one that was changed or added since is not.
    const isUnchanged = definition !== undefined && approval.definitions?.[name] === definition;
    if (approval.scope === 'recipient')
      return isUnchanged && recipient !== undefined && approval.recipient === recipient;
    return isUnchanged && approval.scope === 'conversation';
  });
}
