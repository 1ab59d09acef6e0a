import type { Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { hashOf } from '../../lib/secrets/token-hash.ts';
import { deleteClaims, insertLink } from './link-store.ts';
import { daySeconds, newLinkToken } from './one-time-token.ts';
import { hasPeople } from './store.ts';

/** A fresh token for the first administrator, in place of an earlier one; undefined when there are people. */
export async function renewClaim(tx: Db, tenant_id: string): Promise<string | undefined> {
  await deleteClaims(tx);
  if (await hasPeople(tx)) return undefined;
  const token = newLinkToken('atc');
  await insertLink(tx, {
    ...{ id: newId(), tenant_id, kind: 'claim', token_hash: hashOf(token), seconds: 365 * daySeconds },
    ...{ workspace_id: null, role_id: null, person_id: null, email: null },
  });
  return token;
}
