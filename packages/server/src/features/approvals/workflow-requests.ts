import type { InboxItem } from '@atrium/contract/approvals/inbox-schema.ts';
import { allows, workspacePermissions } from '@atrium/contract/permissions.ts';
import type { Database } from '../../db/database.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import { withActors } from '../actors/service.ts';
import { runReach } from '../ownership/service.ts';
import type { ListRequests } from './inbox.ts';
import { type InboxApprovalRow, listInboxApprovals } from './workflow-approval-store.ts';

const heldPermissions = ({ permissions }: Scope) => workspacePermissions.filter((one) => allows(permissions, one));

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
  ...{ lock: null, asked_by: null, asked_by_actor: null },
};

const presentRequest = (row: InboxApprovalRow): Omit<InboxItem, 'decided_by_actor'> => ({
  ...omit(row, ['path', 'decision', 'decided_by_id']),
  ...conversationFields,
  kind: 'workflow',
  type: 'approval',
  details: JSON.parse(row.details),
});

/** Lists the approvals of workflow steps of a workspace. */
export const makeWorkflowRequests =
  ({ db }: { db: Database }): ListRequests =>
  async (scope, filter, window) => {
    const seen = { held: heldPermissions(scope), reach: runReach(scope) };
    const { rows, total, facets } = await listInboxApprovals(db, scope.workspace_id, { ...filter, ...seen }, window);
    const named = await withActors(db, scope, rows, 'decided_by_id');
    const items = named.map(({ decided_by_id_actor: decided_by_actor, ...row }) => ({
      ...presentRequest(row),
      decided_by_actor,
    }));
    return { items, total, ...(facets && { facets }) };
  };
