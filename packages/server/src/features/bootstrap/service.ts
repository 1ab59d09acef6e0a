import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { acceptAdminKey, makeAdminKey, releaseAdminKey } from '../keys/service.ts';
import { insertDefaultRoles } from '../roles/service.ts';
import { findHome, type Home, insertHome, lockBootstrap } from './store.ts';

async function makeHome(tx: Db): Promise<Home> {
  const home = { tenant_id: newId(), workspace_id: newId() };
  await insertHome(tx, home);
  await insertDefaultRoles(tx, home.tenant_id);
  return home;
}

/**
 * Creates what a server needs: a tenant, a workspace, an admin key. Runs at every start and does only what is missing.
 * Returns the admin key when this call has created one, the only time it can be shown.
 */
export async function bootstrap(db: Database, admin_key: string | undefined): Promise<{ admin_key?: string }> {
  return db.transaction(undefined, async (tx) => {
    await lockBootstrap(tx);
    const existing = await findHome(tx);
    const home = existing ?? (await makeHome(tx));
    if (admin_key !== undefined) {
      await acceptAdminKey(tx, home, admin_key);
      return {};
    }
    if (existing) {
      await releaseAdminKey(tx);
      return {};
    }
    return { admin_key: await makeAdminKey(tx, home) };
  });
}
