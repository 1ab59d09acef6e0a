import { type Preferences, preferences } from '@atrium/contract/preferences/schema.ts';
import type { Db } from '../../db/database.ts';
import * as store from './store.ts';

/** Stored preferences that can't be read any more are the defaults: nothing else may fail by them. */
const readable = (value: unknown): Preferences => preferences.safeParse(value).data ?? preferences.parse({});

/** The preferences of a person, with the defaults for what was never set. */
export async function readPreferences(db: Db, person_id: string): Promise<Preferences> {
  return readable((await store.findPreferences(db, person_id))?.value);
}

/** The preferences of those of these people who have set some. */
export async function readPreferencesOf(db: Db, person_ids: readonly string[]): Promise<Map<string, Preferences>> {
  const rows = await store.listPreferences(db, person_ids);
  return new Map(rows.map(({ person_id, value }) => [person_id, readable(value)]));
}

export async function writePreferences(db: Db, person_id: string, value: Preferences): Promise<Preferences> {
  await store.savePreferences(db, person_id, value);
  return value;
}
