import type { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { RetrievalIndex } from '../../../drivers/search-index/driver.ts';
import { findBase } from '../store.ts';
import type { KbRef } from './sync-index.ts';

/**
 * A base or a workspace may be deleted while its index is being written, which puts back what was just taken away.
 * Whoever writes to an index looks afterwards whether there is still somebody it belongs to.
 */
export const makeDropIndexOfDeleted =
  ({ db, index }: { db: Database; index: RetrievalIndex }) =>
  async ({ workspace_id, kb_id }: KbRef): Promise<void> => {
    if (await findBase(db, workspace_id, kb_id)) return;
    const there = await db.row(sql`select 1 from workspaces where id = ${workspace_id}`);
    await index.dropAll(there ? { workspace_id, kb_id } : { workspace_id });
  };
