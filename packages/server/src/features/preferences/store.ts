import type { Preferences } from '@atrium/contract/preferences/schema.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export const findPreferences = (db: Db, person_id: string) =>
  db.row<{ value: unknown }>(sql`select value from preferences where person_id = ${person_id}`);

export const listPreferences = (db: Db, person_ids: readonly string[]) =>
  db.rows<{ person_id: string; value: unknown }>(sql`
    select person_id, value from preferences where person_id = any(${[...person_ids]}::uuid[])`);

export const savePreferences = (db: Db, person_id: string, value: Preferences) =>
  db.run(sql`
    insert into preferences (person_id, value) values (${person_id}, ${JSON.stringify(value)}::json)
    on conflict (person_id) do update set value = excluded.value, updated_at = now()`);
