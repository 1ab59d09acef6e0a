import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { SparseKbSettings } from '../settings/keys.ts';
import type { Piece } from './chunk.ts';

export interface Training {
  workspace_id: string;
  kb_id: string;
  document_id: string;
  run_id: string;
}

export interface TrainingRow {
  tenant_id: string;
  name: string;
  prefix: string;
  size: number;
  file_id: string | null;
  source_url: string | null;
  doc_metadata: Record<string, unknown>;
  images: { file_id: string }[];
  begun: number;
  base_name: string;
  settings: SparseKbSettings;
}

const own = ({ workspace_id, kb_id, document_id, run_id }: Training) => sql`
  workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${document_id} and current_run = ${run_id}
  and status = 'training'`;

/**
 * What a training writes need not survive a power cut by itself: it is done again as long as its job is there, and what is
 * written later is never kept without it. So it does not wait for the disk.
 */
const withoutWaiting = sql`set_config('synchronous_commit', 'off', true)`;

/** Takes a document that waits, unless another training has taken its place or it is past this already. */
export async function beginTraining(db: Db, training: Training): Promise<TrainingRow | undefined> {
  const row = await db.row<TrainingRow>(sql`
    with own as (
      update kb_documents set stage = 'extract', progress = 0, begun = begun + 1 where ${own(training)} and stage <> 'index'
      returning *), run as (
      update kb_runs set status = 'running', stage = 'extract', started_at = coalesce(started_at, now())
      where workspace_id = ${training.workspace_id} and kb_id = ${training.kb_id} and id = ${training.run_id}
        and exists (select from own))
    select w.tenant_id, own.name, own.prefix, own.size, own.file_id, own.source_url, own.doc_metadata, own.images, own.begun,
      b.name as base_name, b.settings, ${withoutWaiting}
    from own join knowledge_bases b on b.workspace_id = own.workspace_id and b.id = own.kb_id
    join workspaces w on w.id = own.workspace_id`);
  return row;
}

export const stepTraining = (db: Db, training: Training, stage: string, progress: number) =>
  db.run(sql`
    with own as (update kb_documents set stage = ${stage}, progress = ${progress} where ${own(training)} returning 1)
    update kb_runs set stage = ${stage}, progress = ${progress}
    where workspace_id = ${training.workspace_id} and kb_id = ${training.kb_id} and id = ${training.run_id}
      and exists (select from own)`);

export async function failTraining(
  db: Db,
  training: Training,
  error: { code: string; message: string },
): Promise<void> {
  const text = JSON.stringify(error);
  await db.run(sql`
    with own as (
      update kb_documents set status = 'error', stage = '', error = ${text}, updated_at = now() where ${own(training)}
      returning 1), base as (
      update knowledge_bases set busy_at = now()
      where workspace_id = ${training.workspace_id} and id = ${training.kb_id} and exists (select from own))
    update kb_runs set status = 'failed', error = ${text}, finished_at = now()
    where workspace_id = ${training.workspace_id} and kb_id = ${training.kb_id} and id = ${training.run_id}
      and exists (select from own)`);
}

export interface MadeChunk extends Piece {
  id: string;
  position: number;
  context: string;
  questions: string[];
  embedding: Float32Array | null;
}

export interface Trained {
  chunks: readonly MadeChunk[];
  embedding_model: string | null;
  size: number;
  doc_type: string | null;
  notes: readonly string[];
  language: string | null;
  pages: number | null;
  short_summary: string | null;
  summary: string | null;
  images: readonly { file_id: string; page: number | null; alt: string; at: number }[];
  doc_metadata: Record<string, unknown>;
  recipe: string;
}

const rowsAtOnce = 500;

export const bytesOf = (vector: Float32Array) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** A copy: what the database hands out need not begin where a float may. */
export const vectorOf = (bytes: Buffer): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

/** What was made of a document; it counts once the index has it. False when the training has been superseded. */
export async function storeTrained(tx: Db, training: Training, made: Trained): Promise<boolean> {
  const { workspace_id, kb_id, document_id, run_id } = training;
  await tx.run(sql`select ${withoutWaiting}`);
  const touched = await tx.run(sql`
    update kb_documents set stage = 'index', progress = 90, size = ${made.size}, doc_type = ${made.doc_type},
      notes = ${made.notes}, language = ${made.language}, pages = ${made.pages}, short_summary = ${made.short_summary},
      summary = ${made.summary}, images = ${JSON.stringify(made.images)}, doc_metadata = ${JSON.stringify(made.doc_metadata)},
      recipe = ${made.recipe}
    where ${own(training)}`);
  if (touched === 0) return false;
  // What an attempt before a crash has left.
  await tx.run(sql`
    delete from kb_chunks where workspace_id = ${workspace_id} and kb_id = ${kb_id} and document_id = ${document_id}
      and run_id = ${run_id}`);
  for (let at = 0; at < made.chunks.length; at += rowsAtOnce) {
    const rows = made.chunks.slice(at, at + rowsAtOnce);
    const texts = rows.map(({ embedding: _, ...chunk }) => chunk);
    await tx.run(sql`
      insert into kb_chunks (workspace_id, kb_id, document_id, run_id, id, position, content, start_at, end_at, page,
        headings, context, questions, embedding, embedding_model)
      select ${workspace_id}, ${kb_id}, ${document_id}, ${run_id}, x.id, x.position, x.content, x.start, x."end", x.page,
        array(select json_array_elements_text(x.headings)), x.context, array(select json_array_elements_text(x.questions)),
        v.embedding, case when v.embedding is null then null else ${made.embedding_model} end
      from json_to_recordset(${JSON.stringify(texts)}::json) as x (id uuid, position int, content text, start int,
        "end" int, page int, headings json, context text, questions json)
      join unnest(${rows.map(({ id }) => id)}::uuid[],
        ${rows.map(({ embedding }) => (embedding ? bytesOf(embedding) : null))}::bytea[]) as v (id, embedding)
        on v.id = x.id`);
  }
  return true;
}
