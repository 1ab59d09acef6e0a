import type { PoolConfig } from 'pg';
import type { Database } from '../db/database.ts';
import { type LimitMemory, openQueryConnections } from '../db/query-connections.ts';
import { agentsUsing } from '../features/agents/using.ts';
import { columnRoutes } from '../features/tables/column-routes.ts';
import { makeColumns } from '../features/tables/columns.ts';
import { roleTrouble } from '../features/tables/ddl/space.ts';
import { makeDerivedTables } from '../features/tables/derived.ts';
import { makeTableExport } from '../features/tables/exchange/export.ts';
import { makeTableImport } from '../features/tables/exchange/import.ts';
import { tableExchangeRoutes } from '../features/tables/exchange/routes.ts';
import { makeTableJobs } from '../features/tables/jobs.ts';
import { makeTableReferences } from '../features/tables/lookups.ts';
import type { TableUsers } from '../features/tables/present.ts';
import { makeAsWorkspace } from '../features/tables/query/as-workspace.ts';
import { queryBounds } from '../features/tables/query/bounds.ts';
import { queryRoutes } from '../features/tables/query/routes.ts';
import { makeQuestions } from '../features/tables/query/service.ts';
import { rowRoutes } from '../features/tables/row-routes.ts';
import { makeRows } from '../features/tables/row-service.ts';
import { makeTables } from '../features/tables/service.ts';
import { tableRoutes } from '../features/tables/table-routes.ts';
import { makeTableTools } from '../features/tables/tools.ts';
import type { Log } from '../lib/log.ts';

interface Options {
  db: Database;
  connection: PoolConfig;
  log: Log;
  limitMemory?: LimitMemory | undefined;
}

/** Tables that callers make: what they are, what is in them, and who may ask what of them. */
export async function makeTableParts({ db, connection, log, limitMemory }: Options) {
  const trouble = await roleTrouble(db);
  if (trouble) log.warn(trouble);
  const usersOf: TableUsers = (from, workspace_id, ids) => agentsUsing(from, workspace_id, 'table', ids);
  const tables = makeTables({ db, usersOf });
  const columns = makeColumns({ db, tables, usersOf });
  const rows = makeRows({ db, tables, asWorkspace: makeAsWorkspace(db) });
  const { slots, memory_bytes } = queryBounds;
  const connections = openQueryConnections({ connection, max: slots.total, log, limitMemory, memory_bytes });
  const questions = makeQuestions({ db, connections });
  const exporting = makeTableExport({ rows });
  const importing = makeTableImport({ db, tables, columns });
  const derived = makeDerivedTables({ db, tables, importing });
  const { exists, lookup } = makeTableReferences({ db });
  return {
    close: () => connections.close(),
    derived,
    exists,
    lookup,
    rows,
    toolsFor: makeTableTools({ tables, rows }),
    jobs: makeTableJobs({ db }),
    routes: [
      ...tableRoutes(tables),
      ...columnRoutes(columns),
      ...rowRoutes(rows),
      ...tableExchangeRoutes({ importing, exporting }),
      ...queryRoutes(questions),
    ],
  };
}
