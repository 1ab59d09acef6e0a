import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export interface ToolFileRow {
  file_id: string;
  run_id: string;
  tool: string;
  inline: boolean;
  created_at: string;
}

const columns = sql`file_id, run_id, tool, inline, created_at`;

export const insertToolFile = (
  db: Db,
  workspace_id: string,
  conversation_id: string,
  row: { file_id: string; run_id: string; tool: string; inline: boolean },
) =>
  db.run(sql`
    insert into conversation_files (workspace_id, conversation_id, file_id, run_id, tool, inline)
    values (${workspace_id}, ${conversation_id}, ${row.file_id}, ${row.run_id}, ${row.tool}, ${row.inline})`);

/** Oldest first. */
export const listToolFiles = (db: Db, workspace_id: string, conversation_id: string) =>
  db.rows<ToolFileRow>(sql`
    select ${columns} from conversation_files
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} order by created_at, file_id`);

/** Detaches files from the conversation; they stay files of the workspace. */
export const detachToolFiles = (db: Db, workspace_id: string, conversation_id: string, file_ids: readonly string[]) =>
  db.run(sql`
    delete from conversation_files
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id}
      and file_id = any(${file_ids}::uuid[])`);
