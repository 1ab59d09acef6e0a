import { type EventKind, eventKinds } from '@atrium/contract/events/kinds.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { isOutsider, type Principal } from '../../lib/scope.ts';
import { onlyOf } from '../conversations/service.ts';
import { onlyOwner } from '../ownership/service.ts';
import type { EventRow } from './store.ts';

type Reader = Pick<
  Principal,
  'actor' | 'permissions' | 'person_id' | 'record_owner_id' | 'wide_reach' | 'own_conversations' | 'conversations_of'
>;

const holdsOne = ({ permissions }: Reader, needed: readonly Permission[]) =>
  needed.some((permission) => allows(permissions, permission));

const isOwn = ({ actor, person_id }: Reader, row: EventRow) =>
  row.person_id !== null && (row.person_id === actor.id || row.person_id === person_id);

/** The conversation that an event is about, or that its record belongs to. */
export const conversationOf = ({ kind, target_id, parent_kind, parent_id }: EventRow): string | null =>
  kind === 'conversation' ? target_id : parent_kind === 'conversation' ? parent_id : null;

/** The people whom conversations are shared with, by the conversation. */
export type SharedConversations = ReadonlyMap<string, ReadonlySet<string>>;

/** Conversations of other people are hidden from people who may not inspect conversations, unless they are shared. */
function seesConversation(reader: Reader, row: EventRow, shared: SharedConversations): boolean {
  const person_id = onlyOf(reader);
  if (!allows(reader.permissions, 'agents_run')) return false;
  if (person_id === undefined || row.person_id === person_id) return true;
  return shared.get(conversationOf(row) ?? '')?.has(person_id) ?? false;
}

/** As runs themselves: those who started one, and of those that triggers started or that failed who may edit workflows. */
function seesWorkflowRun(reader: Reader, row: EventRow): boolean {
  if (row.kind !== 'run') return true;
  const owner_id = onlyOwner(reader, 'run');
  if (owner_id === undefined || row.person_id === owner_id) return true;
  return allows(reader.permissions, 'flows_edit') && (row.person_id === null || row.event === 'run.failed');
}

/** Runs, approvals and triggers are seen by those who see what they belong to. */
function seesParent(reader: Reader, row: EventRow, shared: SharedConversations): boolean {
  if (row.parent_kind === 'conversation') return seesConversation(reader, row, shared);
  if (row.parent_kind === 'workflow') return allows(reader.permissions, 'flows_run') && seesWorkflowRun(reader, row);
  if (row.parent_kind === 'agent') return allows(reader.permissions, 'agents_run');
  return allows(reader.permissions, 'agents_run') && allows(reader.permissions, 'flows_run');
}

const rules: Partial<Record<EventKind, (reader: Reader, row: EventRow, shared: SharedConversations) => boolean>> = {
  conversation: seesConversation,
  run: seesParent,
  trigger: seesParent,
  // Requests to turn off a lock are for administrators, and for who asked.
  approval: (reader, row, shared) =>
    row.data.type === 'unlock'
      ? allows(reader.permissions, 'org:admin') || isOwn(reader, row)
      : seesParent(reader, row, shared),
  // As the list of notifications: for the person who is signed in.
  notification: (reader, row) => reader.actor.kind === 'person' && isOwn(reader, row),
  data_job: (reader, row) => allows(reader.permissions, 'org:admin') || isOwn(reader, row),
};

/** Whether a caller may see the record of an event, except for the rights of single documents. */
export function maySee(reader: Reader, row: EventRow, shared: SharedConversations): boolean {
  if (isOutsider(reader)) return false;
  const rule = rules[row.kind];
  return rule ? rule(reader, row, shared) : holdsOne(reader, eventKinds[row.kind]);
}
