import { workspacePermissions } from '@atrium/contract/permissions.ts';
import { c } from '../../node-types/config-fields.ts';
import { keyed, plain } from '../../node-types/connectors.ts';
import { defineNode, NodeFailure, waitForApproval } from '../../node-types/define-node.ts';

/** Waits until somebody has said yes or no, for as long as it takes; the run holds nothing in the meantime. */
export const approvalNode = defineNode({
  type: 'ApprovalNode',
  title: 'Wait for approval',
  description: 'Waits until a person approves or rejects.',
  category: 'logic',
  inputs: [plain('value', { data_type: 'Custom', optional: true }), keyed('variables', { optional: true })],
  outputs: [
    plain('approved', { data_type: 'Custom' }),
    plain('rejected', { data_type: 'Custom' }),
    plain('decision', { data_type: 'dict' }),
  ],
  config: {
    question: c.template({ tab: 'Human', description: 'What is asked, with ((Key)) where a value belongs' }),
    wait_seconds: c.number({
      min: 1,
      max: 31_536_000,
      optional: true,
      tab: 'Human',
      description: 'How long it waits; without, for ever',
    }),
    on_timeout: c.choice(['reject', 'approve', 'fail'], {
      default: 'reject',
      tab: 'Human',
      description: 'What counts when nobody has decided by then',
    }),
    permission: c.choice(workspacePermissions, {
      default: 'flows_run',
      tab: 'Human',
      description: 'What whoever decides must be allowed to, besides seeing the run (flows_run)',
    }),
    four_eyes: c.bool({
      default: false,
      tab: 'Human',
      description: 'Whether somebody other than the one who started the run has to decide',
    }),
  },
  async run(context, { value = null }, { question, wait_seconds, on_timeout, permission, four_eyes }) {
    const { resumed } = context;
    if (resumed?.for !== 'approval')
      return waitForApproval({
        ...{ question, details: value, seconds: wait_seconds ?? null },
        ...{ needs: permission, four_eyes },
      });
    if (resumed.note) context.log(`Note: ${resumed.note}`);
    const decision = resumed.decision === 'timeout' ? on_timeout : resumed.decision;
    if (decision === 'fail') throw new NodeFailure('approval_timeout', 'Nobody decided in time', { passing: false });
    const { decision: made, note, by } = resumed;
    return { [decision === 'approve' ? 'approved' : 'rejected']: value, decision: { decision: made, note, by } };
  },
});
