import type { Database, Db } from '../../db/database.ts';
import { compile, type Sql, sql } from '../../db/sql.ts';
import { newId } from '../../lib/ids.ts';
import type { HashedRow } from './chain.ts';

/** A row to be written; its id and time are given to it here. */
export type NewAuditRow = Omit<HashedRow, 'id' | 'at' | 'before' | 'after'> & {
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
};

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** Queues the row for its chain in the same statement. A row that is inserted by hand is not queued, and is found. */
export const insertRow = (row: NewAuditRow): Sql => sql`
  with written as (
    insert into audit_log (id, tenant_id, workspace_id, operation, outcome, reason, actor_kind, actor_id, person_id,
      session_id, target_kind, target_id, parent_kind, parent_id, before, after, address, user_agent, request_id, count,
      first_at, last_at)
    values (${newId()}, ${row.tenant_id}, ${row.workspace_id}, ${row.operation}, ${row.outcome}, ${row.reason},
      ${row.actor_kind}, ${row.actor_id}, ${row.person_id}, ${row.session_id}, ${row.target_kind}, ${row.target_id},
      ${row.parent_kind}, ${row.parent_id}, ${json(row.before)}::json, ${json(row.after)}::json, ${row.address},
      ${row.user_agent}, ${row.request_id}, ${row.count}, ${row.first_at}, ${row.last_at})
    returning id)
  insert into audit_unlinked (row_id) select id from written`;

/** As text and values, for a transaction that knows nothing of our statements. */
export const insertRowStatement = (row: NewAuditRow) => compile(insertRow(row));

export interface AuditName {
  tenant_id: string;
  kind: string;
  id: string;
  name: string;
}

/** Sorted, so that two transactions that name the same two records do not wait for each other. */
export function putNamesStatement(names: readonly AuditName[]) {
  const sorted = [...names].sort((a, b) => (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1));
  return compile(sql`
    insert into audit_names (tenant_id, kind, id, name)
    select * from unnest(${sorted.map(({ tenant_id }) => tenant_id)}::uuid[], ${sorted.map(({ kind }) => kind)}::text[],
      ${sorted.map(({ id }) => id)}::text[], ${sorted.map(({ name }) => name)}::text[])
    on conflict (tenant_id, kind, id) do update set name = excluded.name`);
}

/** The columns that are hashed. */
export const hashedColumns = sql`r.id, r.tenant_id, r.workspace_id, r.at, r.operation, r.outcome, r.reason, r.actor_kind,
  r.actor_id, r.person_id, r.session_id, r.target_kind, r.target_id, r.parent_kind, r.parent_id, r.before::text as before,
  r.after::text as after, r.address, r.user_agent, r.request_id, r.count, r.first_at, r.last_at`;

/** Runs statements that come as text and values, outside of a transaction. */
export const runStatements = (
  db: Pick<Database, 'pool'>,
  work: (run: (text: string, values: unknown[]) => Promise<unknown>) => Promise<void>,
) => work((text, values) => db.pool.query(text, values));

/** The rows of the log name people by their ids; erasing a person deletes the name beside them. */
export const deleteNameOf = (db: Db, tenant_id: string, person_id: string) =>
  db.run(sql`delete from audit_names where tenant_id = ${tenant_id} and kind = 'person' and id = ${person_id}`);
