import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export interface GateRow {
  evaluation_id: string;
  threshold: number;
  set_by: string | null;
  set_at: string;
}

const columns = sql`evaluation_id, threshold, set_by, set_at`;

export const findGate = (db: Db, workspace_id: string, agent_id: string) =>
  db.row<GateRow>(
    sql`select ${columns} from publish_gates where workspace_id = ${workspace_id} and agent_id = ${agent_id}`,
  );

export const putGate = (
  db: Db,
  workspace_id: string,
  agent_id: string,
  { evaluation_id, threshold, set_by }: Omit<GateRow, 'set_at'>,
) =>
  db.one<GateRow>(sql`
    insert into publish_gates (workspace_id, agent_id, evaluation_id, threshold, set_by)
    values (${workspace_id}, ${agent_id}, ${evaluation_id}, ${threshold}, ${set_by})
    on conflict (workspace_id, agent_id) do update
      set evaluation_id = excluded.evaluation_id, threshold = excluded.threshold, set_by = excluded.set_by, set_at = now()
    returning ${columns}`);

export const deleteGate = (db: Db, workspace_id: string, agent_id: string) =>
  db.run(sql`delete from publish_gates where workspace_id = ${workspace_id} and agent_id = ${agent_id}`);

export const isGate = async (db: Db, workspace_id: string, evaluation_id: string): Promise<boolean> =>
  (await db.row(
    sql`select from publish_gates where workspace_id = ${workspace_id} and evaluation_id = ${evaluation_id}`,
  )) !== undefined;
