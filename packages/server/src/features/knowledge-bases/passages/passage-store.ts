import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { type ChunkRow, chunkColumns, joinLiveDocument } from '../documents/chunk-store.ts';
import type { KbRef } from '../ports.ts';
import { isVisible, type Visible } from '../rights/rights-store.ts';
import type { ChangedPassage } from './carry-changes.ts';

/** The passages of the live training of a document that people have changed or added. */
export const findChangedPassages = (db: Db, { workspace_id, kb_id, document_id }: KbRef & { document_id: string }) =>
  db.rows<ChangedPassage>(sql`
    select c.position, c.content, c.start_at as start, c.end_at as "end", c.page, c.end_page, c.headings, c.seen_by,
      c.enabled, c.original, c.added, c.version, c.changed_by, c.changed_at
    from kb_chunks c ${joinLiveDocument}
    where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.document_id = ${document_id} and c.version > 0
    order by c.position`);

/** Locks the document of a passage, or the document itself, so that no training begins. */
export const lockDocument = (db: Db, { workspace_id, kb_id }: KbRef, document_id: string, visible: Visible) =>
  db.row<{ status: string; live_run: string | null; name: string }>(sql`
    select d.status, d.live_run, d.name from kb_documents d
    where d.workspace_id = ${workspace_id} and d.kb_id = ${kb_id} and d.id = ${document_id} and ${isVisible(sql`d`, visible)}
    for no key update`);

export interface LivePassage extends ChunkRow {
  seen_by: string | null;
  document_name: string;
}

export const findPassage = (db: Db, { workspace_id, kb_id }: KbRef, id: string, visible: Visible) =>
  db.row<LivePassage>(sql`
    select ${chunkColumns}, c.seen_by, d.name as document_name from kb_chunks c ${joinLiveDocument}
    where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.id = ${id} and ${isVisible(sql`d`, visible)}`);

export interface Vector {
  bytes: Buffer | null;
  model: string | null;
}

/** Without `vector` the one of the passage stays. */
export const updatePassage = (
  db: Db,
  { workspace_id, kb_id }: KbRef,
  id: string,
  change: {
    content: string;
    original: string | null;
    enabled: boolean;
    changed_by: string;
    vector?: Vector | undefined;
  },
) =>
  db.run(sql`
    update kb_chunks set content = ${change.content}, original = ${change.original}, enabled = ${change.enabled},
      ${change.vector ? sql`embedding = ${change.vector.bytes}, embedding_model = ${change.vector.model},` : sql``}
      version = version + 1, changed_by = ${change.changed_by}, changed_at = now()
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${id}`);

export interface NewPassage {
  id: string;
  document_id: string;
  run_id: string;
  content: string;
  headings: string[];
  page: number | null;
  start: number | null;
  changed_by: string;
  vector: Vector;
}

/** After all passages of the document, at the end of its text unless a place is given. */
export const insertPassage = (db: Db, { workspace_id, kb_id }: KbRef, passage: NewPassage) =>
  db.run(sql`
    insert into kb_chunks (workspace_id, kb_id, document_id, run_id, id, position, content, start_at, end_at, page, end_page,
      headings, embedding, embedding_model, added, version, changed_by, changed_at)
    select ${workspace_id}, ${kb_id}, ${passage.document_id}, ${passage.run_id}, ${passage.id},
      coalesce(max(position), -1) + 1, ${passage.content}, coalesce(${passage.start}::int, max(end_at), 0),
      coalesce(${passage.start}::int, max(end_at), 0), ${passage.page}::int, ${passage.page}::int, ${passage.headings}::text[],
      ${passage.vector.bytes}::bytea, ${passage.vector.model}::text, true, 1, ${passage.changed_by}, now()
    from kb_chunks where workspace_id = ${workspace_id} and kb_id = ${kb_id} and document_id = ${passage.document_id}
      and run_id = ${passage.run_id}`);

export const deletePassage = (db: Db, { workspace_id, kb_id }: KbRef, id: string) =>
  db.run(sql`delete from kb_chunks where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${id}`);

/** Has the index follow a passage. */
export const recordPassageChange = (db: Db, { workspace_id, kb_id }: KbRef, document_id: string, chunk_id: string) =>
  db.run(sql`
    insert into kb_passage_changes (workspace_id, kb_id, document_id, chunk_id)
    values (${workspace_id}, ${kb_id}, ${document_id}, ${chunk_id})
    on conflict (workspace_id, kb_id, chunk_id) do update set version = kb_passage_changes.version + 1`);
