import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { LogLevel } from './log-levels.ts';

interface SessionKey {
  workspace_id: string;
  actor_id: string;
  id: string;
}

/** A session ends after a week without a request. */
const isOver = sql`set_at < now() - interval '7 days'`;

const matches = ({ workspace_id, actor_id, id }: SessionKey) =>
  sql`workspace_id = ${workspace_id} and actor_id = ${actor_id} and id = ${id}`;

/** Also deletes sessions that are over, and the oldest ones of a caller that begins more than it may have. */
export const insertSession = (db: Db, { workspace_id, actor_id, id }: SessionKey, most: number) =>
  db.run(sql`
    with old as (
      delete from mcp_sessions where ${isOver} or (workspace_id, actor_id, id) in (
        select workspace_id, actor_id, id from mcp_sessions where workspace_id = ${workspace_id} and actor_id = ${actor_id}
        order by set_at desc offset ${most - 1}))
    insert into mcp_sessions (workspace_id, actor_id, id) values (${workspace_id}, ${actor_id}, ${id})`);

/** Whether the session is open; the request renews it, with a write once an hour. */
export const useSession = async (db: Db, key: SessionKey): Promise<boolean> =>
  (await db.row(sql`
    with renewed as (
      update mcp_sessions set set_at = now() where ${matches(key)} and set_at < now() - interval '1 hour' and not ${isOver})
    select 1 from mcp_sessions where ${matches(key)} and not ${isOver}`)) !== undefined;

export const deleteSession = async (db: Db, key: SessionKey): Promise<boolean> =>
  (await db.row(sql`delete from mcp_sessions where ${matches(key)} returning 1`)) !== undefined;

export const saveLevel = (db: Db, { workspace_id, actor_id, id }: SessionKey, level: LogLevel) =>
  db.run(sql`
    insert into mcp_sessions (workspace_id, actor_id, id, level)
    values (${workspace_id}, ${actor_id}, ${id}, ${level})
    on conflict (workspace_id, actor_id, id) do update set level = excluded.level, set_at = now()`);

export const findLevel = async (db: Db, key: SessionKey): Promise<LogLevel | null | undefined> =>
  (await db.row<{ level: LogLevel | null }>(sql`select level from mcp_sessions where ${matches(key)}`))?.level;
