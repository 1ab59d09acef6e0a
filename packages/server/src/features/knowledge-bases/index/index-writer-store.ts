import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { KbRef } from '../ports.ts';

/**
 * Makes the caller the only writer of an index. Answers its generation, and whether the writer before it has not come to
 * its end; undefined when the knowledge base is deleted.
 */
export async function claimIndex(
  tx: Db,
  { workspace_id, kb_id }: KbRef,
): Promise<{ generation: number; unfinished: boolean } | undefined> {
  const before = await tx.row<{ writing: boolean }>(sql`
    select writing from kb_index_writers where workspace_id = ${workspace_id} and kb_id = ${kb_id} for update`);
  const claimed = await tx.row<{ generation: number }>(sql`
    insert into kb_index_writers as w (workspace_id, kb_id, generation, writing)
    select workspace_id, id, 1, true from knowledge_bases where workspace_id = ${workspace_id} and id = ${kb_id}
    on conflict (workspace_id, kb_id) do update set generation = w.generation + 1, writing = true
    returning generation`);
  return claimed && { generation: claimed.generation, unfinished: before?.writing ?? false };
}

/** Whether the caller is still the writer; no other becomes it before the transaction has ended. */
export const isIndexWriter = async (tx: Db, { workspace_id, kb_id }: KbRef, generation: number): Promise<boolean> =>
  (await tx.row(sql`
    select 1 from kb_index_writers
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and generation = ${generation} for share`)) !== undefined;

export const endIndexWriting = (db: Db, { workspace_id, kb_id }: KbRef, generation: number) =>
  db.run(sql`
    update kb_index_writers set writing = false
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and generation = ${generation}`);

/** Lets searches use a copy of the index. */
export const renameIndex = (tx: Db, { workspace_id, kb_id }: KbRef, from: string, to: string) =>
  tx.run(sql`
    update knowledge_bases set index_name = ${to}
    where workspace_id = ${workspace_id} and id = ${kb_id} and index_name = ${from}`);
