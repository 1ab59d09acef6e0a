import { conflict, forbidden, invalid } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { QueryAnswer, QueryBody } from '@atrium/contract/tables/query/schema.ts';
import type { Database } from '../../../db/database.ts';
import { AnswerTooLarge, DeadlineReached, firstRows } from '../../../db/first-rows.ts';
import type { QueryConnections } from '../../../db/query-connections.ts';
import { errorCode } from '../../../lib/error-code.ts';
import type { Scope } from '../../../lib/scope.ts';
import { ensureRole } from '../ddl/workspace-schema-store.ts';
import { platformNames } from '../platform-tables.ts';
import { sqlNames } from '../store.ts';
import { queryBounds } from './bounds.ts';
import { type CheckedQuery, checkQuery } from './check-query.ts';
import { presentAnswer } from './present-answer.ts';
import { QueryRefused } from './query-refused.ts';
import { makeQuerySlots } from './query-slots.ts';
import { queryTimeoutMs, readOnlyRoleStatements } from './read-only-role-store.ts';

/** A query that was checked and has read nothing yet. */
export interface PreparedQuery {
  /** The SQL names of the tables that it reads. */
  used: ReadonlySet<string>;
  run(): Promise<QueryAnswer>;
}

/** Runs SQL queries of callers. */
export interface TableQueries {
  /** Runs one SELECT over the tables of the workspace, under its database role. */
  ask(scope: Scope, query: QueryBody): Promise<QueryAnswer>;
  /** Checks one SELECT that may read only these tables: any other does not exist for it. */
  prepare(scope: Scope, query: QueryBody, only: ReadonlySet<string>, max_bytes: number): Promise<PreparedQuery>;
}

/** The hint of PostgreSQL often names the column that was meant. */
const explainWithHint = (error: Error): string =>
  'hint' in error && typeof error.hint === 'string' ? `${error.message}. ${error.hint}` : error.message;

/** Errors of the database are shown to the caller: the query has only seen tables of its own workspace. */
function explainError(error: unknown, sql: string, max_bytes: number): unknown {
  if (!(error instanceof Error)) return error;
  const code = errorCode(error);
  if (error instanceof AnswerTooLarge)
    return conflict(`The answer is larger than ${max_bytes / 1024 / 1024} MB; ask for less`, 'answer_too_large');
  if (code === '57014' || error instanceof DeadlineReached)
    return conflict(`The question took longer than ${queryTimeoutMs / 1000} s`, 'query_timeout');
  if (typeof code === 'string' && /^(53|54)/.test(code))
    return conflict('The question needs more room than it may have', 'query_too_large');
  // Errors in the query: syntax, types, values.
  if (typeof code === 'string' && /^(42|22|21|0A|08P01)/.test(code))
    return invalid(['body', 'sql'], explainWithHint(error), sql);
  return error;
}

export function makeTableQueries(deps: {
  db: Database;
  connections: QueryConnections;
  slots: Parameters<typeof makeQuerySlots>[0];
}): TableQueries {
  const { db, connections } = deps;
  const slot = makeQuerySlots(deps.slots);

  async function prepare(
    scope: Scope,
    { sql, params: values, max_rows }: QueryBody,
    only: ReadonlySet<string>,
    max_bytes: number,
  ): Promise<PreparedQuery> {
    let query: CheckedQuery;
    try {
      query = await checkQuery(sql, only);
    } catch (error) {
      throw error instanceof QueryRefused ? invalid(['body', 'sql'], error.message, sql) : error;
    }
    const { used, text } = query;
    const platformUsed = [...used].filter((name) => platformNames.has(name));
    if (platformUsed.length > 0 && !allows(scope.permissions, 'conversations_read'))
      throw forbidden('The permission conversations_read is needed to read the tables of the platform');
    for (const kind of platformUsed) scope.noteRead?.({ kind, id: null, owner_id: null });
    return {
      used,
      async run() {
        const before = readOnlyRoleStatements(await ensureRole(db, scope.workspace_id));
        const options = { before, text, values, max_rows, max_bytes, deadline_ms: queryBounds.deadline_ms };
        try {
          return presentAnswer(await slot(scope.workspace_id, () => firstRows(connections, options)));
        } catch (error) {
          throw explainError(error, sql, max_bytes);
        }
      },
    };
  }

  return {
    prepare,
    async ask(scope, query) {
      const own = await sqlNames(db, scope.workspace_id);
      const all = new Set([...own, ...platformNames]);
      return (await prepare(scope, query, all, queryBounds.answer_bytes)).run();
    },
  };
}
