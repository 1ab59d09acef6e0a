import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import { type LogLevel, levels } from './log-levels.ts';
import { deleteSession, findLevel, insertSession, saveLevel, useSession } from './session-store.ts';

/** The sessions of MCP clients. Each belongs to the caller that began it, in one workspace. */
export interface McpSessions {
  /** Begins a session; its id. */
  begin(scope: Scope): Promise<string>;
  /** Whether the caller has begun this session and it is not over. */
  isOpen(scope: Scope, session: string): Promise<boolean>;
  /** False when there is no such session. */
  end(scope: Scope, session: string): Promise<boolean>;
  setLevel(scope: Scope, session: string, level: LogLevel): Promise<void>;
  /** A function that says whether the client wants messages of a level. */
  hears(scope: Scope, session: string): Promise<(level: LogLevel) => boolean>;
}

/** Our ids are UUIDs, so a longer id is invalid. */
const longestId = 200;
/** The most open sessions of one caller. */
const mostSessions = 1000;

/** Stores sessions with the log level that each client asked for. A client that has not asked gets progress notifications only. */
export function makeMcpSessions({ db }: { db: Database }): McpSessions {
  const keyOf = ({ workspace_id, actor }: Scope, id: string) => ({ workspace_id, actor_id: actor.id, id });
  return {
    async begin(scope) {
      const id = randomUUID();
      await insertSession(db, keyOf(scope, id), mostSessions);
      return id;
    },

    isOpen: async (scope, session) => session.length <= longestId && useSession(db, keyOf(scope, session)),

    end: async (scope, session) => session.length <= longestId && deleteSession(db, keyOf(scope, session)),

    async setLevel(scope, session, level) {
      if (session.length > longestId) return;
      await saveLevel(db, keyOf(scope, session), level);
    },

    async hears(scope, session) {
      const wanted = await findLevel(db, keyOf(scope, session.slice(0, longestId)));
      const lowest = wanted ? levels.indexOf(wanted) : levels.length;
      return (level) => levels.indexOf(level) >= lowest;
    },
  };
}
