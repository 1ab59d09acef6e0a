import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { newId } from '../../lib/ids.ts';
import { acceptAdminKey, makeAdminKey, releaseAdminKey } from '../keys/admin-key.ts';
import { insertDefaultRoles } from '../roles/default-roles.ts';

interface Home {
  tenant_id: string;
  workspace_id: string;
}

const findHome = (db: Db) =>
  db.row<Home>(sql`select tenant_id, id as workspace_id from workspaces order by created_at, id limit 1`);

async function makeHome(tx: Db): Promise<Home> {
  const home = { tenant_id: newId(), workspace_id: newId() };
  await tx.run(sql`insert into tenants (id, name) values (${home.tenant_id}, 'Organization')`);
  await tx.run(sql`
    insert into workspaces (id, tenant_id, name, description)
    values (${home.workspace_id}, ${home.tenant_id}, 'Default', 'The first workspace')`);
  await insertDefaultRoles(tx, home.tenant_id);
  return home;
}

/**
 * What a server can't be without: a tenant, a workspace, an admin key. Runs at every start and does only what is
 * missing. Answers the admin key when it has just made one, the only time it can be shown.
 */
export async function bootstrap(db: Database, admin_key: string | undefined): Promise<{ admin_key?: string }> {
  return db.transaction(undefined, async (tx) => {
    // Several nodes may start on one empty database at the same moment.
    await tx.run(sql`select pg_advisory_xact_lock(7426911)`);
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
