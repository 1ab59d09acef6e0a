import type { DataJob as NamedDataJob } from '@atrium/contract/personal-data/schema.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A job as stored: names are read where they are kept. */
export type DataJob = Omit<NamedDataJob, 'created_by_actor'>;

const columns = sql`id, kind, person_id, status, progress, report, error, has_file, expires_at, created_by, created_at, ended_at`;

export type NewDataJob = Pick<DataJob, 'id' | 'kind' | 'person_id' | 'created_by'> & {
  tenant_id: string;
  actor_ids: readonly string[];
};
/** A job as it is executed. */
export type StartedDataJob = DataJob & { tenant_id: string; actor_ids: string[] };

/** Undefined while another of this kind is under way for the person. */
export const insertDataJob = (db: Db, { id, kind, person_id, created_by, tenant_id, actor_ids }: NewDataJob) =>
  db.row<DataJob>(sql`
    insert into data_jobs (id, tenant_id, kind, person_id, created_by, actor_ids)
    values (${id}, ${tenant_id}, ${kind}, ${person_id}, ${created_by}, ${[...actor_ids]}::uuid[])
    on conflict (person_id, kind) where ended_at is null do nothing returning ${columns}`);

export const findDataJob = (db: Db, tenant_id: string, id: string) =>
  db.row<DataJob>(sql`select ${columns} from data_jobs where tenant_id = ${tenant_id} and id = ${id}`);

export const findAnyDataJob = (db: Db, id: string) =>
  db.row<StartedDataJob>(sql`select ${columns}, tenant_id, actor_ids from data_jobs where id = ${id}`);

export async function listDataJobs(db: Db, tenant_id: string, { size, offset }: { size: number; offset: number }) {
  const [rows, count] = await Promise.all([
    db.rows<DataJob>(sql`
      select ${columns} from data_jobs where tenant_id = ${tenant_id} order by id desc limit ${size} offset ${offset}`),
    db.one<{ total: number }>(sql`select count(*) as total from data_jobs where tenant_id = ${tenant_id}`),
  ]);
  return { rows, total: count.total };
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

/** The earlier archives that the same caller has of the same person: a new one takes their place. */
export const replaceArchives = (
  db: Db,
  { id, person_id, created_by }: Pick<DataJob, 'id' | 'person_id' | 'created_by'>,
) =>
  db.rows<{ id: string }>(sql`
    update data_jobs set has_file = false
    where has_file and person_id = ${person_id} and created_by = ${created_by} and id < ${id} returning id`);

/** Notes a failed attempt; after the last one the job has failed. */
export const noteFailure = (db: Db, id: string, error: string, most: number) =>
  db.run(sql`
    update data_jobs set attempts = attempts + 1,
      status = case when attempts + 1 >= ${most} then 'failed' else status end,
      error = case when attempts + 1 >= ${most} then ${error}::text end,
      ended_at = case when attempts + 1 >= ${most} then now() end
    where id = ${id}`);
