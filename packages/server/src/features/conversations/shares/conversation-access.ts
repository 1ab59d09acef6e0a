import { allows } from '@atrium/contract/permissions.ts';
import type { Db } from '../../../db/database.ts';
import { personBehind, type Scope } from '../../../lib/scope.ts';
import { onlyOf } from '../is-visible.ts';
import type { ConversationAccess } from '../ports.ts';
import { findAccess, findOwners } from './share-store.ts';

/**
 * What callers may do with records that are made of conversations. A key that may not read conversations has those that it
 * began; a person has their own, and reads those that are shared with them.
 */
export const makeConversationAccess =
  ({ db }: { db: Db }): ConversationAccess =>
  async (scope: Scope, ids) => {
    const access = new Map<string, 'owner' | 'reader'>();
    if (ids.length === 0) return access;
    const { workspace_id, actor, permissions } = scope;
    const person_id = onlyOf(scope);
    if (person_id === undefined && allows(permissions, 'conversations_read'))
      for (const id of ids) access.set(id, 'reader');
    const reader = person_id ?? personBehind(scope);
    if (reader !== null)
      for (const { conversation_id } of await findAccess(db, workspace_id, reader, ids))
        access.set(conversation_id, 'reader');
    for (const { id, ...owner } of await findOwners(db, workspace_id, ids))
      if (
        owner.person_id !== null ? owner.person_id === reader : [actor.id, actor.line].includes(owner.api_key_id ?? '')
      )
        access.set(id, 'owner');
    return access;
  };
