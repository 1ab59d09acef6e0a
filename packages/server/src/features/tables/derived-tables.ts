import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Scope } from '../../lib/scope.ts';
import type { TableImport } from './exchange/import-table.ts';
import type { Tables } from './service.ts';

/** What a table is made from: it is found again by it, made anew with it, and goes with it. */
export interface Origin {
  kb_id: string;
  document_id: string;
}

const madeFrom = (db: Db, workspace_id: string, origin: { kb_id: string; document_id?: string }) =>
  db.rows<{ id: string }>(sql`
    select id from tables where workspace_id = ${workspace_id} and dropped_at is null
      and meta::jsonb @> ${JSON.stringify(origin)}::jsonb order by id`);

/** Tables that hold what stands in documents of others, for questions that a search can't answer. */
export function makeDerivedTables(deps: {
  db: Database;
  tables: Pick<Tables, 'remove'>;
  importing: Pick<TableImport, 'fromRows'>;
}) {
  const { db, tables, importing } = deps;
  return {
    /** One for each sheet. Those that were made before keep their ids as long as their columns stay the same. */
    async put(
      scope: Scope,
      origin: Origin,
      sheets: readonly { name: string; rows: readonly (readonly string[])[] }[],
    ): Promise<string[]> {
      const before = await madeFrom(db, scope.workspace_id, origin);
      const made: string[] = [];
      for (const [at, { name, rows }] of sheets.entries())
        made.push(await importing.fromRows(scope, { name, meta: { ...origin }, known: before[at]?.id }, rows));
      for (const { id } of before) if (!made.includes(id)) await tables.remove(scope, id);
      return made;
    },

    async remove(scope: Scope, origin: { kb_id: string; document_id?: string }): Promise<void> {
      for (const { id } of await madeFrom(db, scope.workspace_id, origin)) await tables.remove(scope, id);
    },
  };
}
