import { randomBytes } from 'node:crypto';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { hashOf } from '../../../lib/secrets/token-hash.ts';
import { markSignedIn, type PersonWithPassword } from '../store.ts';
import { insertSession } from './store.ts';

/** Where a session is started from. */
export interface SessionOrigin {
  scope: Scope;
  user_agent: string | null;
  seconds: number;
}

/** Whose sign-in the audit log records, also one that fails. */
export const signedInAs = ({ id, name, tenant_id }: Pick<PersonWithPassword, 'id' | 'name' | 'tenant_id'>) => ({
  ...{ tenant_id, workspace_id: null, person: { id, name } },
});

/** Starts a session of a person. Only the cookie of the browser carries the token; its hash is stored. */
export async function startSession(tx: Db, person: PersonWithPassword, { scope, user_agent, seconds }: SessionOrigin) {
  const token = `ats_${randomBytes(32).toString('base64url')}`;
  const id = newId();
  const { expires_at } = await insertSession(tx, {
    ...{ id, person_id: person.id, token_hash: hashOf(token), seconds },
    ...{ address: scope.address ?? null, user_agent: user_agent?.slice(0, 300) ?? null },
  });
  await markSignedIn(tx, person.id);
  scope.audit?.note({ ...signedInAs(person), session_id: id, target: { kind: 'session', id } });
  return { token, id, expires_at };
}
