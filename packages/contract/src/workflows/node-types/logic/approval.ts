import { workspacePermissions } from '../../../permissions.ts';
import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const approvalNodeType = nodeType({
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
    approvers: c.references('person', {
      default: [],
      tab: 'Human',
      description: 'The people who decide; without people and groups, everybody with the permission',
    }),
    approver_groups: c.references('user_group', {
      default: [],
      tab: 'Human',
      label: 'Approver groups',
      description: 'The user groups whose people decide. When nobody named is active, administrators do',
    }),
  },
  example: { question: 'Send the offer to ((Customer))?', wait_seconds: 86_400, on_timeout: 'reject' },
});
