import type { Db } from '../../db/database.ts';
import { identifier, join, sql } from '../../db/sql.ts';
import { textColumns } from '../../db/stored-text/text-columns.ts';
import type { StorageState, StoredBytes } from './ports.ts';

const columns = sql`message_bytes, log_bytes, row_bytes, added_bytes, measured_at, waived`;

export const findStoredBytes = (db: Db, workspace_id: string) =>
  db.row<StoredBytes>(sql`select ${columns} from stored_bytes where workspace_id = ${workspace_id}`);

/** Adds what a process has counted, and reads what all of them have. The rows are locked in one order. */
export const addStoredBytes = (db: Db, added: ReadonlyMap<string, number>) =>
  db.rows<StoredBytes & { workspace_id: string }>(sql`
    with given as (
      select * from unnest(${[...added.keys()]}::uuid[], ${[...added.values()]}::bigint[]) as given (id, bytes)),
    locked as (
      select s.workspace_id, given.bytes from stored_bytes s join given on given.id = s.workspace_id
      where given.bytes > 0 order by s.workspace_id for no key update of s),
    changed as (
      update stored_bytes s set added_bytes = s.added_bytes + locked.bytes, changed_at = coalesce(s.changed_at, now())
      from locked where s.workspace_id = locked.workspace_id)
    select s.workspace_id, message_bytes, log_bytes, row_bytes, s.added_bytes + given.bytes as added_bytes, measured_at, waived
    from stored_bytes s join given on given.id = s.workspace_id`);

/** Marks the workspaces in which something was deleted. */
export const noteFreedBytes = (db: Db) =>
  db.run(sql`
    with freed as (delete from freed_bytes returning workspace_id)
    update stored_bytes set changed_at = now()
    where changed_at is null and workspace_id in (select workspace_id from freed)`);

export interface DueMeasurement {
  workspace_id: string;
  added_bytes: number;
  changed_at: string | null;
  state: StorageState;
}

/**
 * Workspaces to measure, the longest waiting first. A measurement may take one hundredth of the time: a workspace that
 * takes a second is measured every 100 seconds at most. One without changes is measured once a day.
 */
export const findDueMeasurements = (db: Db, limit: number) =>
  db.rows<DueMeasurement>(sql`
    select workspace_id, added_bytes, changed_at, state from stored_bytes
    where (changed_at is not null and (measured_at is null
        or measured_at < now() - make_interval(secs => greatest(10, measure_ms / 10.0))))
      or measured_at < now() - interval '1 day'
    order by measured_at nulls first limit ${limit}`);

/** The tables that keep texts of people and models, with their columns. */
const textTables = Map.groupBy(Object.keys(textColumns), (name) => name.slice(0, name.indexOf('.')));

/** The bytes of stored texts as they lie on the disk; long ones are compressed there. */
export async function measureTexts(db: Db, workspace_id: string): Promise<{ messages: number; others: number }> {
  const bytes = { messages: 0, others: 0 };
  for (const [table, names] of textTables) {
    const sizes = names.map(
      (name) => sql`coalesce(pg_column_size(${identifier(name.slice(table.length + 1))}), 0)::bigint`,
    );
    const { sum } = await db.one<{ sum: number }>(sql`
      select coalesce(sum(${join(sizes, sql` + `)}), 0)::bigint as sum from ${identifier(table)}
      where workspace_id = ${workspace_id}`);
    bytes[table === 'messages' ? 'messages' : 'others'] += sum;
  }
  return bytes;
}

/** Stores a measurement. Bytes that were counted and changes that came meanwhile stay for the next one. */
export const saveMeasurement = (
  db: Db,
  { workspace_id, added_bytes, changed_at }: DueMeasurement,
  measured: { message_bytes: number; log_bytes: number; row_bytes: number; measure_ms: number },
  state: StorageState,
) =>
  db.run(sql`
    update stored_bytes set message_bytes = ${measured.message_bytes}, log_bytes = ${measured.log_bytes},
      row_bytes = ${measured.row_bytes}, added_bytes = greatest(0, added_bytes - ${added_bytes}::bigint),
      changed_at = case when changed_at = ${changed_at}::timestamptz then null else changed_at end,
      measured_at = now(), measure_ms = ${measured.measure_ms}, state = ${state},
      waived = ${state} = 'over_default'
    where workspace_id = ${workspace_id}`);
