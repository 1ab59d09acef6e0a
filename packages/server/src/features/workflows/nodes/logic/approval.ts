import { approvalNodeType } from '@atrium/contract/workflows/node-types/logic/approval.ts';
import { defineNode } from '../define-node.ts';
import { waitForApproval } from '../engine-request.ts';
import { NodeFailure } from '../node-failure.ts';

/** Waits for a decision without a time limit of its own; the run is suspended and holds no slot meanwhile. */
export const approvalNode = defineNode(
  approvalNodeType,
  async (
    context,
    { value = null },
    { question, wait_seconds, on_timeout, permission, four_eyes, approvers, approver_groups },
  ) => {
    const { resumed } = context;
    if (resumed?.for !== 'approval')
      return waitForApproval({
        ...{ question, details: value, seconds: wait_seconds ?? null },
        ...{ needs: permission, four_eyes, approvers, approver_groups },
      });
    if (resumed.note) context.log(`Note: ${resumed.note}`);
    const decision = resumed.decision === 'timeout' ? on_timeout : resumed.decision;
    if (decision === 'fail') throw new NodeFailure('approval_timeout', 'Nobody decided in time', { passing: false });
    const { decision: made, note, by } = resumed;
    return { [decision === 'approve' ? 'approved' : 'rejected']: value, decision: { decision: made, note, by } };
  },
);
