import type { FileKind } from '@atrium/contract/files/kinds.ts';
import type { File } from '@atrium/contract/files/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import { countFacets } from '../../db/count-facets.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import { isChangeableFile, isVisibleFile, type VisibleFiles } from './file-reach-store.ts';
import type { ByteAccount } from './quota-store.ts';

/** A file as stored; the hash is its ETag and not shown. */
export interface FileRow extends File {
  sha256: string;
  owner_id: string | null;
}

export interface NewFile extends Pick<FileRow, 'id' | 'filename' | 'content_type' | 'size' | 'sha256' | 'source_type'> {
  source_metadata: Record<string, unknown> | null;
  created_by: string;
  /** Accounts that its bytes are charged to, besides those of its workspace. */
  charged_kinds: string[];
  charged_ids: string[];
  /** Who sees the document that it was made for; null: everybody who may read files. */
  rights_id: number | null;
  /** The person or service account that brought it. */
  owner_id: string | null;
  /** It goes with the last conversation that has it. */
  of_conversation: boolean;
  /** The workflow run that made it. */
  run_id: string | null;
  /** Kinds of records of the workspace that refer to it. */
  shared_with: string[];
}

const columns = sql`id, 'store://' || id as uri, size, workspace_id as group_id, filename, content_type, source_type,
  source_metadata, created_at`;

/** Inserts all of them in one statement; the order of the result is undefined. */
export const insertFiles = (db: Db, workspace_id: string, rows: readonly NewFile[]) =>
  db.rows<File>(sql`
    insert into files
      (workspace_id, id, filename, content_type, size, sha256, source_type, source_metadata, created_by,
       charged_kinds, charged_ids, rights_id, owner_id, of_conversation, run_id, shared_with)
    select ${workspace_id}, x.* from json_to_recordset(${JSON.stringify(rows)}::json) as x (
      id uuid, filename text, content_type text, size bigint, sha256 text, source_type text, source_metadata json,
      created_by text, charged_kinds text[], charged_ids text[], rights_id int, owner_id uuid,
      of_conversation boolean, run_id uuid, shared_with text[])
    returning ${columns}`);

/** Says that conversations have files, so that their readers may read the files. */
export const linkFiles = (db: Db, workspace_id: string, conversation_id: string, file_ids: readonly string[]) =>
  db.run(sql`
    insert into file_conversations (workspace_id, file_id, conversation_id)
    select workspace_id, id, ${conversation_id}::uuid from files
    where workspace_id = ${workspace_id} and id = any(${[...file_ids]}::uuid[])
      and has_conversation(${workspace_id}, ${conversation_id}::uuid)
    on conflict do nothing`);

/** Lets the readers of a copy of a conversation read its files, too. */
export const copyFileLinks = (db: Db, workspace_id: string, from: string, to: string) =>
  db.run(sql`
    insert into file_conversations (workspace_id, file_id, conversation_id)
    select workspace_id, file_id, ${to} from file_conversations
    where workspace_id = ${workspace_id} and conversation_id = ${from} on conflict do nothing`);

export const findFile = (db: Db, workspace_id: string, id: string, visible: VisibleFiles) =>
  db.row<FileRow>(sql`
    select ${columns}, sha256, owner_id from files where ${isVisibleFile(workspace_id, visible)} and workspace_id = ${workspace_id} and id = ${id}`);

export const findFiles = (db: Db, workspace_id: string, ids: readonly string[], visible: VisibleFiles) =>
  db.rows<File>(sql`
    select ${columns} from files where ${isVisibleFile(workspace_id, visible)} and workspace_id = ${workspace_id} and id = any(${ids}::uuid[])`);

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  search: [sql`filename`],
  sort: { filename: sql`lower(filename)`, size: sql`size` },
};

interface FileFilter extends ListFilter {
  kind?: FileKind | undefined;
  visible: VisibleFiles;
}

const matching = (workspace_id: string, { kind, visible, ...filter }: FileFilter) => sql`
  workspace_id = ${workspace_id} and ${isVisibleFile(workspace_id, visible)} ${kind === undefined ? nothing : sql`and kind = ${kind}`}
  ${listConditions(listColumns, filter)}`;

export const listFiles = (db: Db, workspace_id: string, filter: FileFilter, window: PageWindow) => {
  const where = matching(workspace_id, filter);
  return readPage<File>(db, { columns, from: sql`files`, where, list: listColumns, window });
};

export const countFileFacets = (db: Db, workspace_id: string, filter: FileFilter) =>
  countFacets(db, sql`from files where ${matching(workspace_id, filter)} order by id desc`, { kind: sql`kind` });

/** Those of these files that the caller may not only see, but delete. */
export const changeableFiles = (db: Db, workspace_id: string, ids: readonly string[], visible: VisibleFiles) =>
  db.rows<{ id: string }>(sql`
    select id from files where ${isVisibleFile(workspace_id, visible)} and ${isChangeableFile(visible)}
      and workspace_id = ${workspace_id} and id = any(${ids}::uuid[])`);

export const deleteFile = (db: Db, workspace_id: string, id: string) =>
  db.row<{ size: number; charged_kinds: ByteAccount['kind'][]; charged_ids: string[] }>(sql`
    delete from files where workspace_id = ${workspace_id} and id = ${id} returning size, charged_kinds, charged_ids`);

export const existingFiles = (db: Db, workspace_id: string, ids: readonly string[], visible: VisibleFiles) =>
  db.rows<{ id: string }>(sql`
    select id from files where ${isVisibleFile(workspace_id, visible)} and workspace_id = ${workspace_id} and id = any(${ids}::uuid[])`);

/**
 * Those of these blobs that no file, no picture or text of a file and no upload refers to. Only in workspaces that exist: other
 * folders may belong to another database that was once used with this data directory.
 */
export const findOrphans = (db: Db, names: readonly { workspace_id: string; id: string }[]) =>
  db.rows<{ workspace_id: string; id: string }>(sql`
    select blob.workspace_id, blob.id
    from unnest(${names.map((name) => name.workspace_id)}::uuid[], ${names.map((name) => name.id)}::uuid[])
      as blob (workspace_id, id)
    join workspaces on workspaces.id = blob.workspace_id
    where not exists (select from files where files.workspace_id = blob.workspace_id and files.id = blob.id)
      and not exists (
        select from file_previews p where p.workspace_id = blob.workspace_id and p.blob_id = blob.id)
      and not exists (
        select from file_texts t where t.workspace_id = blob.workspace_id and t.blob_id = blob.id)
      and not exists (
        select from upload_parts p where p.workspace_id = blob.workspace_id and p.blob_id = blob.id)`);

/** Whether any workspace has a file. */
export const hasAnyFile = async (db: Db) => (await db.row(sql`select 1 as one from files limit 1`)) !== undefined;

/** The pictures and the text of a file, which go with it. */
export const derivedBlobs = async (db: Db, workspace_id: string, file_id: string) =>
  (
    await db.rows<{ blob_id: string }>(sql`
      select blob_id from file_previews
      where workspace_id = ${workspace_id} and file_id = ${file_id} and blob_id is not null
      union all
      select blob_id from file_texts
      where workspace_id = ${workspace_id} and file_id = ${file_id} and blob_id is not null`)
  ).map(({ blob_id }) => blob_id);

/** The files that these actors stored in a workspace, also those that the caller may not see. */
export const listFilesBy = (db: Db, workspace_id: string, actor_ids: readonly string[], after: string, limit: number) =>
  db.rows<Pick<File, 'id' | 'filename' | 'size'>>(sql`
    select id, filename, size from files
    where created_by = any(${[...actor_ids]}::text[]) and workspace_id = ${workspace_id} and id > ${after}
    order by id limit ${limit}`);
