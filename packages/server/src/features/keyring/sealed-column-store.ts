import type { Db } from '../../db/database.ts';
import { identifier, sql } from '../../db/sql.ts';

/** A sealed box and the row that holds it; `place` is valid until the row changes. */
export interface StoredBox {
  place: string;
  owner_id: string;
  /** The purpose of the box is derived from it. */
  id: string;
  box: string;
}

/** A column of sealed boxes, which have to be sealed again when data keys are replaced. */
export interface SealedColumn {
  /** `table.column` */
  name: string;
  owner: 'workspace' | 'tenant';
  purpose(id: string): string;
  /** Rows in their physical order, a page at a time; each page begins after a place. */
  page(db: Db, after: string, size: number): Promise<StoredBox[]>;
  /** Replaces the box if it is still the same: a writer that changed it meanwhile has sealed it with the current key. */
  replace(db: Db, stored: StoredBox, box: string): Promise<number>;
}

export const firstRowPosition = '(0,0)';

/** `id` is the column that the purpose of a box is derived from. */
export function sealedColumn(
  name: `${string}.${string}`,
  { owner, id, purpose }: { owner: SealedColumn['owner']; id: string; purpose(id: string): string },
): SealedColumn {
  const [tableName = '', boxName = ''] = name.split('.');
  const [table, box] = [identifier(tableName), identifier(boxName)];
  const owner_id = owner === 'workspace' ? sql`workspace_id` : sql`tenant_id`;
  return {
    name,
    owner,
    purpose,
    page: (db, after, size) =>
      db.rows<StoredBox>(sql`
        select ctid::text as place, ${owner_id} as owner_id, ${identifier(id)} as id, ${box} as box from ${table}
        where ctid > ${after}::tid and ${box} is not null order by ctid limit ${size}`),
    replace: (db, { place, box: before }, after) =>
      db.run(sql`update ${table} set ${box} = ${after} where ctid = ${place}::tid and ${box} = ${before}`),
  };
}
