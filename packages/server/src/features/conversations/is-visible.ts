import { forbidden, notFound } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { lacksPermission, noPerson, recordOwner, type Scope } from '../../lib/scope.ts';
import { type Caller, mayEditOthers, onlyOwner } from '../ownership/service.ts';
import type { ConversationRow } from './store.ts';

/** The owner whose conversations alone the caller sees; undefined: all of the workspace. */
export const onlyOf = (caller: Caller): string | undefined => onlyOwner(caller, 'conversation');

/** The owner whose conversations alone the caller may change; undefined: all of the workspace. */
export const onlyChangedBy = (caller: Caller): string | undefined =>
  onlyOf(caller) ?? (mayEditOthers(caller) ? undefined : (recordOwner(caller) ?? noPerson));

/** What remains of the conversations of two callers, each of whom sees those of one owner or, undefined, all. */
export function narrowerOf(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return first === second ? first : noPerson;
}

/** Whether the work of the same delivery of a trigger has made the conversation. */
const isOfDelivery = ({ actor }: Caller, { delivery_id }: Pick<ConversationRow, 'delivery_id'>): boolean =>
  delivery_id !== null && actor.kind === 'trigger' && actor.delivery_id === delivery_id;

/** A preview follows the draft, which is for those who edit the agent and for guests that they invite by a link. */
export const mayUsePreview = ({ actor, permissions }: Scope, { preview }: Pick<ConversationRow, 'preview'>): boolean =>
  !preview || actor.kind === 'link' || allows(permissions, 'agents_edit');

type OwnedRow = Pick<ConversationRow, 'id' | 'owner_id' | 'delivery_id'>;

/** The row, where the caller may see it; another person's conversation is answered like one that does not exist. */
export function requireVisible<T extends OwnedRow>(scope: Scope, row: T | undefined): T {
  const owner_id = onlyOf(scope);
  if (!row) throw notFound('conversation');
  if (owner_id === undefined || row.owner_id === owner_id) return row;
  const isShared = scope.shared?.conversation_id === row.id;
  if (!isShared && !isOfDelivery(scope, row)) throw notFound('conversation');
  return row;
}

/** The row, where the caller may write in it and change it. */
export function requireWritable<T extends OwnedRow>(scope: Scope, row: T | undefined): T {
  const visible = requireVisible(scope, row);
  const owner_id = onlyChangedBy(scope);
  const isOthers = owner_id !== undefined && visible.owner_id !== owner_id;
  if (isOthers && scope.shared?.conversation_id !== visible.id && !isOfDelivery(scope, visible))
    throw forbidden(`${lacksPermission(scope, 'conversations_edit')}, which conversations of others need`);
  return visible;
}
