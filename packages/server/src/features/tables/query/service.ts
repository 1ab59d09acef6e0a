import { conflict, forbidden, invalid } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { QueryBody } from '@atrium/contract/tables/query/schema.ts';
import type { Database } from '../../../db/database.ts';
import { AnswerTooLarge, DeadlineReached, type FirstRows, firstRows } from '../../../db/first-rows.ts';
import type { QueryConnections } from '../../../db/query-connections.ts';
import type { Scope } from '../../../lib/scope.ts';
import { ensureRole } from '../ddl/workspace-schema.ts';
import { platformNames } from '../platform-tables.ts';
import { sqlNames } from '../store.ts';
import { queryBounds } from './bounds.ts';
import { checkQuery, type Question } from './check-query.ts';
import { presentAnswer } from './present-answer.ts';
import { Refused } from './query-refused.ts';
import { makeQuerySlots } from './query-slots.ts';
import { queryTimeoutMs, readOnlyRoleStatements } from './read-as-workspace.ts';

export type Questions = ReturnType<typeof makeQuestions>;

/** What the database says of a question is for whoever asked it: it has seen nothing but the workspace's own. */
function explained(error: unknown, sql: string): unknown {
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
  // Mistakes in the question: its words, its types, its numbers.
  if (typeof code === 'string' && /^(42|22|21|0A|08P01)/.test(code))
    return invalid(['body', 'sql'], String(message), sql);
  return error;
}

export function makeQuestions({ db, connections }: { db: Database; connections: QueryConnections }) {
  const slot = makeQuerySlots(queryBounds.slots);

  return {
    /** One SELECT over the workspace's tables, asked under its own role. */
    async ask(scope: Scope, { sql, params, max_rows }: QueryBody) {
      const own = await sqlNames(db, scope.workspace_id);
      let question: Question;
      try {
        question = await checkQuery(sql, new Set([...own, ...platformNames]));
      } catch (error) {
        throw error instanceof Refused ? invalid(['body', 'sql'], error.message, sql) : error;
      }
      if (
        [...question.used].some((name) => platformNames.has(name)) &&
        !allows(scope.permissions, 'conversations_read')
      )
        throw forbidden('The permission conversations_read is needed to read the tables of the platform');
      const space = await ensureRole(db, scope.workspace_id);
      const { answer_bytes: max_bytes, deadline_ms } = queryBounds;
      const options = {
        before: readOnlyRoleStatements(space),
        text: question.text,
        values: params,
        max_rows,
        max_bytes,
        deadline_ms,
      };
      let answer: FirstRows;
      try {
        answer = await slot(scope.workspace_id, () => firstRows(connections, options));
      } catch (error) {
        throw explained(error, sql);
      }
      return presentAnswer(answer);
    },
  };
}
