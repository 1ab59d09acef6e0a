import type { RowListQuery, RowsUpsert, RowTotals, RowTotalsQuery } from '@atrium/contract/tables/rows-schema.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Filter } from './rows/filters.ts';
import type { RowPage } from './rows/read-row-store.ts';
import type { Row, VersionedRow } from './rows/row-source.ts';

export type { Row } from './rows/row-source.ts';

/** Reads and writes the rows of tables. */
export interface Rows {
  list(scope: Scope, id: string, query: RowListQuery & { filter?: string | undefined }): Promise<RowPage>;
  /** As `list`, with filters that are parsed already. */
  search(scope: Scope, id: string, query: RowListQuery, filters: readonly Filter[]): Promise<RowPage>;
  /** Counts matching rows and adds up columns. */
  total(scope: Scope, id: string, query: RowTotalsQuery): Promise<RowTotals>;
  get(scope: Scope, id: string, row_id: string): Promise<Row>;
  /** As `get`, with the version of the row. */
  find(scope: Scope, id: string, row_id: string): Promise<VersionedRow>;
  /** Inserts one row and returns it as it was stored. */
  insert(scope: Scope, id: string, input: object): Promise<Row>;
  /** Inserts all rows or none. */
  insertMany(
    scope: Scope,
    id: string,
    inputs: readonly object[],
  ): Promise<{ inserted: number; ids: (string | number)[] }>;
  update(scope: Scope, id: string, row_id: string, input: object): Promise<Row>;
  /** As `update`, with the version of the row. */
  save(scope: Scope, id: string, row_id: string, input: object): Promise<VersionedRow>;
  remove(scope: Scope, id: string, row_id: string): Promise<void>;
  /** Updates the rows that the key column finds and inserts the rest. Upserts of one table follow each other. */
  upsert(
    scope: Scope,
    id: string,
    input: RowsUpsert,
  ): Promise<{ updated: number; inserted: number; ids: (string | number)[] }>;
}
