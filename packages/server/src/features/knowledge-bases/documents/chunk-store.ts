import type { KbChunk, KbDocument } from '@atrium/contract/knowledge-bases/schema.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../../db/database.ts';
import { type PageRows, readPage } from '../../../db/read-page.ts';
import { nothing, sql } from '../../../db/sql.ts';
import type { KbRef } from '../ports.ts';
import { isVisible, type Visible, visibleToColumn } from '../rights/rights-store.ts';

const isoTime = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
export const chunkColumns = sql`c.id, c.kb_id, c.document_id, c.position, c.content, c.start_at as start, c.end_at as "end", c.page,
  c.end_page, c.headings, c.context, c.questions, c.embedding_model, c.enabled, c.added, c.original,
  c.version::text as etag, c.changed_at, c.changed_by`;

export type ChunkRow = Omit<KbChunk, 'changed_by_actor'>;

/** The same, of a query that has them under these names. */
const keys = sql`id, kb_id, document_id, position, content, start, "end", page, end_page, headings, context, questions,
  embedding_model, enabled, added, original, etag, changed_at, changed_by`;

/**
 * Joins the document of each passage whose training is the live one. `offset 0` forces a lookup by id: PostgreSQL takes a
 * knowledge base without statistics for a single row and would scan all its documents for each passage.
 */
export const joinLiveDocument = sql`join lateral (select * from kb_documents where id = c.document_id offset 0) d
  on d.workspace_id = c.workspace_id and d.kb_id = c.kb_id and d.live_run = c.run_id`;

export async function listChunks(
  db: Db,
  workspace_id: string,
  kb_id: string,
  {
    document_id,
    enabled,
    visible,
  }: { document_id: string | undefined; enabled: boolean | undefined; visible: Visible },
  window: PageWindow,
): Promise<PageRows<ChunkRow>> {
  const where = sql`c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and ${isVisible(sql`d`, visible)}
    ${document_id === undefined ? nothing : sql`and c.document_id = ${document_id}`}
    ${enabled === undefined ? nothing : sql`and c.enabled = ${enabled}`}`;
  return readPage<ChunkRow>(db, {
    ...{ columns: chunkColumns, from: sql`kb_chunks c ${joinLiveDocument}`, where, window },
    list: { id: sql`c.position`, created_at: sql`c.position` },
    order: { by: sql`c.document_id`, down: false },
  });
}

export interface ChunkPlace {
  document_id: string;
  run_id: string;
  position: number;
}

/** Where a visible passage stands; undefined for one of a training that is no longer live. */
export const findChunkPlace = (db: Db, { workspace_id, kb_id }: KbRef, id: string, visible: Visible) =>
  db.row<ChunkPlace>(sql`
    select c.document_id, c.run_id, c.position from kb_chunks c ${joinLiveDocument}
    where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.id = ${id} and ${isVisible(sql`d`, visible)}`);

/** The passage of text at a place of a document, or else the last one before it. */
export const findNearestPosition = (
  db: Db,
  { workspace_id, kb_id, document_id }: KbRef & { document_id: string },
  place: number,
) =>
  db.row<ChunkPlace>(sql`
    select c.document_id, c.run_id, c.position from kb_chunks c ${joinLiveDocument}
    where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.document_id = ${document_id} and c.seen_by is null
      and not c.added
    order by c.start_at > ${place}::int, abs(c.start_at - ${place}::int), c.position limit 1`);

/** A window of passages; at the ends of the document it is moved so that it stays full. */
export const listChunksAround = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  { document_id, run_id, position }: ChunkPlace,
  size: number,
) => {
  const own = sql`c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.document_id = ${document_id}
    and c.run_id = ${run_id}`;
  const before = Math.floor((size - 1) / 2);
  return db.rows<ChunkRow>(sql`
    with before as (
      select ${chunkColumns} from kb_chunks c where ${own} and c.position < ${position} order by c.position desc limit ${size - 1}),
    after as (
      select ${chunkColumns} from kb_chunks c where ${own} and c.position >= ${position} order by c.position limit ${size}),
    ranked as (
      select *, row_number() over (order by position) as place from (table before union all table after) near),
    first as (
      select greatest(1, least((select count(*) from before) + 1 - ${before}::int,
        (select count(*) from ranked) - ${size}::int + 1)) as place)
    select ${keys} from ranked, first where ranked.place >= first.place and ranked.place < first.place + ${size}::int
    order by ranked.position`);
};

export interface FoundChunk {
  id: string;
  document_id: string;
  run_id: string;
  position: number;
  content: string;
  start: number;
  end: number;
  page: number | null;
  end_page: number | null;
  headings: string[];
  added: boolean;
  document: KbDocument;
  source_url: string | null;
  /** `at`: the position in the text. `type` is missing where the training is older than it. */
  images: { file_id: string; type?: string; page: number | null; alt: string; at: number }[];
}

/** Those of these passages that belong to the live training of a visible document in the folder. */
export const findLiveChunks = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  ids: readonly string[],
  { prefix, visible }: { prefix: string | undefined; visible: Visible },
) =>
  db.rows<FoundChunk>(sql`
    select c.id, c.document_id, c.run_id, c.position, c.content, c.start_at as start, c.end_at as "end", c.page,
      c.end_page, c.headings, c.added, d.source_url, d.images, json_build_object('id', d.id, 'created_at', to_char(d.created_at, ${isoTime}),
        'updated_at', to_char(d.updated_at, ${isoTime}), 'etag', d.etag::text, 'group_id', d.workspace_id,
        'kb_id', d.kb_id, 'file_id', d.file_id, 'name', d.name, 'prefix', coalesce(d.given_prefix, d.prefix), 'status', d.status, 'stage', d.stage,
        'progress', d.progress, 'size', d.size, 'source_type', d.source_type, 'error', d.error, 'notes', d.notes,
        'short_summary', d.short_summary, 'summary', d.summary, 'doc_type', d.doc_type, 'doc_metadata', d.doc_metadata,
        'language', d.language, 'pages', d.pages, 'table_ids', d.table_ids, 'visible_to', ${visibleToColumn(sql`d`)},
        'm_source_type', d.source_type,
        'm_source_metadata', case when d.source_url is null then d.source_metadata
          else (coalesce(d.source_metadata::jsonb, '{}') || jsonb_build_object('url', d.source_url))::json end) as document
    from unnest(${ids}::uuid[]) as own (id)
    cross join lateral (select * from kb_chunks where id = own.id offset 0) c ${joinLiveDocument}
    where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.enabled and ${isVisible(sql`d`, visible)}
      ${prefix === undefined ? nothing : sql`and starts_with(d.prefix, ${prefix})`}`);

/** The passages of these trainings within ranges of positions, without those that are off or were added by hand. */
export const findChunksAtPositions = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  wanted: readonly { document_id: string; run_id: string; from: number; to: number }[],
) =>
  db.rows<{ document_id: string; position: number; content: string; start: number; end: number; edited: boolean }>(sql`
    select distinct c.document_id, c.position, c.content, c.start_at as start, c.end_at as "end",
      c.original is not null as edited
    from unnest(${wanted.map(({ document_id }) => document_id)}::uuid[], ${wanted.map(({ run_id }) => run_id)}::uuid[],
      ${wanted.map(({ from }) => from)}::int[], ${wanted.map(({ to }) => to)}::int[]) as w (document_id, run_id, low, high)
    cross join lateral (
      select * from kb_chunks where workspace_id = ${workspace_id} and kb_id = ${kb_id} and document_id = w.document_id
        and run_id = w.run_id and position between w.low and w.high and enabled and not added offset 0) c`);
