import type { InboxItem } from '@atrium/contract/approvals/inbox-schema.ts';
import type { Database } from '../../db/database.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import { withActors } from '../actors/service.ts';
import type { Transcript } from '../conversations/ports.ts';
import { findReaders, onlyOf } from '../conversations/service.ts';
import type { ListRequests } from './inbox.ts';
import { type InboxRequestRow, listInboxRequests } from './request-store.ts';
import { showBeneath } from './show-beneath.ts';

const workflowFields = { workflow_id: null, workflow_name: null, node_id: null, details: null };
const lockFields = { lock: null, asked_by: null, asked_by_actor: null };

function presentRequest(scope: Scope, row: InboxRequestRow): Omit<InboxItem, 'decided_by_actor'> {
  const input = JSON.parse(row.arguments);
  const isQuestion = row.kind === 'question';
  return {
    ...omit(row, ['group_id', 'call_id']),
    ...workflowFields,
    ...lockFields,
    kind: 'conversation',
    type: row.kind,
    tool_call_id: row.call_id,
    arguments: input,
    recipients: [...row.recipients],
    beneath: showBeneath(scope, row.beneath),
    question: isQuestion ? input.question : null,
    // The permissions of the operations that answer it.
    needs: isQuestion ? 'conversations_read' : 'agents_run',
  };
}

/** Lists the approvals and questions of the conversations of a workspace. */
export const makeConversationRequests =
  ({ db, transcript }: { db: Database; transcript: Pick<Transcript, 'read'> }): ListRequests =>
  async (scope, filter, window) => {
    const person_id = onlyOf(scope);
    const isShared = async (id: string) =>
      person_id !== undefined && (await findReaders(db, scope.workspace_id, [id])).get(id)?.has(person_id);
    const { rows, total, facets } = await listInboxRequests(db, scope.workspace_id, { ...filter, person_id }, window);
    if (total === 0 && filter.conversation_id && !(await isShared(filter.conversation_id)))
      await transcript.read(scope, filter.conversation_id);
    const items = await withActors(
      db,
      scope,
      rows.map((row) => presentRequest(scope, row)),
      'decided_by',
    );
    return { items, total, ...(facets && { facets }) };
  };
