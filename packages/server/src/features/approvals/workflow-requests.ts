import type { InboxItem } from '@atrium/contract/approvals/inbox-schema.ts';
import type { Database } from '../../db/database.ts';
import { omit } from '../../lib/omit.ts';
import type { ListRequests } from './inbox.ts';
import { type InboxApprovalRow, listInboxApprovals } from './workflow-approval-store.ts';

const conversationFields = {
  conversation_id: null,
  conversation_name: null,
  agent_id: null,
  agent_name: null,
  tool: null,
  tool_call_id: null,
  arguments: null,
  recipient: null,
  reason: null,
};

const presentRequest = (row: InboxApprovalRow): InboxItem => ({
  ...omit(row, ['path', 'decision']),
  ...conversationFields,
  kind: 'workflow',
  type: 'approval',
  details: JSON.parse(row.details),
});

/** Lists the approvals of workflow steps of a workspace. */
export const makeWorkflowRequests =
  ({ db }: { db: Database }): ListRequests =>
  async ({ workspace_id }, window) => {
    const { rows, total } = await listInboxApprovals(db, workspace_id, window);
    return { items: rows.map(presentRequest), total };
  };
