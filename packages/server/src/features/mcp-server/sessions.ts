import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import { type LogLevel, levels } from './log-levels.ts';
import { findLevel, saveLevel } from './session-store.ts';

export interface McpSessions {
  setLevel(scope: Scope, session: string, level: LogLevel): Promise<void>;
  /** A function that says whether the client wants messages of a level. */
  hears(scope: Scope, session: string): Promise<(level: LogLevel) => boolean>;
}

/** Our ids are UUIDs, so a longer id is invalid. */
const longestId = 200;

/** The log level that each client asked for. A client that has not asked gets progress notifications only. */
export function makeMcpSessions({ db }: { db: Database }): McpSessions {
  return {
    async setLevel({ workspace_id, actor }, session, level) {
      if (session.length > longestId) return;
      await saveLevel(db, { workspace_id, actor_id: actor.id, id: session }, level);
    },

    async hears({ workspace_id, actor }, session) {
      const key = { workspace_id, actor_id: actor.id, id: session.slice(0, longestId) };
      const wanted = await findLevel(db, key);
      const lowest = wanted ? levels.indexOf(wanted) : levels.length;
      return (level) => levels.indexOf(level) >= lowest;
    },
  };
}
