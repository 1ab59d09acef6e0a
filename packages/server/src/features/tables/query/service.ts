import { conflict, forbidden, invalid } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { QueryAnswer, QueryBody } from '@atrium/contract/tables/query/schema.ts';
import type { Database } from '../../../db/database.ts';
import { AnswerTooLarge, DeadlineReached, type FirstRows, firstRows } from '../../../db/first-rows.ts';
import type { QueryConnections } from '../../../db/query-connections.ts';
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

/** Runs SQL queries of callers. */
export interface TableQueries {
  /** Runs one SELECT over the tables of the workspace, under its database role. */
  ask(scope: Scope, query: QueryBody): Promise<QueryAnswer>;
}

/** Errors of the database are shown to the caller: the query has only seen tables of its own workspace. */
function explainError(error: unknown, sql: string): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (error instanceof AnswerTooLarge)
    return conflict(
      `The answer is larger than ${queryBounds.answer_bytes / 1024 / 1024} MB; ask for less`,
      'answer_too_large',
    );
  if (code === '57014' || error instanceof DeadlineReached)
    return conflict(`The question took longer than ${queryTimeoutMs / 1000} s`, 'query_timeout');
  if (typeof code === 'string' && /^(53|54)/.test(code))
    return conflict('The question needs more room than it may have', 'query_too_large');
  // Errors in the query: syntax, types, values.
  if (typeof code === 'string' && /^(42|22|21|0A|08P01)/.test(code))
    return invalid(['body', 'sql'], String(message), sql);
  return error;
}

export function makeTableQueries(deps: { db: Database; connections: QueryConnections }): TableQueries {
  const { db, connections } = deps;
  const slot = makeQuerySlots(queryBounds.slots);

  return {
    async ask(scope, { sql, params, max_rows }) {
      const own = await sqlNames(db, scope.workspace_id);
      let query: CheckedQuery;
      try {
        query = await checkQuery(sql, new Set([...own, ...platformNames]));
      } catch (error) {
        throw error instanceof QueryRefused ? invalid(['body', 'sql'], error.message, sql) : error;
      }
      if ([...query.used].some((name) => platformNames.has(name)) && !allows(scope.permissions, 'conversations_read'))
        throw forbidden('The permission conversations_read is needed to read the tables of the platform');
      const space = await ensureRole(db, scope.workspace_id);
      const { answer_bytes: max_bytes, deadline_ms } = queryBounds;
      const options = {
        before: readOnlyRoleStatements(space),
        text: query.text,
        values: params,
        max_rows,
        max_bytes,
        deadline_ms,
      };
      let answer: FirstRows;
      try {
        answer = await slot(scope.workspace_id, () => firstRows(connections, options));
      } catch (error) {
        throw explainError(error, sql);
      }
      return presentAnswer(answer);
    },
  };
}
