import type { UnlockRequest } from '@atrium/contract/agents/lock-schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { LockName } from '@atrium/contract/settings/locks.ts';
import type { Db } from '../../../db/database.ts';
import { type ListColumns, listConditions } from '../../../db/list-query.ts';
import { readPage } from '../../../db/read-page.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';

/** A lock that is on, as stored. */
export interface StoredLock {
  lock: LockName;
  locked_by: string | null;
  locked_at: string | null;
  reason: string | null;
}

/** The locks of an agent `a` as JSON, for the statements that read agents. */
export const locksColumn = sql`coalesce((
    select json_agg(json_build_object('lock', l.lock, 'locked_by', l.locked_by, 'locked_at',
      to_char(l.locked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'reason', l.reason) order by l.lock)
    from agent_locks l where l.workspace_id = a.workspace_id and l.agent_id = a.id), '[]'::json) as locks`;

/** Stores the locks that are on now; those that were on keep who turned them on. */
export const putLocks = (
  tx: Db,
  workspace_id: string,
  agent_id: string,
  { on, by, reason }: { on: readonly LockName[]; by: string | null; reason: string | null },
) =>
  tx.run(sql`
    with ended as (
      delete from agent_locks where workspace_id = ${workspace_id} and agent_id = ${agent_id} and lock <> all(${on}::text[])
    ), withdrawn as (
      update agent_unlock_requests set status = 'withdrawn', decided_at = now()
      where workspace_id = ${workspace_id} and agent_id = ${agent_id} and lock <> all(${on}::text[]) and status = 'pending')
    insert into agent_locks (workspace_id, agent_id, lock, locked_by, locked_at, reason)
    select ${workspace_id}, ${agent_id}, lock, ${by}::uuid, now(), ${reason}::text from unnest(${on}::text[]) as lock
    on conflict do nothing`);

export const findLocks = (db: Db, workspace_id: string, agent_id: string) =>
  db.rows<StoredLock>(sql`
    select lock, locked_by, locked_at, reason from agent_locks
    where workspace_id = ${workspace_id} and agent_id = ${agent_id} order by lock`);

/** A request as stored, without names. */
export type RequestRow = Omit<UnlockRequest, 'asked_by_actor' | 'decided_by_actor'>;
const columns = sql`q.id, q.agent_id, q.lock, q.reason, q.asked_by, q.status, q.note, q.decided_by, q.decided_at, q.created_at`;

/** Undefined when the asker has a pending request for this lock. */
export const insertRequest = (
  tx: Db,
  workspace_id: string,
  row: Pick<RequestRow, 'id' | 'agent_id' | 'lock' | 'asked_by'> & { reason: string },
) =>
  tx.row<RequestRow>(sql`
    insert into agent_unlock_requests as q (workspace_id, id, agent_id, lock, asked_by, reason)
    values (${workspace_id}, ${row.id}, ${row.agent_id}, ${row.lock}, ${row.asked_by}, ${row.reason})
    on conflict (workspace_id, agent_id, lock, asked_by) where status = 'pending' do nothing
    returning ${columns}`);

export const findRequest = (db: Db, workspace_id: string, agent_id: string, id: string) =>
  db.row<RequestRow>(sql`
    select ${columns} from agent_unlock_requests q
    where q.workspace_id = ${workspace_id} and q.agent_id = ${agent_id} and q.id = ${id}`);

/** Undefined when it is no longer pending. */
export const settleRequest = (
  tx: Db,
  workspace_id: string,
  id: string,
  { status, note, by }: { status: 'approved' | 'rejected'; note: string | null; by: string | null },
) =>
  tx.row<RequestRow>(sql`
    update agent_unlock_requests as q set status = ${status}, note = ${note}, decided_by = ${by}, decided_at = now()
    where q.workspace_id = ${workspace_id} and q.id = ${id} and q.status = 'pending' returning ${columns}`);

const withStatus = (status: string | undefined): Sql =>
  status === undefined || status === 'all'
    ? nothing
    : status === 'decided'
      ? sql`and q.status in ('approved', 'rejected')`
      : sql`and q.status = ${status}`;

const listColumns: ListColumns = { id: sql`q.id`, created_at: sql`q.created_at` };

export async function listRequests(
  db: Db,
  workspace_id: string,
  agent_id: string,
  { status, ...filter }: ListFilter & { status: string | undefined },
  window: PageWindow,
) {
  const where = sql`q.workspace_id = ${workspace_id} and q.agent_id = ${agent_id} ${withStatus(status)}
    ${listConditions(listColumns, filter)}`;
  return readPage<RequestRow>(db, { columns, from: sql`agent_unlock_requests q`, where, list: listColumns, window });
}

/** The requests about all agents: those of one asker, or all. */
export async function listInboxRequests(
  db: Db,
  workspace_id: string,
  { asked_by, status, ...filter }: ListFilter & { asked_by: string | undefined; status: string },
  window: PageWindow,
) {
  const list: ListColumns = { ...listColumns, updated_at: sql`coalesce(q.decided_at, q.created_at)` };
  const from = sql`agent_unlock_requests q
    join agents a on a.workspace_id = q.workspace_id and a.id = q.agent_id and a.deleted_at is null`;
  const where = sql`q.workspace_id = ${workspace_id} ${withStatus(status)}
    ${asked_by === undefined ? nothing : sql`and q.asked_by = ${asked_by}`} ${listConditions(list, filter)}`;
  return readPage<RequestRow & { agent_name: string }>(db, {
    ...{ columns: sql`${columns}, a.name as agent_name`, from, where, list: listColumns, window },
    facets: { kind: sql`'agent'::text`, status: sql`q.status`, tool: sql`null::text` },
  });
}
