import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { TableImport } from './exchange/import-table.ts';
import type { Tables } from './service.ts';
import { findTablesMadeFrom } from './store.ts';

/** The document that tables are made from; they are replaced and removed with it. */
export interface Origin {
  kb_id: string;
  document_id: string;
}

/** Tables with the rows of documents, for questions that a search can't answer. */
export function makeDerivedTables(deps: {
  db: Database;
  tables: Pick<Tables, 'remove'>;
  importing: Pick<TableImport, 'fromRows'>;
}) {
  const { db, tables, importing } = deps;
  return {
    /** Makes one table for each sheet. A table from before keeps its id while its columns stay the same. */
    async put(
      scope: Scope,
      origin: Origin,
      sheets: readonly { name: string; rows: readonly (readonly string[])[] }[],
    ): Promise<string[]> {
      const before = await findTablesMadeFrom(db, scope.workspace_id, origin);
      const table_ids: string[] = [];
      for (const [at, { name, rows }] of sheets.entries())
        table_ids.push(await importing.fromRows(scope, { name, meta: { ...origin }, known: before[at]?.id }, rows));
      for (const { id } of before) if (!table_ids.includes(id)) await tables.remove(scope, id);
      return table_ids;
    },

    async remove(scope: Scope, origin: { kb_id: string; document_id?: string }): Promise<void> {
      for (const { id } of await findTablesMadeFrom(db, scope.workspace_id, origin)) await tables.remove(scope, id);
    },
  };
}
