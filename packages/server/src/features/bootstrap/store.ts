import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** The first tenant and its first workspace. */
export interface Home {
  tenant_id: string;
  workspace_id: string;
}

/** Held until the transaction ends: several nodes may start on one empty database at the same moment. */
export const lockBootstrap = (tx: Db) => tx.run(sql`select pg_advisory_xact_lock(7426911)`);

export const findHome = (db: Db) =>
  db.row<Home>(sql`select tenant_id, id as workspace_id from workspaces order by created_at, id limit 1`);

export async function insertHome(tx: Db, { tenant_id, workspace_id }: Home): Promise<void> {
  await tx.run(sql`insert into tenants (id, name) values (${tenant_id}, 'Organization')`);
  await tx.run(sql`
    insert into workspaces (id, tenant_id, name, description)
    values (${workspace_id}, ${tenant_id}, 'Default', 'The first workspace')`);
}
