import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { defineJob } from '../../lib/define-job.ts';
import { deleteColumn } from './columns/column-store.ts';
import { runDdl } from './ddl/ddl-transaction.ts';
import { droppedTableName } from './ddl/sql-names.ts';
import * as ddl from './ddl/statements.ts';
import { removeSpace } from './ddl/workspace-schema.ts';
import { deleteTable, findTable, lockTable } from './store.ts';

interface Expired {
  workspace_id: string;
  table_id: string;
  id: string;
}

/** What was dropped longer than a week ago. Of a table that is put away itself, the columns go with it. */
const expiredColumns = (db: Database) =>
  db.rows<Expired>(sql`
    select c.workspace_id, c.table_id, c.id from table_columns c
    join tables t on t.workspace_id = c.workspace_id and t.id = c.table_id
    where c.dropped_at < now() - interval '7 days' and t.dropped_at is null`);
const expiredTables = (db: Database) =>
  db.rows<Expired>(sql`
    select workspace_id, id as table_id, id from tables where dropped_at < now() - interval '7 days'`);

export function makeTableJobs({ db }: { db: Database }) {
  const purgeColumn = ({ workspace_id, table_id, id }: Expired) =>
    runDdl(db, undefined, async (tx) => {
      const table = await lockTable(tx, workspace_id, table_id);
      if (!table?.dropped_columns.some((one) => one.id === id)) return;
      await tx.run(ddl.dropColumn(table, droppedTableName(id)));
      await deleteColumn(tx, workspace_id, id);
    });

  const purgeTable = ({ workspace_id, table_id }: Expired) =>
    runDdl(db, undefined, async (tx) => {
      if (!(await lockTable(tx, workspace_id, table_id, true))) return;
      const table = await findTable(tx, workspace_id, table_id, true);
      if (!table) return;
      // What is put away and referred to it keeps its ids, which now refer to nothing.
      await tx.run(sql`
        update table_columns set references_table = null, on_delete = null,
          type = ${table.id_type === 'uuid' ? 'uuid' : 'integer'}
        where workspace_id = ${workspace_id} and references_table = ${table_id}`);
      await tx.run(ddl.dropTable(table));
      await deleteTable(tx, workspace_id, table_id);
    });

  return {
    /** What could be restored for a week is gone after it. */
    purge: defineJob({
      job: 'tables.purge',
      payload: z.object({}),
      attempts: 1,
      schedule: '17 * * * *',
      handler: async ({ signal }) => {
        for (const column of await expiredColumns(db)) if (!signal.aborted) await purgeColumn(column);
        for (const table of await expiredTables(db)) if (!signal.aborted) await purgeTable(table);
      },
    }),

    /** Enqueued by the transaction that deletes a workspace. */
    removeWorkspace: defineJob({
      job: 'tables.remove-workspace',
      payload: z.object({ workspace_id: z.guid() }),
      attempts: 25,
      handler: (_, { workspace_id }) => removeSpace(db, workspace_id),
    }),
  };
}
