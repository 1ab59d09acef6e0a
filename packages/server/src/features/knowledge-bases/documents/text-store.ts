import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { PageRange, TextSegment } from '../ingest/text-segments.ts';
import type { KbRef } from '../ports.ts';
import { joinLiveDocument } from './chunk-store.ts';

export interface LiveText extends KbRef {
  document_id: string;
}

/** The length and the pages of the stored text of a live training; undefined when none is stored. */
export const findTextShape = (db: Db, { workspace_id, kb_id, document_id }: LiveText) =>
  db.row<{ run_id: string; length: number; pages: PageRange[][] }>(sql`
    select t.run_id, max(t.end_at)::int as length, json_agg(t.pages order by t.start_at) as pages
    from kb_documents d join kb_text_segments t on t.workspace_id = d.workspace_id and t.kb_id = d.kb_id
      and t.document_id = d.id and t.run_id = d.live_run
    where d.workspace_id = ${workspace_id} and d.kb_id = ${kb_id} and d.id = ${document_id} group by t.run_id`);

/** The segments that overlap a range of a text. */
export const findTextSegments = (
  db: Db,
  { workspace_id, kb_id, document_id }: LiveText,
  run_id: string,
  { start, end }: { start: number; end: number },
) =>
  db.rows<Omit<TextSegment, 'pages'>>(sql`
    select start_at as start, end_at as "end", content, blocks from kb_text_segments
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and document_id = ${document_id} and run_id = ${run_id}
      and end_at > ${start} and start_at < ${end} order by start_at`);

/** The places of the passages of text of a live training; where trainings are older than stored texts. */
export const findPassageShape = (db: Db, { workspace_id, kb_id, document_id }: LiveText) =>
  db.row<{ length: number | null; pages: PageRange[] }>(sql`
    select max(p."end")::int as length,
      coalesce(json_agg(json_build_object('page', p.page, 'start', p.start, 'end', p."end") order by p.page)
        filter (where p.page is not null), '[]') as pages
    from (
      select c.page, min(c.start_at) as start, max(c.end_at) as "end" from kb_chunks c ${joinLiveDocument}
      where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.document_id = ${document_id}
        and c.seen_by is null and not c.added group by c.page) p`);

export const findPassagesBetween = (
  db: Db,
  { workspace_id, kb_id, document_id }: LiveText,
  { start, end }: { start: number; end: number },
) =>
  db.rows<{ start: number; end: number; content: string; page: number | null; headings: string[] }>(sql`
    select c.start_at as start, c.end_at as "end", coalesce(c.original, c.content) as content, c.page, c.headings from kb_chunks c ${joinLiveDocument}
    where c.workspace_id = ${workspace_id} and c.kb_id = ${kb_id} and c.document_id = ${document_id}
      and c.seen_by is null and not c.added and c.end_at > ${start} and c.start_at < ${end} order by c.start_at, c.position limit 20000`);
