import type { PoolConfig } from 'pg';
import type { Database } from '../db/database.ts';
import { type LimitMemory, openQueryConnections } from '../db/query-connections.ts';
import { decodeStream } from '../drivers/extractors/text/decode-stream.ts';
import { findEncoding } from '../drivers/extractors/text/find-encoding.ts';
import { findAgentsUsing } from '../features/agents/find-agents-using.ts';
import { makeTableTools } from '../features/tables/agent-tools/tools.ts';
import type { RowStorage } from '../features/tables/charge-rows.ts';
import { columnRoutes } from '../features/tables/columns/column-handlers.ts';
import { makeColumns } from '../features/tables/columns/columns.ts';
import { describeMissingRoleRight } from '../features/tables/ddl/workspace-schema-store.ts';
import { makeDerivedTables } from '../features/tables/derived-tables.ts';
import { makeTableExport } from '../features/tables/exchange/export-table.ts';
import { tableExchangeRoutes } from '../features/tables/exchange/handlers.ts';
import { makeTableImport } from '../features/tables/exchange/import-table.ts';
import { makeTableRecords } from '../features/tables/exchange/table-records.ts';
import { historyRoutes } from '../features/tables/history/history-handlers.ts';
import { makeTableHistory } from '../features/tables/history/history-service.ts';
import { makeTableJobs } from '../features/tables/jobs.ts';
import type { TableUsers } from '../features/tables/present-table.ts';
import { queryBounds } from '../features/tables/query/bounds.ts';
import { queryRoutes } from '../features/tables/query/handlers.ts';
import { makeReadAsWorkspace } from '../features/tables/query/read-as-workspace.ts';
import { makeTableQueries } from '../features/tables/query/service.ts';
import { makeChangeRows } from '../features/tables/rows/bulk-rows.ts';
import { rowRoutes } from '../features/tables/rows/row-handlers.ts';
import { makeRows } from '../features/tables/rows/row-service.ts';
import { makeTableAccess } from '../features/tables/rows/table-access.ts';
import { makeTables } from '../features/tables/service.ts';
import { tableRoutes } from '../features/tables/table-handlers.ts';
import { makeTableReferences } from '../features/tables/table-references.ts';
import type { Log } from '../lib/log.ts';

interface Options {
  db: Database;
  connection: PoolConfig;
  log: Log;
  limitMemory?: LimitMemory | undefined;
  storage: RowStorage;
  /** What this process may have of a limit of its machine. */
  share(most: number): number;
}

/** Composes tables: structure, rows, imports, exports, SQL queries and tools. */
export async function composeTables({ db, connection, log, limitMemory, share, storage }: Options) {
  const trouble = await describeMissingRoleRight(db);
  if (trouble) log.warn(trouble);
  const usersOf: TableUsers = (from, workspace_id, ids) => findAgentsUsing(from, workspace_id, 'table', ids);
  const tables = makeTables({ db, usersOf });
  const columns = makeColumns({ db, tables, usersOf });
  const access = makeTableAccess({ db, tables, asWorkspace: makeReadAsWorkspace(db) });
  const rows = makeRows({ db, access, storage });
  const { memory_bytes } = queryBounds;
  const { total, each, waiting } = queryBounds.slots;
  const slots = { total: share(total), each: share(each), waiting };
  const connections = openQueryConnections({ connection, max: slots.total, log, limitMemory, memory_bytes });
  const queries = makeTableQueries({ db, connections, slots });
  const exporting = makeTableExport({ rows });
  const importing = makeTableImport({ db, tables, columns, decodeText: decodeStream, findEncoding, storage });
  const derived = makeDerivedTables({ db, tables, importing });
  const { exists, lookup } = makeTableReferences({ db });
  return {
    close: () => connections.close(),
    tables,
    derived,
    exists,
    lookup,
    rows,
    records: makeTableRecords({ db, tables }),
    toolsFor: makeTableTools({ tables, rows, queries }),
    jobs: makeTableJobs({ db }),
    routes: [
      ...tableRoutes(tables),
      ...columnRoutes(columns),
      ...rowRoutes(rows),
      ...historyRoutes(makeTableHistory({ db, access }), makeChangeRows({ db, access, storage })),
      ...tableExchangeRoutes({ importing, exporting }),
      ...queryRoutes(queries),
    ],
  };
}
