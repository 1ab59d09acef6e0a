import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import { deleteColumn, detachReferences, type ExpiredColumn, findExpiredColumns } from './columns/column-store.ts';
import * as ddl from './ddl/ddl-store.ts';
import { runDdl } from './ddl/ddl-transaction.ts';
import { droppedTableName } from './ddl/sql-names.ts';
import { removeSpace } from './ddl/workspace-schema-store.ts';
import { expireHistory } from './history/history-store.ts';
import { forgetColumnHistory, forgetTableHistory } from './history/record-change-store.ts';
import { deleteTable, findExpiredTables, findTable, lockTable } from './store.ts';

export function makeTableJobs({ db }: { db: Database }) {
  const purgeColumn = ({ workspace_id, table_id, id }: ExpiredColumn) =>
    runDdl(db, undefined, async (tx) => {
      const table = await lockTable(tx, workspace_id, table_id);
      const column = table?.dropped_columns.find((dropped) => dropped.id === id);
      if (!table || !column) return;
      await forgetColumnHistory(tx, table, column);
      await tx.run(ddl.dropColumn(table, droppedTableName(id)));
      await deleteColumn(tx, workspace_id, id);
    });

  const purgeTable = ({ workspace_id, table_id }: { workspace_id: string; table_id: string }) =>
    runDdl(db, undefined, async (tx) => {
      if (!(await lockTable(tx, workspace_id, table_id, true))) return;
      const table = await findTable(tx, workspace_id, table_id, true);
      if (!table) return;
      await detachReferences(tx, table);
      await forgetTableHistory(tx, table);
      await tx.run(ddl.dropTable(table));
      await deleteTable(tx, workspace_id, table_id);
    });

  return {
    /** Removes tables and columns that were dropped more than a week ago, and changes that are older than the history. */
    purge: defineJob({
      job: 'tables.purge',
      payload: z.object({}),
      attempts: 1,
      schedule: '17 * * * *',
      handler: async ({ signal }) => {
        for (const column of await findExpiredColumns(db)) if (!signal.aborted) await purgeColumn(column);
        for (const table of await findExpiredTables(db)) if (!signal.aborted) await purgeTable(table);
        while (!signal.aborted && (await expireHistory(db)) > 0);
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
