import type { Database } from '../../../db/database.ts';
import type { RetrievalIndex } from '../../../drivers/search-index/driver.ts';
import type { KbRef } from '../ports.ts';
import { findBase, findTenant } from '../store.ts';

/**
 * Drops the index of a knowledge base or workspace that was deleted while the index was written. Every job that writes
 * to an index calls it afterwards, because writing creates the files again.
 */
export const makeDropIndexOfDeleted =
  ({ db, index }: { db: Database; index: RetrievalIndex }) =>
  async ({ workspace_id, kb_id }: KbRef): Promise<void> => {
    if (await findBase(db, workspace_id, kb_id)) return;
    const workspace = await findTenant(db, workspace_id);
    await index.dropAll(workspace ? { workspace_id, kb_id } : { workspace_id });
  };
