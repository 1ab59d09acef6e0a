import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import {
  acceptAdminKey,
  makeAdminKey,
  markAdminKeyDisplayed,
  releaseAdminKey,
  renewUndisplayedAdminKey,
} from '../keys/service.ts';
import { renewClaim } from '../people/service.ts';
import { insertDefaultRoles } from '../roles/service.ts';
import { findHome, type Home, insertHome, lockBootstrap } from './store.ts';

async function makeHome(tx: Db): Promise<Home> {
  const home = { tenant_id: newId(), workspace_id: newId() };
  await insertHome(tx, home);
  await insertDefaultRoles(tx, home.tenant_id);
  return home;
}

/** Creates what a server needs: a tenant, a workspace, an admin key. Runs at every start and does only what is missing. */
export async function bootstrap(db: Database, admin_key: string | undefined): Promise<Home> {
  return db.transaction(undefined, async (tx) => {
    await lockBootstrap(tx);
    const existing = await findHome(tx);
    const home = existing ?? (await makeHome(tx));
    if (admin_key !== undefined) await acceptAdminKey(tx, home, admin_key);
    else if (existing) await releaseAdminKey(tx);
    else await makeAdminKey(tx, home);
    return home;
  });
}

/** Prints the claim token, which makes the first administrator. While there are no people, each start makes a new one. */
export async function showClaim(db: Database, print: (token: string) => Promise<void>): Promise<void> {
  const token = await db.transaction(undefined, async (tx) => {
    await lockBootstrap(tx);
    const home = await findHome(tx);
    return home && renewClaim(tx, home.tenant_id);
  });
  if (token) await print(token);
}

/**
 * Prints the admin key that `bootstrap` made, until one start has really done it. The key works before it is printed. It
 * counts as shown only afterwards, so that a start that dies in between is made good by the next one.
 */
export async function showAdminKey(db: Database, print: (key: string) => Promise<void>): Promise<void> {
  await db.transaction(undefined, async (tx) => {
    // Nodes that start at the same moment do not each replace the value that another has just printed.
    await lockBootstrap(tx);
    const key = await renewUndisplayedAdminKey(db);
    if (key === undefined) return;
    await print(key);
    await markAdminKeyDisplayed(tx);
  });
}
