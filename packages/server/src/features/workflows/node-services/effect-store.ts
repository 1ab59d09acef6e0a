import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { storedText } from '../../../db/stored-text/stored-text.ts';

/** The stored result of the work that was done for a key. */
export const findEffect = (db: Db, workspace_id: string, key: string) =>
  db.row<{ answer: unknown }>(sql`
    select answer from workflow_effects where workspace_id = ${workspace_id} and key = ${key}`);

/** For a transaction that is not ours: it offers only a query with numbered parameters. `answer` is JSON text. */
export const insertEffect = (
  run: (text: string, values: unknown[]) => Promise<unknown>,
  workspace_id: string,
  key: string,
  answer: string,
) =>
  run('insert into workflow_effects (workspace_id, key, answer) values ($1, $2, $3)', [
    workspace_id,
    key,
    storedText('workflow_effects.answer', workspace_id, key, answer),
  ]);
