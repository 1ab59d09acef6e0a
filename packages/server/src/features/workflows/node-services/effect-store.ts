import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** The stored result of the work that was done for a key, as JSON text. */
export const findEffect = async (db: Db, workspace_id: string, key: string) =>
  (
    await db.row<{ answer: string }>(sql`
      select answer::text from workflow_effects where workspace_id = ${workspace_id} and key = ${key}`)
  )?.answer;

/** For a transaction that is not ours: it offers only a query with numbered parameters. */
export const insertEffect = (
  run: (text: string, values: unknown[]) => Promise<unknown>,
  workspace_id: string,
  key: string,
  answer: string,
) => run('insert into workflow_effects (workspace_id, key, answer) values ($1, $2, $3)', [workspace_id, key, answer]);
