import { conflict, forbidden } from '@atrium/contract/errors.ts';
import type { Db } from '../../db/database.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import type { PeopleLookup } from './ports.ts';
import * as store from './store.ts';

/** The owner of what the caller makes, and the people who are shown its value. */
export interface CallerOwner {
  owner: store.KeyOwner;
  known_to: string[];
}

/**
 * The person who is signed in, or the owner of the caller's key. A person stays locked until the transaction ends, so that
 * a deactivation at the same moment finds the new key.
 */
export async function lockCallerOwner(
  { tx, people }: { tx: Db; people: PeopleLookup },
  scope: Scope,
): Promise<CallerOwner> {
  const { actor, tenant_id } = scope;
  if (actor.kind !== 'person' && actor.kind !== 'api_key') throw forbidden('Only a person or an API key can own a key');
  const found =
    actor.kind === 'person'
      ? { id: required(scope.person_id), kind: 'person' as const, known_to: [] }
      : await store.findOwner(tx, tenant_id, actor.id);
  if (!found) throw forbidden('The API key of this request was revoked');
  const { id, kind, known_to } = found;
  if (kind === 'person' && !(await people.lockActive(tx, tenant_id, id)))
    throw conflict('The owner of this key is not active any more');
  const people_ids = [...known_to, ...(scope.person_id ? [scope.person_id] : [])];
  return { owner: { id, kind }, known_to: [...new Set(people_ids)] };
}
