import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** A box and where it stands. `place` is good until the row changes. */
interface Placed {
  place: string;
  owner_id: string;
  /** What its purpose is made from. */
  id: string;
  box: string;
}

/** A column that holds sealed boxes: everything that has to be sealed anew when data keys are replaced. */
export interface SealedColumn {
  /** `table.column` */
  name: string;
  owner: 'workspace' | 'tenant';
  purpose(id: string): string;
  /** All rows in the order they lie in, a page at a time; each page begins after a place. */
  page(db: Db, after: string, size: number): Promise<Placed[]>;
  /** Only where the old box still stands: whoever has changed it meanwhile has sealed it anew already. */
  replace(db: Db, at: Placed, box: string): Promise<number>;
}

export const firstRowPosition = '(0,0)';

/** Describes one column: the pieces of SQL that name it, and what its boxes are sealed for. */
export function sealedColumn(
  name: string,
  column: { owner: SealedColumn['owner']; table: Sql; box: Sql; id: Sql; purpose(id: string): string },
): SealedColumn {
  const { owner, table, box, id, purpose } = column;
  const owner_id = owner === 'workspace' ? sql`workspace_id` : sql`tenant_id`;
  return {
    name,
    owner,
    purpose,
    page: (db, after, size) =>
      db.rows(sql`
        select ctid::text as place, ${owner_id} as owner_id, ${id} as id, ${box} as box from ${table}
        where ctid > ${after}::tid and ${box} is not null order by ctid limit ${size}`),
    replace: (db, { place, box: before }, after) =>
      db.run(sql`update ${table} set ${box} = ${after} where ctid = ${place}::tid and ${box} = ${before}`),
  };
}
