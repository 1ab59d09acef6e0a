import type { Db } from '../../../../db/database.ts';
import { sql } from '../../../../db/sql.ts';
import type { KbRef } from '../../ports.ts';

/**
 * Counts passages for everybody that were changed by hand (edited, added, deleted, switched) or are of a document that was
 * trained again. Those of new documents are not counted: the size of the index shows them.
 */
export async function addChangedPassages(db: Db, { workspace_id, kb_id }: KbRef, count: number): Promise<void> {
  if (count === 0) return;
  await db.run(sql`
    update knowledge_bases set changed_passages = greatest(0, changed_passages + ${count})
    where workspace_id = ${workspace_id} and id = ${kb_id}`);
}

/** How many passages have changed since the search model was learned. */
export const countChangedPassages = async (db: Db, { workspace_id, kb_id }: KbRef): Promise<number> =>
  (
    await db.row<{ changed_passages: number }>(sql`
    select changed_passages from knowledge_bases where workspace_id = ${workspace_id} and id = ${kb_id}`)
  )?.changed_passages ?? 0;
