import type { Db } from '../../../db/database.ts';
import { nextEtag } from '../../../db/etag.ts';
import { nothing, sql } from '../../../db/sql.ts';

export interface BulkRow {
  id: string;
  tags: string[];
}

/** Those of the conversations that the caller sees, locked until the transaction ends. */
export const lockConversations = (db: Db, workspace_id: string, ids: readonly string[], only_of: string | undefined) =>
  db.rows<BulkRow>(sql`
    select id, tags from conversations
    where workspace_id = ${workspace_id} and id = any(${[...ids]}::uuid[])
      ${only_of === undefined ? nothing : sql`and owner_id = ${only_of}`}
    order by id for no key update`);

export const deleteConversations = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db.run(sql`delete from conversations where workspace_id = ${workspace_id} and id = any(${[...ids]}::uuid[])`);

/** Conversations that have the tags already keep their etag. */
export const addTags = (db: Db, workspace_id: string, ids: readonly string[], tags: readonly string[]) =>
  db.run(sql`
    update conversations c set last_updated_at = now(), ${nextEtag()},
      tags = c.tags || array(select tag from unnest(${[...tags]}::text[]) with ordinality as sent (tag, place)
        where tag <> all(c.tags) order by place)
    where workspace_id = ${workspace_id} and id = any(${[...ids]}::uuid[]) and not c.tags @> ${[...tags]}::text[]`);

export const removeTags = (db: Db, workspace_id: string, ids: readonly string[], tags: readonly string[]) =>
  db.run(sql`
    update conversations c set last_updated_at = now(), ${nextEtag()},
      tags = array(select tag from unnest(c.tags) with ordinality as own (tag, place)
        where tag <> all(${[...tags]}::text[]) order by place)
    where workspace_id = ${workspace_id} and id = any(${[...ids]}::uuid[]) and c.tags && ${[...tags]}::text[]`);
