import { createHash } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** An end user that talks to an agent, as its channel or client names it. */
export interface EndUser {
  /** Where the id is valid: a channel, or the programs of this workspace. */
  door: string;
  id: string;
  /** The display name. */
  name: string;
}

const longestName = 200;

/** The id of an end user: the same for the same user of a channel, and it does not reveal who that is. */
export function endUserId(workspace_id: string, { door, id }: EndUser): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([workspace_id, door, id]))
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Removes characters that PostgreSQL does not store. */
const plain = (text: string) => text.replaceAll('\0', '').slice(0, longestName).toWellFormed();

/** Stores the current name of the end user. */
export const upsertEndUser = (db: Db, workspace_id: string, user: EndUser) =>
  db.run(sql`
    insert into end_users as known (workspace_id, id, door, name)
    values (${workspace_id}, ${endUserId(workspace_id, user)}, ${plain(user.door)}, ${plain(user.name)})
    on conflict (workspace_id, id) do update set name = excluded.name where known.name <> excluded.name`);

/** Deletes end users that have no conversation. */
export const deleteUnusedEndUsers = (db: Db) =>
  db.run(sql`
    delete from end_users u where created_at < now() - interval '1 hour' and not exists (
      select 1 from conversations c where c.workspace_id = u.workspace_id and c.user_id = u.id)`);
