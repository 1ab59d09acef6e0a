import type { FileKind } from '@atrium/contract/files/kinds.ts';
import type { KbDocument } from '@atrium/contract/knowledge-bases/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import { countFacets } from '../../../db/count-facets.ts';
import type { Db } from '../../../db/database.ts';
import { type ListColumns, listConditions } from '../../../db/list-query.ts';
import { type PageRows, readPage } from '../../../db/read-page.ts';
import { nothing, sql } from '../../../db/sql.ts';
import type { KbRef } from '../ports.ts';
import { isVisible, type Visible, visibleToColumn } from '../rights/rights-store.ts';
import { normalizeFolder } from './folder-path.ts';

const columns = sql`d.id, d.created_at, d.updated_at, d.etag::text as etag, d.workspace_id as group_id, d.kb_id, d.file_id, d.name,
  coalesce(d.given_prefix, d.prefix) as prefix,
  d.status, d.stage, d.progress, d.size, d.source_type, d.error, d.notes, d.short_summary, d.summary, d.doc_type,
  d.doc_metadata, d.language, d.pages, d.table_ids, ${visibleToColumn(sql`d`)} as visible_to, d.source_type as m_source_type,
  case when d.source_url is null then d.source_metadata
    else (coalesce(d.source_metadata::jsonb, '{}') || jsonb_build_object('url', d.source_url))::json end as m_source_metadata`;

export interface NewDocument {
  id: string;
  name: string;
  /** As the caller wrote it. */
  prefix: string;
  status: KbDocument['status'];
  size: number;
  source_type: string;
  file_id: string | null;
  owns_file: boolean;
  source_url: string | null;
  doc_type: string | null;
  doc_metadata: Record<string, unknown>;
  /** Who sees it, as stored; null: everybody. */
  visible_to: readonly string[] | null;
  /** The training that is queued with it. */
  current_run?: string;
}

const withFolder = (document: NewDocument) => ({
  ...document,
  prefix: normalizeFolder(document.prefix),
  given_prefix: document.prefix.toWellFormed(),
});

/** Inserts all of them in one statement. */
export const insertDocuments = (db: Db, workspace_id: string, kb_id: string, documents: readonly NewDocument[]) =>
  db.run(sql`
    insert into kb_documents (workspace_id, kb_id, id, name, prefix, status, size, source_type, file_id, owns_file,
      source_url, doc_type, doc_metadata, current_run, given_prefix, visible_to, stage)
    select ${workspace_id}, ${kb_id}, x.*, case when x.current_run is null then '' else 'queued' end
    from json_to_recordset(${JSON.stringify(documents.map(withFolder))}::json) as x (
      id uuid, name text, prefix text, status text, size bigint, source_type text, file_id uuid, owns_file boolean,
      source_url text, doc_type text, doc_metadata json, current_run uuid, given_prefix text, visible_to text[])`);

export const findDocument = (db: Db, workspace_id: string, kb_id: string, id: string, visible: Visible) =>
  db.row<KbDocument>(sql`
    select ${columns} from kb_documents d
    where d.workspace_id = ${workspace_id} and d.kb_id = ${kb_id} and d.id = ${id} and ${isVisible(sql`d`, visible)}`);

const listColumns: ListColumns = {
  id: sql`d.id`,
  created_at: sql`d.created_at`,
  updated_at: sql`d.updated_at`,
  search: [sql`d.name`],
  sort: { name: sql`lower(d.name)`, size: sql`d.size`, updated_at: sql`d.updated_at` },
};

export interface DocumentFilter extends ListFilter {
  kind?: FileKind | undefined;
  status?: string | undefined;
  prefix?: string | undefined;
  visible: Visible;
}

const matching = (
  workspace_id: string,
  kb_id: string,
  { status, prefix, kind, visible, ...filter }: DocumentFilter,
) => sql`
  d.workspace_id = ${workspace_id} and d.kb_id = ${kb_id} and ${isVisible(sql`d`, visible)}
  ${status === undefined ? nothing : sql`and d.status = ${status}`}
  ${prefix === undefined || prefix === '/' ? nothing : sql`and starts_with(d.prefix, ${prefix})`}
  ${kind === undefined ? nothing : sql`and d.kind = ${kind}`} ${listConditions(listColumns, filter)}`;

export const countDocumentFacets = (db: Db, workspace_id: string, kb_id: string, filter: DocumentFilter) =>
  countFacets(db, sql`from kb_documents d where ${matching(workspace_id, kb_id, filter)} order by d.id desc`, {
    status: sql`d.status`,
    kind: sql`d.kind`,
  });

export async function listDocuments(
  db: Db,
  workspace_id: string,
  kb_id: string,
  filter: DocumentFilter,
  window: PageWindow,
): Promise<PageRows<KbDocument>> {
  const where = matching(workspace_id, kb_id, filter);
  return readPage<KbDocument>(db, { columns, from: sql`kb_documents d`, where, list: listColumns, window });
}

export const updateDocument = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  id: string,
  change: {
    name?: string | undefined;
    prefix?: string | undefined;
    doc_metadata?: Record<string, unknown> | undefined;
    status?: 'uploaded' | undefined;
    /** As stored; null: everybody. */
    visible_to?: readonly string[] | null | undefined;
  },
) =>
  db.run(sql`
    update kb_documents set name = coalesce(${change.name ?? null}, name),
      ${
        change.prefix === undefined
          ? nothing
          : sql`prefix = ${normalizeFolder(change.prefix)}, given_prefix = ${change.prefix.toWellFormed()},`
      }
      ${change.visible_to === undefined ? nothing : sql`visible_to = ${change.visible_to}::text[],`}
      doc_metadata = coalesce(${change.doc_metadata === undefined ? null : JSON.stringify(change.doc_metadata)}::json, doc_metadata),
      ${
        change.status === undefined
          ? nothing
          : sql`status = 'uploaded', stage = '', progress = 0, error = null, live_run = null, current_run = null,`
      }
      updated_at = now()
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${id}`);

interface DeletedDocument {
  id: string;
  indexed: boolean;
  index_rights_id: number | null;
  file_id: string | null;
  owns_file: boolean;
  images: { file_id: string }[];
  table_ids: string[];
}

/** Returns what has to be removed with each: its own file, its images, its tables and its passages in the index. */
export const deleteDocuments = (db: Db, workspace_id: string, kb_id: string, ids: readonly string[]) =>
  db.rows<DeletedDocument>(sql`
    delete from kb_documents where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = any(${ids}::uuid[])
    returning id, indexed, index_rights_id, file_id, owns_file, images, table_ids`);

/** The visible documents in a folder and below. */
export const findDocumentsInFolder = async (
  db: Db,
  workspace_id: string,
  kb_id: string,
  path: string,
  visible: Visible,
) =>
  (
    await db.rows<{ id: string }>(sql`
    select id from kb_documents d
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and starts_with(prefix, ${path})
      and ${isVisible(sql`d`, visible)}`)
  ).map(({ id }) => id);

/** Moves the content of a folder. */
export const moveDocuments = (db: Db, workspace_id: string, kb_id: string, from: string, to: string) =>
  db.rows<{ id: string; indexed: boolean }>(sql`
    update kb_documents set prefix = ${to}::text || substr(prefix, length(${from}::text) + 1), given_prefix = null,
      updated_at = now()
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and starts_with(prefix, ${from}::text)
    returning id, indexed`);

/** The files to remove with a knowledge base. */
export const findOwnedFiles = (db: Db, workspace_id: string, kb_id: string) =>
  db.rows<{ file_id: string }>(sql`
    select file_id from kb_documents where workspace_id = ${workspace_id} and kb_id = ${kb_id} and owns_file
    union all
    select (image ->> 'file_id')::uuid from kb_documents, json_array_elements(images) image
    where workspace_id = ${workspace_id} and kb_id = ${kb_id}`);

/** `index_rights_id` is needed of documents that are deleted: of others the document has it. */
export const recordIndexChanges = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  documents: readonly { id: string; index_rights_id?: number | null }[],
  change: 'removed' | 'moved',
) =>
  db.run(sql`
    insert into kb_index_changes (workspace_id, kb_id, document_id, change, rights_id)
    select ${workspace_id}, ${kb_id}, id, ${change}, rights_id from unnest(${documents.map(({ id }) => id)}::uuid[],
      ${documents.map(({ index_rights_id = null }) => index_rights_id)}::int[]) as own (id, rights_id)
    on conflict (workspace_id, kb_id, document_id, change) do update set version = kb_index_changes.version + 1`);

/** Documents that have a file or an address to train from and match the condition. */
export const findTrainableDocuments = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  by: { error: boolean } | { recipe_not: string } | { id: string },
) =>
  db.rows<{ id: string }>(sql`
    select id from kb_documents where workspace_id = ${workspace_id} and kb_id = ${kb_id}
      and (file_id is not null or source_url is not null)
      and ${
        'id' in by
          ? sql`id = ${by.id}`
          : 'error' in by
            ? sql`status = 'error'`
            : sql`status in ('trained', 'error') and recipe is distinct from ${by.recipe_not}`
      }
    order by id`);

/** Those of these documents that are visible, and whether there is something to train them from. */
export const findForBulk = (db: Db, { workspace_id, kb_id }: KbRef, ids: readonly string[], visible: Visible) =>
  db.rows<{ id: string; status: string; trainable: boolean }>(sql`
    select id, status, file_id is not null or source_url is not null as trainable from kb_documents d
    where ${isVisible(sql`d`, visible)} and workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = any(${ids}::uuid[])`);

export const existingDocuments = (
  db: Db,
  workspace_id: string,
  kb_id: string,
  ids: readonly string[],
  visible: Visible,
) =>
  db.rows<{ id: string }>(sql`
    select id from kb_documents d where ${isVisible(sql`d`, visible)} and workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = any(${ids}::uuid[])`);

/** The newest trained documents that everybody sees, with their short summaries. */
export const listShortSummaries = (db: Db, workspace_id: string, kb_id: string, most: number) =>
  db.rows<{ name: string; short_summary: string | null }>(sql`
    select name, short_summary from kb_documents
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and status = 'trained' and rights_id is null
    order by id desc limit ${most}`);

/** Of these files, those that documents or their images are made of. */
export const findFilesOfDocuments = async (db: Db, workspace_id: string, ids: readonly string[]) =>
  new Set(
    (
      await db.rows<{ id: string }>(sql`
        select file_id as id from kb_documents where workspace_id = ${workspace_id} and file_id = any(${[...ids]}::uuid[])
        union
        select (image ->> 'file_id')::uuid from kb_documents, json_array_elements(images) image
        where workspace_id = ${workspace_id} and (image ->> 'file_id')::uuid = any(${[...ids]}::uuid[])`)
    ).map(({ id }) => id),
  );
