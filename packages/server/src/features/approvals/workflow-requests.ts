import type { InboxItem } from '@atrium/contract/approvals/inbox-schema.ts';
import { allows, workspacePermissions } from '@atrium/contract/permissions.ts';
import type { Database } from '../../db/database.ts';
import { omit } from '../../lib/omit.ts';
import { personBehind, type Scope } from '../../lib/scope.ts';
import { withActors } from '../actors/service.ts';
import { runReach } from '../ownership/service.ts';
import { readStandings, type Standing } from './deciders.ts';
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
  recipients: [],
  beneath: [],
  reason: null,
  lock: null,
  has_read: null,
};

const presentRequest = (
  row: InboxApprovalRow,
  standing: Standing,
): Omit<InboxItem, 'decided_by_actor' | 'asked_by_actor'> => ({
  ...omit(row, ['path', 'decision', 'decided_by_id', 'approvers', 'approver_groups']),
  ...standing,
  ...conversationFields,
  kind: 'workflow',
  type: 'approval',
  details: JSON.parse(row.details),
});

/** Lists the approvals of workflow steps of a workspace. */
export const makeWorkflowRequests =
  ({ db }: { db: Database }): ListRequests =>
  async (scope, filter, window) => {
    const seen = { held: heldPermissions(scope), reach: runReach(scope), person_id: personBehind(scope) };
    const { rows, total, facets } = await listInboxApprovals(db, scope.workspace_id, { ...filter, ...seen }, window);
    const named = await withActors(db, scope, rows, 'decided_by_id', 'asked_by');
    const open = rows.filter(({ status }) => status === 'pending');
    const standingOf = await readStandings(
      db,
      scope,
      open.map(({ id, needs }) => ({ id, needs: ['flows_run', needs] })),
    );
    const items = named.map(({ decided_by_id_actor: decided_by_actor, asked_by_actor, ...row }) => ({
      ...presentRequest(row, standingOf(row.id)),
      decided_by_actor,
      asked_by_actor,
    }));
    return { items, total, ...(facets && { facets }) };
  };
