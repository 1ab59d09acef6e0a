import type { InboxItem } from '@atrium/contract/approvals/schema.ts';
import type { Database } from '../../db/database.ts';
import type { ListRequests } from './inbox.ts';
import { type AskedRow, listAsked } from './workflow-approval-store.ts';

const notOfWorkflows = {
  conversation_id: null,
  conversation_name: null,
  agent_id: null,
  agent_name: null,
  tool: null,
  tool_call_id: null,
  arguments: null,
  reason: null,
};

const shown = ({ path: _, decision: __, details, ...row }: AskedRow): InboxItem => ({
  ...row,
  ...notOfWorkflows,
  kind: 'workflow',
  type: 'approval',
  details: JSON.parse(details),
});

/** What the steps of a workspace's workflows ask people. */
export const makeAsked =
  ({ db }: { db: Database }): ListRequests =>
  async ({ workspace_id }, window) => {
    const { rows, total } = await listAsked(db, workspace_id, window);
    return { items: rows.map(shown), total };
  };
