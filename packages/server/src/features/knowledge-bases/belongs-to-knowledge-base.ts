import { replanEachTime, type Sql, sql } from '../../db/sql.ts';
import type { KbRef } from './index/sync-index.ts';

/**
 * That a row, which is looked for by its id, is of this base. It is said in a way that no index is made for: PostgreSQL takes
 * a base that it has not counted yet for a single row, and to walk through all of it would look cheaper than to look up ten
 * ids. With thousands of documents on their way in, every ten of them would walk past all the others.
 */
export const within = (row: Sql, { workspace_id, kb_id }: KbRef): Sql =>
  sql`${replanEachTime}array[${row}.workspace_id, ${row}.kb_id] = array[${workspace_id}, ${kb_id}]::uuid[]`;
