import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { LogLevel } from './log-levels.ts';

interface SessionKey {
  workspace_id: string;
  actor_id: string;
  id: string;
}

/** Also deletes the sessions that are older than a week. */
export const saveLevel = (db: Db, { workspace_id, actor_id, id }: SessionKey, level: LogLevel) =>
  db.run(sql`
    with old as (delete from mcp_sessions where set_at < now() - interval '7 days')
    insert into mcp_sessions (workspace_id, actor_id, id, level)
    values (${workspace_id}, ${actor_id}, ${id}, ${level})
    on conflict (workspace_id, actor_id, id) do update set level = excluded.level, set_at = now()`);

export const findLevel = async (db: Db, { workspace_id, actor_id, id }: SessionKey): Promise<LogLevel | undefined> =>
  (
    await db.row<{ level: LogLevel }>(sql`
      select level from mcp_sessions
      where workspace_id = ${workspace_id} and actor_id = ${actor_id} and id = ${id}`)
  )?.level;
