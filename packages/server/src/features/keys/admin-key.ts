import type { Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { hashOf, keyHint, newKeyValue } from './key-value.ts';
import { insertServiceAccount } from './service-accounts/store.ts';
import * as store from './store.ts';

interface Home {
  tenant_id: string;
  workspace_id: string;
}

const systemKey = (home: Home, owner_id: string, name: string, value: string): store.NewKey => ({
  ...home,
  owner: { id: owner_id, kind: 'service_account' },
  id: newId(),
  name,
  hash: hashOf(value),
  hint: keyHint(value),
  tenant_admin: true,
  permissions: ['org:admin'],
  expires_at: null,
});

/** The service account of an admin key: the organization's, which no request can change. */
async function makeOwner(tx: Db, { tenant_id }: Home): Promise<string> {
  const id = newId();
  await insertServiceAccount(tx, {
    ...{ id, tenant_id, workspace_id: null, name: 'Organization', role_id: null, permissions: ['org:admin'] },
  });
  return id;
}

/** The first admin key of a server that was given none. Its value is made when it is printed. */
export async function makeAdminKey(tx: Db, home: Home): Promise<void> {
  const owner_id = await makeOwner(tx, home);
  await store.insertKey(tx, { ...systemKey(home, owner_id, 'Admin key', newKeyValue()), awaits_display: true });
}

/** A fresh value for the admin key that no start has printed; undefined when there is none. */
export async function renewUndisplayedAdminKey(db: Db): Promise<string | undefined> {
  const value = newKeyValue();
  return (await store.renewUndisplayedKey(db, hashOf(value), keyHint(value))) ? value : undefined;
}

export const markAdminKeyDisplayed = (tx: Db) => store.markKeyDisplayed(tx);

/** ATRIUM_ADMIN_KEY is a system key from this start on, in place of what the variable said before. */
export async function acceptAdminKey(tx: Db, home: Home, value: string): Promise<void> {
  const known = await store.findByHash(tx, hashOf(value));
  if (known && (!known.tenant_admin || known.has_expired))
    throw new Error(
      `ATRIUM_ADMIN_KEY is the value of "${known.name}", which is ${known.has_expired ? 'expired' : 'not a system key'}; set another`,
    );
  if (known) await store.deleteOtherEnvironmentKeys(tx, hashOf(value));
  else {
    const owner_id = (await store.findEnvironmentOwner(tx)) ?? (await makeOwner(tx, home));
    await store.putEnvironmentKey(tx, systemKey(home, owner_id, 'Admin key (environment)', value));
  }
  // The operator has a key now, so one that was never printed is not needed.
  await store.deleteUndisplayedKey(tx);
}

/** Without the variable its key is one like any other: still valid, and to be revoked like any other. */
export const releaseAdminKey = (tx: Db) => store.releaseEnvironmentKey(tx);
