import { compile, identifier, join, type Sql, sql } from '../../db/sql.ts';
import type { RecordVersion, RunStatement } from '../../lib/scope.ts';
import type { SavedRow } from './ports.ts';

const matches = (key: SavedRow['key']) =>
  join(
    Object.entries(key).map(([column, value]) => sql`${identifier(column)} = ${value}`),
    sql` and `,
  );

const ownVersion = sql`etag::text as etag, to_timestamp(etag / 1000000.0) as updated_at, etag_by as updated_by`;
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
    sql`select ${counted ? countedVersion : ownVersion} from ${identifier(table)} where ${matches(key)} for no key update`,
  );
  if (version || absent === undefined) return version;
  return { etag: absent, updated_at: null, updated_by: null };
}
