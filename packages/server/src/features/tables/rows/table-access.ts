import type { Database, Db } from '../../../db/database.ts';
import { errorCode } from '../../../lib/error-code.ts';
import type { Scope } from '../../../lib/scope.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { platformRelation } from '../platform-tables.ts';
import type { ReadAsWorkspace } from '../query/read-as-workspace.ts';
import { type AnyTable, readOnly, type Tables } from '../service.ts';
import type { TableRow } from '../store.ts';
import { explainRowErrors } from './explain-row-errors.ts';
import type { RowSource } from './row-source.ts';

/** Finds tables for work on their rows. */
export interface TableAccess {
  /** Runs `work` with the current table, and again if its columns changed meanwhile. */
  withTable<T>(scope: Scope, id: string, work: (table: TableRow) => Promise<T>): Promise<T>;
  /** The same for reading. Tables of the platform are read under the database role of the workspace. */
  reading<T>(
    scope: Scope,
    id: string,
    work: (from: Db, source: RowSource, isVersioned: boolean) => Promise<T>,
  ): Promise<T>;
}

interface Needs {
  db: Database;
  tables: Pick<Tables, 'find'>;
  asWorkspace: ReadAsWorkspace;
}

/** Error codes after which a statement may have been prepared for columns that have changed since. */
const mayBeStale = (error: unknown) => /^(42|22|0A|23514)/.test(String(errorCode(error) ?? ''));
const tries = 4;

export function makeTableAccess({ db, tables, asWorkspace }: Needs): TableAccess {
  async function withTable<T>(
    scope: Scope,
    id: string,
    work: (table: TableRow) => Promise<T>,
    known?: AnyTable,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const found = attempt === 1 && known ? known : await tables.find(scope, id);
      if (found.source === 'platform') throw readOnly();
      try {
        return await explainRowErrors(db, found.row, () => work(found.row));
      } catch (error) {
        if (!mayBeStale(error) || attempt === tries) throw error;
        const now = await tables.find(scope, id);
        if (now.source === 'custom' && now.row.version === found.row.version) throw error;
      }
    }
  }

  async function reading<T>(
    scope: Scope,
    id: string,
    work: (from: Db, source: RowSource, isVersioned: boolean) => Promise<T>,
  ): Promise<T> {
    const found = await tables.find(scope, id);
    if (found.source === 'custom')
      return withTable(scope, id, (row) => work(db, { ...row, relation: relationOf(row) }, true), found);
    const { sql_name, columns } = found.table;
    scope.noteRead?.({ kind: sql_name, id: null, owner_id: null });
    const source: RowSource = { relation: platformRelation(sql_name), id_type: 'uuid', columns };
    return asWorkspace(scope, (tx) => work(tx, source, false));
  }

  return { withTable, reading };
}
