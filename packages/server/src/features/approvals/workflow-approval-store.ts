import type { InboxFilter, InboxItem } from '@atrium/contract/approvals/inbox-schema.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { WorkspacePermission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import { storedText, storedTextOrNull } from '../../db/stored-text/stored-text.ts';
import { type Actor, noPerson } from '../../lib/scope.ts';
import { isReadableRun, type RunReach } from '../ownership/service.ts';
import { namesPerson } from './decider-store.ts';

export interface ApprovalRow {
  id: string;
  run_id: string;
  path: string;
  node_id: string;
  /** Null for approvals from before it was stored. */
  node_name: string | null;
  question: string;
  /** JSON text. */
  details: string;
  decision: 'approve' | 'reject' | null;
  note: string | null;
  decided_by: string | null;
  /** `decided_by` is the name at that time. */
  decided_by_id: string | null;
  created_at: string;
  decided_at: string | null;
  expires_at: string | null;
  /** The permission that the deciding caller must hold. */
  needs: WorkspacePermission;
  /** Whether the actor that started the run may not decide. */
  four_eyes: boolean;
  /** The people and user groups who are named to decide. */
  approvers: readonly string[];
  approver_groups: readonly string[];
}

const columns = sql`id, run_id, path, node_id, node_name, question, details, decision, note, decided_by, decided_by_id, created_at, decided_at,
  expires_at, needs, four_eyes, approvers, approver_groups`;

export type NewApproval = Pick<
  ApprovalRow,
  | 'id'
  | 'run_id'
  | 'path'
  | 'node_id'
  | 'node_name'
  | 'question'
  | 'details'
  | 'needs'
  | 'four_eyes'
  | 'approvers'
  | 'approver_groups'
> & { seconds: number | null };

/** Stores the approval of a step; one that is stored already is returned with its decision. */
export const insertApprovalOnce = async (db: Db, workspace_id: string, approval: NewApproval) =>
  await db.one<ApprovalRow>(sql`
    insert into workflow_approvals (workspace_id, id, run_id, path, node_id, node_name, question, details, needs, four_eyes,
      approvers, approver_groups, expires_at)
    values (${workspace_id}, ${approval.id}, ${approval.run_id}, ${approval.path}, ${approval.node_id},
      ${approval.node_name},
      ${storedText('workflow_approvals.question', workspace_id, approval.id, approval.question)},
      ${storedTextOrNull('workflow_approvals.details', workspace_id, approval.id, approval.details)},
      ${approval.needs}, ${approval.four_eyes}, ${approval.approvers}::uuid[], ${approval.approver_groups}::uuid[], now() + make_interval(secs => ${approval.seconds}::float8))
    on conflict (workspace_id, run_id, path) do update set path = excluded.path
    returning ${columns}`);

export const findApproval = (db: Db, workspace_id: string, run_id: string, id: string) =>
  db.row<ApprovalRow>(sql`
    select ${columns} from workflow_approvals
    where workspace_id = ${workspace_id} and run_id = ${run_id} and id = ${id}`);

export const listApprovals = (db: Db, workspace_id: string, run_id: string) =>
  db.rows<ApprovalRow>(sql`
    select ${columns} from workflow_approvals where workspace_id = ${workspace_id} and run_id = ${run_id} order by id`);

/** Whether one of these has been decided. */
export const isAnyDecided = async (db: Db, workspace_id: string, ids: readonly string[]) =>
  (await db.row(sql`
    select 1 from workflow_approvals
    where workspace_id = ${workspace_id} and id = any(${ids}::uuid[]) and decision is not null limit 1`)) !== undefined;

/** Undefined when it is decided already or has expired. */
export const decideApproval = (
  db: Db,
  workspace_id: string,
  id: string,
  {
    decision,
    note,
    by,
    withdrawn,
  }: { decision: 'approve' | 'reject'; note: string | null; by: Pick<Actor, 'id' | 'name'>; withdrawn: boolean },
) =>
  db.row<ApprovalRow>(sql`
    update workflow_approvals set decision = ${decision}, withdrawn = ${withdrawn},
      note = ${storedTextOrNull('workflow_approvals.note', workspace_id, id, note)}, decided_by = ${by.name || by.id},
      decided_by_id = ${by.id}, decided_at = now()
    where workspace_id = ${workspace_id} and id = ${id} and decision is null
      and (expires_at is null or expires_at > now())
    returning ${columns}`);

/** An approval with its status and the workflow of its run. */
export interface InboxApprovalRow extends ApprovalRow {
  status: InboxItem['status'];
  workflow_id: string;
  workflow_name: string;
  asked_by: string | null;
}

/** Who sees an approval: those who may decide it, and those who read its run. */
export interface ApprovalReach {
  /** The permissions that the caller holds, each of which some approvals ask for. */
  held: readonly WorkspacePermission[];
  /** Whose runs the caller reads; undefined: those of everybody. */
  reach: RunReach | undefined;
  /** The person who asks, who may be named. */
  person_id: string | null;
}

/** The approvals of all runs. Open approvals of a run that is over count as withdrawn. */
export async function listInboxApprovals(
  db: Db,
  workspace_id: string,
  { status, held, reach, person_id, named, ...filter }: Omit<InboxFilter, 'conversation_id'> & ApprovalReach,
  window: PageWindow,
) {
  const standing = sql`case when q.withdrawn then 'withdrawn' else case q.decision when 'approve' then 'approved' when 'reject' then 'rejected' else
    case when r.finished_at < coalesce(q.expires_at, 'infinity') then 'withdrawn'
      when q.expires_at <= now() then 'expired' else 'pending' end end end`;
  // Written out, so that PostgreSQL uses the index of undecided approvals.
  const open = sql`q.decision is null and (q.expires_at is null or q.expires_at > now()) and r.finished_at is null`;
  const decided = sql`${standing} in ('approved', 'rejected')`;
  const wanted = status === 'pending' ? open : status === 'decided' ? decided : sql`${standing} = ${status}`;
  const counted = sql`workflow_approvals q
    join workflow_runs r on r.workspace_id = q.workspace_id and r.id = q.run_id`;
  const list: ListColumns = {
    ...{ id: sql`q.id`, created_at: sql`q.created_at`, ids_rise: true },
    updated_at: sql`coalesce(q.decided_at, q.created_at)`,
  };
  const mayDecide = sql`case when q.approvers = '{}' and q.approver_groups = '{}' then q.needs = any(${[...held]}::text[])
    else q.decided_by_id = ${person_id ?? noPerson} or q.decision is null and exists (select
      from deciders_of_requests(q.workspace_id, array[q.id], ${person_id ?? noPerson}, '{}', 0) d where d.includes) end`;
  const where = sql`q.workspace_id = ${workspace_id} ${status === 'all' ? nothing : sql`and ${wanted}`}
    ${named ? namesPerson(person_id) : nothing}
    ${reach ? sql`and (${mayDecide} or ${isReadableRun(workspace_id, reach)})` : nothing}
    ${listConditions(list, filter)}`;
  return readPage<InboxApprovalRow>(db, {
    columns: sql`q.id, q.run_id, q.path, q.node_id, q.node_name, q.question, q.details, q.decision, q.note, q.decided_by, q.decided_by_id, q.created_at,
        q.decided_at, q.expires_at, q.needs, q.four_eyes, q.approvers, q.approver_groups, ${standing} as status, r.workflow_id,
        w.name as workflow_name, r.principal #>> '{actor,id}' as asked_by`,
    from: sql`${counted} join workflows w on w.workspace_id = r.workspace_id and w.id = r.workflow_id`,
    ...{ counted, where, list, window },
    facets: { kind: sql`'workflow'::text`, status: standing, tool: sql`null::text` },
  });
}

/** The approvals of workflows that one of these actors decided and that still say so. */
export const listDecisionsOf = (db: Db, workspace_id: string, actor_ids: readonly string[]) =>
  db.rows<Pick<ApprovalRow, 'id' | 'run_id' | 'note' | 'decided_by'>>(sql`
    select id, run_id, note, decided_by from workflow_approvals
    where workspace_id = ${workspace_id} and decided_by_id = any(${[...actor_ids]}::uuid[])
      and decided_by <> decided_by_id::text`);

/** Puts the id in place of the name, and this text in place of the note. */
export const forgetDecider = (db: Db, workspace_id: string, id: string, text: string) =>
  db.run(sql`
    update workflow_approvals set decided_by = decided_by_id::text, note = case when note is not null then ${text}::text end
    where workspace_id = ${workspace_id} and id = ${id}`);
