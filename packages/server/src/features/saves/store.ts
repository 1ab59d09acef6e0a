import { versionColumns } from '../../db/etag.ts';
import { compile, identifier, join, nothing, type Sql, sql } from '../../db/sql.ts';
import type { RecordVersion, RunStatement } from '../../lib/scope.ts';
import type { SavedRow } from './ports.ts';

const matches = (key: SavedRow['key']) =>
  join(
    Object.entries(key).map(([column, value]) => sql`${identifier(column)} = ${value}`),
    sql` and `,
  );

/** Agents, conversations and deployments: `<ms>-<seq>`. */
const countedVersion = sql`etag_ms || '-' || etag_seq as etag, to_timestamp(etag_ms / 1000.0) as updated_at,
  etag_by as updated_by`;

async function first(run: RunStatement, statement: Sql): Promise<RecordVersion | undefined> {
  const { text, values } = compile(statement);
  return (await run(text, values)).rows[0] as RecordVersion | undefined;
}

/** Reads the version and keeps the record as it is until the transaction ends; readers and new children do not wait. */
export async function lockVersion(
  run: RunStatement,
  { table, key, counted, absent }: SavedRow,
): Promise<RecordVersion | undefined> {
  // Two requests that would both create the record come one after another.
  if (absent !== undefined)
    await first(run, sql`select pg_advisory_xact_lock(hashtextextended(${`${table} ${JSON.stringify(key)}`}, 0))`);
  const version = await first(
    run,
    sql`select ${counted ? countedVersion : versionColumns} from ${identifier(table)} where ${matches(key)} for no key update`,
  );
  if (version || absent === undefined) return version;
  return { etag: absent, updated_at: null, updated_by: null };
}

const versionOf = (key: SavedRow['key'], lock: Sql = nothing) =>
  sql`select ${versionColumns} from record_versions where ${matches(key)} ${lock}`;

/** The version of a record that is set as a whole, or that of one which never was. */
export const readRecordVersion = async (run: RunStatement, { key, absent = '0' }: SavedRow): Promise<RecordVersion> =>
  (await first(run, versionOf(key))) ?? { etag: absent, updated_at: null, updated_by: null };

/** Moves the version of such a record on, and answers the one before and the one that it has from now on. */
export async function moveRecordVersion(
  run: RunStatement,
  { key, absent = '0' }: SavedRow,
): Promise<{ before: RecordVersion; etag: string }> {
  // Two requests that would both create the version come one after another.
  await first(run, sql`select pg_advisory_xact_lock(hashtextextended(${`record ${JSON.stringify(key)}`}, 0))`);
  const before = (await first(run, versionOf(key, sql`for update`))) ?? {
    ...{ etag: absent, updated_at: null, updated_by: null },
  };
  await first(run, sql`select touch_record(${key['kind'] ?? ''}, ${key['key'] ?? ''})`);
  return { before, etag: (await first(run, versionOf(key)))?.etag ?? absent };
}
