import type { Db } from '../../../../db/database.ts';
import { sql } from '../../../../db/sql.ts';

export const findCallbackKey = async (db: Db, workspace_id: string) =>
  (
    await db.row<{ sealed: string }>(
      sql`select sealed from workflow_callback_keys where workspace_id = ${workspace_id}`,
    )
  )?.sealed;

/** Keeps the first key when two requests make one at the same time. */
export const insertCallbackKey = (db: Db, workspace_id: string, sealed: string) =>
  db.run(sql`
    insert into workflow_callback_keys (workspace_id, sealed) values (${workspace_id}, ${sealed})
    on conflict do nothing`);
