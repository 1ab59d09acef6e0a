import type { InboxItem } from '@atrium/contract/approvals/inbox-schema.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database } from '../../db/database.ts';
import { omit } from '../../lib/omit.ts';
import { personBehind, type Scope } from '../../lib/scope.ts';
import { withActors } from '../actors/service.ts';
import type { Transcript } from '../conversations/ports.ts';
import { findReaders, onlyOf } from '../conversations/service.ts';
import { notWaiting, readStandings, type Standing } from './deciders.ts';
import type { ListRequests } from './inbox.ts';
import { type InboxRequestRow, listInboxRequests } from './request-store.ts';
import { showBeneath } from './show-beneath.ts';

const workflowFields = { workflow_id: null, workflow_name: null, node_id: null, node_name: null, details: null };

function presentRequest(
  scope: Scope,
  row: InboxRequestRow,
  standing: Standing,
): Omit<InboxItem, 'decided_by_actor' | 'asked_by_actor'> {
  const input = JSON.parse(row.arguments);
  const isQuestion = row.kind === 'question';
  return {
    ...omit(row, ['group_id', 'call_id', 'approvers', 'approver_groups', 'asked_kind', 'end_user_name']),
    ...standing,
    ...workflowFields,
    lock: null,
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
    const { rows, total, facets } = await listInboxRequests(
      db,
      scope.workspace_id,
      { ...filter, person_id, named_person_id: personBehind(scope) },
      window,
    );
    if (total === 0 && filter.conversation_id && !(await isShared(filter.conversation_id)))
      await transcript.read(scope, filter.conversation_id);
    const open = rows.filter(({ status, kind }) => status === 'pending' && kind === 'approval');
    const approvals = await readStandings(
      db,
      scope,
      open.map(({ id }) => ({ id, needs: ['agents_run'] })),
    );
    // Questions are answered by everybody who may answer in place of the agent.
    const standingOf = ({ id, kind, status }: InboxRequestRow): Standing =>
      kind === 'approval'
        ? approvals(id)
        : { ...notWaiting, may_decide: status === 'pending' && allows(scope.permissions, 'conversations_read') };
    const named = await withActors(
      db,
      scope,
      rows.map((row) => presentRequest(scope, row, standingOf(row))),
      'decided_by',
      'asked_by',
    );
    // Guests are in no list of actors: they are known by how they came, and by the name that their channel gave.
    const items = named.map(({ asked_by_actor: actor, ...item }, index) => {
      const { asked_kind, end_user_name } = rows[index] as InboxRequestRow;
      const guest = { kind: actor?.kind ?? asked_kind, name: end_user_name ?? actor?.name ?? null };
      return { ...item, asked_by_actor: actor && { ...actor, ...guest } };
    });
    return { items, total, ...(facets && { facets }) };
  };
