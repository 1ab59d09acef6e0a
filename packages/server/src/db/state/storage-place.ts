import type { Db } from '../database.ts';
import { sql } from '../sql.ts';

type Stored = 'files' | 'indexes';
type StoragePlace = 'disk' | 's3';

/** Where they were at the last start; undefined before the first one that noted it. */
export const findStoragePlace = async (db: Db, what: Stored) =>
  (await db.row<{ place: StoragePlace }>(sql`select place from storage_places where what = ${what}`))?.place;

export const noteStoragePlace = (db: Db, what: Stored, place: StoragePlace) =>
  db.run(sql`
    insert into storage_places (what, place) values (${what}, ${place})
    on conflict (what) do update set place = excluded.place, noted_at = now()
    where storage_places.place <> excluded.place`);

/** Whether a worker of another process has been seen in the last seconds. */
export const hasLiveWorker = async (db: Db) =>
  (await db.row(sql`select 1 as one from job_workers where seen_at > now() - interval '12 seconds' limit 1`)) !==
  undefined;
