import type { Database } from '../../../db/database.ts';
import { AnswerTooLarge, type FirstRows, firstRows } from '../../../db/first-rows.ts';
import { conflict, forbidden, invalid, unavailable } from '../../../lib/errors.ts';
import { allows } from '../../../lib/permissions.ts';
import type { Scope } from '../../../lib/scope.ts';
import { ensureRole } from '../ddl/space.ts';
import { platformNames } from '../platform.ts';
import { sqlNames } from '../store.ts';
import { asRole, questionMs } from './as-workspace.ts';
import { Refused, requireQuestion } from './gate.ts';
import { presentAnswer } from './present.ts';
import type { QueryBody } from './schema.ts';

export type Questions = ReturnType<typeof makeQuestions>;

const maxBytes = 8 * 1024 * 1024;
const atOnce = 4;
const mostWaiting = 50;

/** A few at a time: however many ask, the rest of the program keeps its database connections. */
function makeTurnstile() {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inside >= atOnce) {
      if (waiting.length >= mostWaiting)
        throw unavailable('Too many questions are being asked at the moment; try again in a few seconds', 'query_busy');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else inside++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else inside--;
    }
  };
}

/** What the database says of a question is for whoever asked it: it has seen nothing but the workspace's own. */
function explained(error: unknown, sql: string): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (error instanceof AnswerTooLarge)
    return conflict(`The answer is larger than ${maxBytes / 1024 / 1024} MB; ask for less`, 'answer_too_large');
  if (code === '57014') return conflict(`The question took longer than ${questionMs / 1000} s`, 'query_timeout');
  if (typeof code === 'string' && /^(53|54)/.test(code))
    return conflict('The question needs more room than it may have', 'query_too_large');
  // Mistakes in the question: its words, its types, its numbers.
  if (typeof code === 'string' && /^(42|22|21|0A|08P01)/.test(code))
    return invalid(['body', 'sql'], String(message), sql);
  return error;
}

export function makeQuestions({ db }: { db: Database }) {
  const turn = makeTurnstile();

  return {
    /** One SELECT over the workspace's tables, asked under its own role. */
    async ask(scope: Scope, { sql, params, max_rows }: QueryBody) {
      const own = await sqlNames(db, scope.workspace_id);
      let used: Set<string>;
      try {
        used = await requireQuestion(sql, new Set([...own, ...platformNames]));
      } catch (error) {
        throw error instanceof Refused ? invalid(['body', 'sql'], error.message, sql) : error;
      }
      if ([...used].some((name) => platformNames.has(name)) && !allows(scope.permissions, 'conversations_read'))
        throw forbidden('The permission conversations_read is needed to read the tables of the platform');
      const space = await ensureRole(db, scope.workspace_id);
      const options = { before: asRole(space), text: sql, values: params, max_rows, max_bytes: maxBytes };
      let answer: FirstRows;
      try {
        answer = await turn(() => firstRows(db.pool, options));
      } catch (error) {
        throw explained(error, sql);
      }
      return presentAnswer(answer);
    },
  };
}
