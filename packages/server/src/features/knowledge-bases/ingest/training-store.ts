import type { SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { Database, Db } from '../../../db/database.ts';
import { insertOutboxStatement } from '../../../db/outbox.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';
import { omit } from '../../../lib/omit.ts';
import type { Piece } from '../../chunking/service.ts';
import type { PassageByHand } from '../passages/carry-changes.ts';
import type { KbRef } from '../ports.ts';
import { belongsToKnowledgeBase } from '../store.ts';
import type { TextSegment } from './text-segments.ts';

export interface Training {
  workspace_id: string;
  kb_id: string;
  document_id: string;
  run_id: string;
}

export interface TrainingRow {
  document_id: string;
  run_id: string;
  tenant_id: string;
  name: string;
  prefix: string;
  size: number;
  file_id: string | null;
  source_url: string | null;
  doc_metadata: Record<string, unknown>;
  images: { file_id: string }[];
  begun: number;
  /** Whether the document is trained again: only then people can have changed its passages. */
  is_trained: boolean;
  rights_id: number | null;
  base_name: string;
  settings: SparseKbSettings;
}

const own = ({ workspace_id, kb_id, document_id, run_id }: Training) => sql`
  workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${document_id} and current_run = ${run_id}
  and status = 'training'`;

/**
 * Trainings commit without waiting for the disk: after a power cut their job is still queued and repeats them, and no
 * later commit survives without the earlier ones.
 */
const commitAsync = sql`set_config('synchronous_commit', 'off', true)`;

/**
 * Starts the trainings of waiting documents, except those that a newer training replaced or that are past this stage.
 * `fresh`: only those that were never started before.
 */
export const startTrainings = (
  db: Db,
  place: KbRef,
  runs: readonly { document_id: string; run_id: string }[],
  fresh: boolean,
) =>
  db.rows<TrainingRow>(sql`
    with own as (
      update kb_documents d set stage = 'extract', progress = 0, begun = begun + 1
      from unnest(${runs.map(({ document_id }) => document_id)}::uuid[], ${runs.map(({ run_id }) => run_id)}::uuid[])
        as w (document_id, run_id)
      where d.id = w.document_id and ${belongsToKnowledgeBase(sql`d`, place)} and d.current_run = w.run_id
        and d.status = 'training' and d.stage <> 'index' ${fresh ? sql`and d.begun = 0` : nothing}
      returning d.*),
    run as (
      update kb_runs r set status = 'running', stage = 'extract', started_at = coalesce(started_at, now()) from own
      where r.id = own.current_run and ${belongsToKnowledgeBase(sql`r`, place)})
    select own.id as document_id, own.current_run as run_id, w.tenant_id, own.name, own.prefix, own.size, own.file_id,
      own.source_url, own.doc_metadata, own.images, own.begun, own.live_run is not null as is_trained, own.rights_id, b.name as base_name, b.settings, ${commitAsync}
    from own join knowledge_bases b on b.workspace_id = own.workspace_id and b.id = own.kb_id
    join workspaces w on w.id = own.workspace_id`);

/** Sets stage and progress. Steps may arrive late, so progress never goes back, nor from the stage `index`. */
export const stepTraining = (db: Db, training: Training, stage: string, progress: number) =>
  db.run(sql`
    with own as (
      update kb_documents set stage = ${stage}, progress = ${progress}
      where ${own(training)} and stage <> 'index' and progress <= ${progress} returning 1)
    update kb_runs set stage = ${stage}, progress = ${progress}
    where workspace_id = ${training.workspace_id} and kb_id = ${training.kb_id} and id = ${training.run_id}
      and exists (select from own)`);

export async function failTraining(
  db: Db,
  training: Training,
  error: { code: string; message: string },
): Promise<void> {
  const text = JSON.stringify(error);
  const { workspace_id, kb_id, document_id, run_id } = training;
  const data = { knowledge_base_id: kb_id, document_id, run_id, error };
  const failed = { event: 'document.failed', subject_id: kb_id, cause: null, data };
  await db.run(sql`
    with own as (
      update kb_documents set status = 'error', stage = '', error = ${text}, updated_at = now() where ${own(training)}
      returning 1), base as (
      update knowledge_bases set busy_at = now()
      where workspace_id = ${workspace_id} and id = ${kb_id} and exists (select from own)), published as (
      ${insertOutboxStatement(workspace_id, [failed], sql`own`)})
    update kb_runs set status = 'failed', error = ${text}, finished_at = now()
    where workspace_id = ${training.workspace_id} and kb_id = ${training.kb_id} and id = ${training.run_id}
      and exists (select from own)`);
}

export interface NewChunk extends Piece {
  id: string;
  position: number;
  context: string;
  questions: string[];
  embedding: Float32Array | null;
  /** The model that made the vector of a picture. */
  seen_by?: string;
  /** What people have changed by hand. */
  by_hand?: PassageByHand;
}

export interface Trained {
  chunks: readonly NewChunk[];
  embedding_model: string | null;
  size: number;
  doc_type: string | null;
  notes: readonly string[];
  table_ids: readonly string[];
  language: string | null;
  pages: number | null;
  short_summary: string | null;
  summary: string | null;
  images: readonly { file_id: string; type: string; page: number | null; alt: string; at: number }[];
  doc_metadata: Record<string, unknown>;
  recipe: string;
  /** The text that the places of passages refer to. */
  segments: readonly TextSegment[];
}

const rowsAtOnce = 500;
/** A passage as its training makes it. */
const unchanged = { enabled: true, added: false, version: 0 };

export const bytesOf = (vector: Float32Array) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** Copies the bytes, because those of the driver may not be aligned for floats. */
export const vectorOf = (bytes: Buffer): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

export interface TrainedDocument {
  document_id: string;
  run_id: string;
  begun: number;
  trained: Trained;
}

/**
 * Stores the passages of documents for the index. Returns the documents whose training was not replaced meanwhile, and
 * whether they are hidden from some people.
 */
export async function storeTrained(
  db: Database,
  place: KbRef,
  documents: readonly TrainedDocument[],
): Promise<Map<string, { hidden: boolean }>> {
  const { workspace_id, kb_id } = place;
  const fields = documents.map(({ document_id, run_id, trained }) => ({
    document_id,
    run_id,
    ...omit(trained, ['chunks', 'segments']),
  }));
  const touch = sql`
    update kb_documents d set stage = 'index', progress = 90, size = x.size, doc_type = x.doc_type,
      notes = array(select json_array_elements_text(x.notes)),
      table_ids = case when d.rights_id is null then array(select json_array_elements_text(x.table_ids)::uuid) else '{}' end,
      language = x.language, pages = x.pages,
      short_summary = x.short_summary, summary = x.summary, images = x.images, doc_metadata = x.doc_metadata,
      recipe = x.recipe
    from (
      select * from json_to_recordset(${JSON.stringify(fields)}::json) as x (document_id uuid, run_id uuid, size bigint,
        doc_type text, notes json, table_ids json, language text, pages int, short_summary text, summary text, images json,
        doc_metadata json, recipe text) limit ${fields.length}) x
    where d.id = x.document_id and ${belongsToKnowledgeBase(sql`d`, place)} and d.current_run = x.run_id and d.status = 'training'
    returning d.id, d.rights_id is not null as hidden`;
  const all = documents.flatMap(({ document_id, run_id, trained: { chunks, embedding_model } }) =>
    chunks.map((chunk) => ({
      ...chunk,
      document_id,
      run_id,
      embedding_model: chunk.embedding && (chunk.seen_by ?? embedding_model),
    })),
  );
  const insertChunks = (rows: readonly (typeof all)[number][], live: Sql) => {
    const texts = rows.map(({ by_hand, ...chunk }) => ({ ...unchanged, ...omit(chunk, ['embedding']), ...by_hand }));
    const vectors = rows.map(({ embedding }) => (embedding ? bytesOf(embedding) : null));
    return sql`
      insert into kb_chunks (workspace_id, kb_id, document_id, run_id, id, position, content, start_at, end_at, page,
        end_page, headings, context, questions, embedding, embedding_model, seen_by, enabled, original, added,
        version, changed_by, changed_at)
      select ${workspace_id}, ${kb_id}, x.document_id, x.run_id, x.id, x.position, x.content, x.start, x."end", x.page,
        x.end_page, array(select json_array_elements_text(x.headings)), x.context, array(select json_array_elements_text(x.questions)),
        v.embedding, x.embedding_model, x.seen_by, x.enabled, x.original, x.added, x.version, x.changed_by, x.changed_at
      from json_to_recordset(${JSON.stringify(texts)}::json) as x (document_id uuid, run_id uuid, id uuid, position int,
        content text, start int, "end" int, page int, end_page int, headings json, context text, questions json, embedding_model text,
        seen_by text, enabled boolean, original text, added boolean, version int, changed_by text, changed_at timestamptz)
      join unnest(${rows.map(({ id }) => id)}::uuid[], ${vectors}::bytea[]) as v (id, embedding) on v.id = x.id
      where x.document_id in (${live})`;
  };
  const segments = documents.flatMap(({ document_id, run_id, trained }) =>
    trained.segments.map((segment) => ({ ...segment, document_id, run_id })),
  );
  const insertSegments = (rows: readonly (typeof segments)[number][], live: Sql) => sql`
    insert into kb_text_segments (workspace_id, kb_id, document_id, run_id, start_at, end_at, content, blocks, pages)
    select ${workspace_id}, ${kb_id}, x.document_id, x.run_id, x.start, x."end", x.content, x.blocks, x.pages
    from json_to_recordset(${JSON.stringify(rows)}::json) as x (document_id uuid, run_id uuid, start int, "end" int,
      content text, blocks json, pages json)
    where x.document_id in (${live})`;
  // The usual case: one statement, without a transaction around it.
  if (all.length <= rowsAtOnce && segments.length <= rowsAtOnce && documents.every(({ begun }) => begun === 1)) {
    const stored = await db.rows<{ id: string; hidden: boolean }>(sql`
      with touched as (${touch}), inserted as (${insertChunks(all, sql`select id from touched`)}),
        texts as (${insertSegments(segments, sql`select id from touched`)})
      select id, hidden, ${commitAsync} from touched`);
    return new Map(stored.map(({ id, hidden }) => [id, { hidden }]));
  }
  return db.transaction(undefined, async (tx) => {
    await tx.run(sql`select ${commitAsync}`);
    const touched = await tx.rows<{ id: string; hidden: boolean }>(touch);
    const ids = touched.map(({ id }) => id);
    const earlier = sql`workspace_id = ${workspace_id} and kb_id = ${kb_id} and document_id = any(${ids}::uuid[])
        and run_id = any(${documents.map(({ run_id }) => run_id)}::uuid[])`;
    // What an attempt before a crash has stored.
    await tx.run(sql`delete from kb_chunks where ${earlier}`);
    await tx.run(sql`delete from kb_text_segments where ${earlier}`);
    for (let at = 0; at < all.length; at += rowsAtOnce)
      await tx.run(insertChunks(all.slice(at, at + rowsAtOnce), sql`select unnest(${ids}::uuid[])`));
    for (const segment of segments) await tx.run(insertSegments([segment], sql`select unnest(${ids}::uuid[])`));
    return new Map(touched.map(({ id, hidden }) => [id, { hidden }]));
  });
}
