import type { InboxItem } from '@atrium/contract/approvals/schema.ts';
import type { Database } from '../../db/database.ts';
import type { ListRequests } from './inbox.ts';
import { type AskedRow, listAsked } from './request-store.ts';

const notOfConversations = { workflow_id: null, workflow_name: null, node_id: null, details: null };

function shown({ group_id: _, kind: type, call_id: tool_call_id, arguments: text, ...row }: AskedRow): InboxItem {
  const given = JSON.parse(text);
  return {
    ...row,
    ...notOfConversations,
    kind: 'conversation',
    type,
    tool_call_id,
    arguments: given,
    question: type === 'question' ? given.question : null,
    // As the operations ask that answer it.
    needs: type === 'question' ? 'conversations_read' : 'agents_run',
  };
}

/** What the conversations of a workspace ask people: leave for tool calls, and questions of the agents' own. */
export const makeAsked =
  ({ db }: { db: Database }): ListRequests =>
  async ({ workspace_id }, window) => {
    const { rows, total } = await listAsked(db, workspace_id, window);
    return { items: rows.map(shown), total };
  };
