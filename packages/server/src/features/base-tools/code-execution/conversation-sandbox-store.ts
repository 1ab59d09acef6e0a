import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** `brought`: the ids of files that were copied into the sandbox. */
export const findSandbox = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<{ sandbox_id: string; brought: string[] }>(sql`
    select sandbox_id, brought from conversation_sandboxes
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id}`);

export const addCopiedFiles = (
  db: Db,
  workspace_id: string,
  conversation_id: string,
  { sandbox_id, file_ids }: { sandbox_id: string; file_ids: readonly string[] },
) =>
  db.run(sql`
    update conversation_sandboxes set brought = brought || ${file_ids}::uuid[]
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and sandbox_id = ${sandbox_id}`);

/** Replaces `before`; false when another call has stored a sandbox meanwhile. */
export const putSandbox = async (
  db: Db,
  workspace_id: string,
  conversation_id: string,
  sandbox_id: string,
  before: string | undefined,
) =>
  (await db.run(sql`
    insert into conversation_sandboxes as own (workspace_id, conversation_id, sandbox_id)
    values (${workspace_id}, ${conversation_id}, ${sandbox_id})
    on conflict (workspace_id, conversation_id) do update set sandbox_id = excluded.sandbox_id, brought = '{}'
    where own.sandbox_id = ${before ?? null}`)) > 0;
