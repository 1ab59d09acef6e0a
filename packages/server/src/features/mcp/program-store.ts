import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** The names of the programs that an administrator gave the workspace. */
export async function listGrantedPrograms(db: Db, workspace_id: string): Promise<Set<string>> {
  const rows = await db.rows<{ name: string }>(sql`
    select name from mcp_program_grants where workspace_id = ${workspace_id}`);
  return new Set(rows.map(({ name }) => name));
}

/** Replaces the programs of the workspace; a program that it has already keeps its record. */
export async function replaceGrantedPrograms(tx: Db, workspace_id: string, names: readonly string[], given_by: string) {
  await tx.run(sql`
    delete from mcp_program_grants where workspace_id = ${workspace_id} and not name = any(${names}::text[])`);
  await tx.run(sql`
    insert into mcp_program_grants (workspace_id, name, given_by)
    select ${workspace_id}, name, ${given_by} from unnest(${names}::text[]) as name
    on conflict (workspace_id, name) do nothing`);
}
