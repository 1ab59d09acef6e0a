import type { VisibleTo } from '@atrium/contract/knowledge-bases/visible-to.ts';
import type { Db } from '../../../db/database.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';
import type { KbRef } from '../ports.ts';

/** What a caller sees: everything, or what is for everybody and these sets of rights. */
export type Visible = 'all' | readonly number[];

/** The condition that a row with `rights_id` is visible. */
export const isVisible = (row: Sql, visible: Visible): Sql =>
  visible === 'all' ? sql`true` : sql`(${row}.rights_id is null or ${row}.rights_id = any(${visible}::int[]))`;

/** `visible_to` of a row as answers have it. */
export const visibleToColumn = (row: Sql): Sql => sql`
  case when ${row}.visible_to is not null then coalesce((
    select json_agg(json_build_object('kind', split_part(word, ':', 1), 'id', split_part(word, ':', 2)))
    from unnest(${row}.visible_to) word), '[]') end`;

/** The sets of rights whose every clause has one of these words: of a knowledge base, or of the whole workspace. */
export const findVisibleRights = async (
  db: Db,
  { workspace_id, kb_id }: { workspace_id: string; kb_id: string | undefined },
  words: readonly string[],
) =>
  (
    await db.rows<{ id: number }>(sql`
      select id from kb_rights r
      where workspace_id = ${workspace_id} ${
        kb_id === undefined
          ? nothing
          : sql`and kb_id = ${kb_id} and exists (select from kb_documents d
              where d.workspace_id = r.workspace_id and d.kb_id = r.kb_id and d.rights_id = r.id)`
      } and not exists (select from jsonb_array_elements(clauses) clause where not clause ?| ${words}::text[])
      order by id`)
  ).map(({ id }) => id);

export const listFolderRights = (db: Db, { workspace_id, kb_id }: KbRef) =>
  db.rows<{ prefix: string; visible_to: VisibleTo }>(sql`
    select f.path as prefix, ${visibleToColumn(sql`f`)} as visible_to from kb_folder_rights f
    where f.workspace_id = ${workspace_id} and f.kb_id = ${kb_id} order by f.path`);

export const findFolderRights = async (db: Db, { workspace_id, kb_id }: KbRef, path: string) =>
  (
    await db.row<{ visible_to: string[] }>(sql`
      select visible_to from kb_folder_rights
      where workspace_id = ${workspace_id} and kb_id = ${kb_id} and path = ${path}`)
  )?.visible_to ?? null;

/** Null: everybody. */
export const putFolderRights = (
  db: Db,
  { workspace_id, kb_id }: KbRef,
  path: string,
  words: readonly string[] | null,
) =>
  words === null
    ? db.run(sql`
        delete from kb_folder_rights where workspace_id = ${workspace_id} and kb_id = ${kb_id} and path = ${path}`)
    : db.run(sql`
        insert into kb_folder_rights (workspace_id, kb_id, path, visible_to)
        values (${workspace_id}, ${kb_id}, ${path}, ${words})
        on conflict (workspace_id, kb_id, path) do update set visible_to = excluded.visible_to, updated_at = now()`);

/** Computes the rights of the documents and sites in a folder again. */
export async function renewRightsBelow(tx: Db, { workspace_id, kb_id }: KbRef, path: string): Promise<void> {
  const below = sql`where workspace_id = ${workspace_id} and kb_id = ${kb_id} and starts_with(prefix, ${path})`;
  await tx.run(sql`update kb_documents set visible_to = visible_to ${below}`);
  await tx.run(sql`update kb_sites set visible_to = visible_to ${below}`);
}

/** Moves the rights of a folder and of those in it; false when a folder there has rights of its own. */
export async function moveFolderRights(tx: Db, { workspace_id, kb_id }: KbRef, from: string, to: string) {
  const moved = sql`${to}::text || substr(path, length(${from}::text) + 1)`;
  const below = sql`workspace_id = ${workspace_id} and kb_id = ${kb_id} and starts_with(path, ${from}::text)`;
  const taken = await tx.row(sql`
    select 1 from kb_folder_rights where ${below} and exists (
      select from kb_folder_rights other where other.workspace_id = ${workspace_id} and other.kb_id = ${kb_id}
        and other.path = ${to}::text || substr(kb_folder_rights.path, length(${from}::text) + 1)) limit 1`);
  if (taken) return false;
  await tx.run(sql`update kb_folder_rights set path = ${moved} where ${below}`);
  return true;
}

export const deleteFolderRightsBelow = (tx: Db, { workspace_id, kb_id }: KbRef, path: string) =>
  tx.run(sql`
    delete from kb_folder_rights where workspace_id = ${workspace_id} and kb_id = ${kb_id} and starts_with(path, ${path})`);

/** Takes the tables off documents that not everybody sees; returns these documents. */
export const detachTables = async (tx: Db, { workspace_id, kb_id }: KbRef) =>
  (
    await tx.rows<{ id: string }>(sql`
      update kb_documents set table_ids = '{}' where workspace_id = ${workspace_id} and kb_id = ${kb_id}
        and rights_id is not null and table_ids <> '{}'
      returning id`)
  ).map(({ id }) => id);

/** The rights of those of these documents that are there; null: everybody. */
export const findRightsOfDocuments = (
  db: Db,
  workspace_id: string,
  documents: readonly { kb_id: string; document_id: string }[],
) =>
  db.rows<{ document_id: string; rights_id: number | null }>(sql`
    select d.id as document_id, d.rights_id
    from unnest(${documents.map(({ kb_id }) => kb_id)}::uuid[], ${documents.map(({ document_id }) => document_id)}::uuid[])
      as own (kb_id, document_id)
    join kb_documents d on d.workspace_id = ${workspace_id} and d.kb_id = own.kb_id and d.id = own.document_id`);
