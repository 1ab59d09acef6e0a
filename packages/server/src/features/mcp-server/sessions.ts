import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Scope } from '../../lib/scope.ts';

export type McpSessions = ReturnType<typeof makeMcpSessions>;

/** From the least to the most serious, as the protocol has them. */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevel = (typeof levels)[number];

/** Longer names are nobody's session; ours are UUIDs. */
const longest = 200;

/** How much clients want to hear. Who has not said so hears of progress alone. */
export function makeMcpSessions({ db }: { db: Database }) {
  return {
    async setLevel({ workspace_id, actor }: Scope, session: string, level: LogLevel): Promise<void> {
      if (session.length > longest) return;
      await db.run(sql`
        with old as (delete from mcp_sessions where set_at < now() - interval '7 days')
        insert into mcp_sessions (workspace_id, actor_id, id, level)
        values (${workspace_id}, ${actor.id}, ${session}, ${level})
        on conflict (workspace_id, actor_id, id) do update set level = excluded.level, set_at = now()`);
    },

    /** Whether messages of a level are wanted. */
    async hears({ workspace_id, actor }: Scope, session: string): Promise<(level: LogLevel) => boolean> {
      const row = await db.row<{ level: LogLevel }>(sql`
        select level from mcp_sessions
        where workspace_id = ${workspace_id} and actor_id = ${actor.id} and id = ${session.slice(0, longest)}`);
      const least = row ? levels.indexOf(row.level) : levels.length;
      return (level) => levels.indexOf(level) >= least;
    },
  };
}
