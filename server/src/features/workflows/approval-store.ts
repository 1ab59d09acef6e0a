import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { WorkspacePermission } from '../../lib/permissions.ts';

export interface ApprovalRow {
  id: string;
  run_id: string;
  path: string;
  node_id: string;
  question: string;
  /** JSON text. */
  details: string;
  decision: 'approve' | 'reject' | null;
  note: string | null;
  decided_by: string | null;
  created_at: string;
  decided_at: string | null;
  expires_at: string | null;
  /** What whoever decides must be allowed to. */
  needs: WorkspacePermission;
  /** Not by whoever started the run. */
  four_eyes: boolean;
}

const columns = sql`id, run_id, path, node_id, question, details, decision, note, decided_by, created_at, decided_at,
  expires_at, needs, four_eyes`;

export type NewApproval = Pick<
  ApprovalRow,
  'id' | 'run_id' | 'path' | 'node_id' | 'question' | 'details' | 'needs' | 'four_eyes'
> & { seconds: number | null };

/** The question of a step; one that was asked before is found again, with what came of it. */
export const askOnce = async (db: Db, workspace_id: string, one: NewApproval) =>
  (await db.row<ApprovalRow>(sql`
    insert into workflow_approvals (workspace_id, id, run_id, path, node_id, question, details, needs, four_eyes,
      expires_at)
    values (${workspace_id}, ${one.id}, ${one.run_id}, ${one.path}, ${one.node_id}, ${one.question}, ${one.details},
      ${one.needs}, ${one.four_eyes}, now() + make_interval(secs => ${one.seconds}::float8))
    on conflict (workspace_id, run_id, path) do update set path = excluded.path
    returning ${columns}`)) as ApprovalRow;

export const findApproval = (db: Db, workspace_id: string, run_id: string, id: string) =>
  db.row<ApprovalRow>(sql`
    select ${columns} from workflow_approvals
    where workspace_id = ${workspace_id} and run_id = ${run_id} and id = ${id}`);

export const listApprovals = (db: Db, workspace_id: string, run_id: string) =>
  db.rows<ApprovalRow>(sql`
    select ${columns} from workflow_approvals where workspace_id = ${workspace_id} and run_id = ${run_id} order by id`);

/** Whether one of these has been decided. */
export const anyDecided = async (db: Db, workspace_id: string, ids: readonly string[]) =>
  (await db.row(sql`
    select 1 from workflow_approvals
    where workspace_id = ${workspace_id} and id = any(${ids}::uuid[]) and decision is not null limit 1`)) !== undefined;

/** Undefined when it is decided already, or its time is up. */
export const decide = (
  db: Db,
  workspace_id: string,
  id: string,
  { decision, note, by }: { decision: 'approve' | 'reject'; note: string | null; by: string },
) =>
  db.row<ApprovalRow>(sql`
    update workflow_approvals set decision = ${decision}, note = ${note}, decided_by = ${by}, decided_at = now()
    where workspace_id = ${workspace_id} and id = ${id} and decision is null
      and (expires_at is null or expires_at > now())
    returning ${columns}`);
