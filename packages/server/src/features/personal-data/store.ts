import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { FollowUp, DataJob as NamedDataJob } from '@atrium/contract/personal-data/schema.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { sql } from '../../db/sql.ts';
import type { Actor } from '../../lib/scope.ts';

/** A job as stored: names are read where they are kept. */
export type DataJob = Omit<NamedDataJob, 'created_by_actor'>;

const columns = sql`id, kind, person_id, workspace_id as group_id, status, progress, report, follow_up, error, has_file, expires_at, created_by, created_at, ended_at`;

export type NewDataJob = Pick<DataJob, 'id' | 'kind' | 'person_id' | 'created_by'> & {
  group_id?: string;
  request?: WorkspaceRequest;
  tenant_id: string;
  actor_ids: readonly string[];
};
/** Who asked for a job of a workspace, and the size of the archive that is imported. No names: they would outlive the person. */
export interface WorkspaceRequest {
  actor: Pick<Actor, 'kind' | 'id'>;
  permissions: Permission[];
  home_workspace_id: string;
  tenant_admin: boolean;
  person_id: string | null;
  /** Not in jobs of earlier versions. */
  owner_id?: string | null;
  archive_bytes: number;
}

/** A job as it is executed. */
export type StartedDataJob = DataJob & { tenant_id: string; actor_ids: string[]; request: WorkspaceRequest | null };

/** Undefined while another of this kind is under way for the person or workspace. */
export const insertDataJob = (
  db: Db,
  { id, kind, person_id, created_by, tenant_id, actor_ids, group_id, request }: NewDataJob,
) =>
  db.row<DataJob>(sql`
    insert into data_jobs (id, tenant_id, kind, person_id, created_by, actor_ids, workspace_id, request)
    values (${id}, ${tenant_id}, ${kind}, ${person_id}, ${created_by}, ${[...actor_ids]}::uuid[],
      ${group_id ?? null}, ${request ? JSON.stringify(request) : null}::json)
    on conflict do nothing returning ${columns}`);

export const findDataJob = (db: Db, tenant_id: string, id: string) =>
  db.row<DataJob>(sql`select ${columns} from data_jobs where tenant_id = ${tenant_id} and id = ${id}`);

export const findAnyDataJob = (db: Db, id: string) =>
  db.row<StartedDataJob>(sql`select ${columns}, tenant_id, actor_ids, request from data_jobs where id = ${id}`);

const listColumns: ListColumns = { id: sql`id`, created_at: sql`created_at` };

export async function listDataJobs(db: Db, tenant_id: string, filter: ListFilter, window: PageWindow) {
  const where = sql`tenant_id = ${tenant_id} ${listConditions(listColumns, filter)}`;
  return readPage<DataJob>(db, { columns, from: sql`data_jobs`, where, list: listColumns, window });
}

export const saveProgress = (db: Db, id: string, progress: number, report: DataJob['report']) =>
  db.run(sql`
    update data_jobs set status = 'running', progress = ${progress}, report = ${JSON.stringify(report)}::json where id = ${id}`);

export const finishDataJob = (
  db: Db,
  id: string,
  {
    status,
    report,
    error,
    days,
  }: { status: 'done' | 'failed'; report: DataJob['report']; error?: string; days?: number },
) =>
  db.run(sql`
    update data_jobs set status = ${status}, ended_at = now(), report = ${JSON.stringify(report)}::json,
      progress = case when ${status} = 'done' then 1 else progress end, error = ${error ?? null}::text,
      has_file = ${days !== undefined}, expires_at = now() + make_interval(days => ${days ?? null}::int)
    where id = ${id}`);

/** Names the workspace that an import makes, before anything is in it: the next attempt deletes it. */
export const setWorkspace = (db: Db, id: string, workspace_id: string) =>
  db.run(sql`update data_jobs set workspace_id = ${workspace_id} where id = ${id}`);

export const saveFollowUp = (db: Db, id: string, follow_up: readonly FollowUp[]) =>
  db.run(sql`update data_jobs set follow_up = ${JSON.stringify(follow_up)}::json where id = ${id}`);

/** The archives whose time is over; they are no longer offered. */
export const expireArchives = (db: Db) =>
  db.rows<{ id: string; tenant_id: string }>(sql`
    update data_jobs set has_file = false where has_file and expires_at < now() returning id, tenant_id`);

/** The exports of a person that is erased: their archives go too. */
export const endExportsOf = (db: Db, tenant_id: string, person_id: string) =>
  db.rows<{ id: string }>(sql`
    update data_jobs set has_file = false, status = case when ended_at is null then 'failed' else status end,
      error = case when ended_at is null then 'The person is being erased' else error end, ended_at = coalesce(ended_at, now())
    where tenant_id = ${tenant_id} and person_id = ${person_id} and kind = 'export_person' returning id`);

/** The earlier archives that the same caller has of the same person or workspace: a new one takes their place. */
export const replaceArchives = (
  db: Db,
  { id, kind, person_id, group_id, created_by }: Pick<DataJob, 'id' | 'kind' | 'person_id' | 'group_id' | 'created_by'>,
) =>
  db.rows<{ id: string }>(sql`
    update data_jobs set has_file = false
    where has_file and kind = ${kind} and person_id is not distinct from ${person_id}::uuid
      and workspace_id is not distinct from ${group_id}::uuid and created_by = ${created_by} and id < ${id} returning id`);

/** Those of the organization's blobs that no job will read: archives whose job was never stored, or has ended without them. */
export const findAbandonedArchives = (
  db: Db,
  tenant_id: string,
  names: readonly { workspace_id: string; id: string }[],
) =>
  db.rows<{ workspace_id: string; id: string }>(sql`
    select blob.owner_id as workspace_id, blob.id
    from unnest(${names.map((name) => name.workspace_id)}::uuid[], ${names.map((name) => name.id)}::uuid[])
      as blob (owner_id, id)
    where blob.owner_id = ${tenant_id}
      and not exists (select from data_jobs j where j.id = blob.id and (j.has_file or j.ended_at is null))`);

/** Counts an attempt before it begins; how many there were with it. */
export const beginAttempt = async (db: Db, id: string) =>
  (
    await db.one<{ attempts: number }>(sql`
      update data_jobs set attempts = attempts + 1 where id = ${id} returning attempts`)
  ).attempts;

export const takeBackAttempt = (db: Db, id: string) =>
  db.run(sql`update data_jobs set attempts = attempts - 1 where id = ${id}`);

export const failDataJob = (db: Db, id: string, error: string) =>
  db.run(sql`
    update data_jobs set status = 'failed', error = ${error}, ended_at = now() where id = ${id} and ended_at is null`);
