import type { AuditEntry, AuditFilters } from '@atrium/contract/audit/schema.ts';
import type { Db } from '../../db/database.ts';
import { replanEachTime, type Sql, sql } from '../../db/sql.ts';

/** Which rows a caller asks for and may see. */
export type AuditFilter = Omit<AuditFilters, 'group_id' | 'organization'> & {
  tenant_id: string;
  /** Undefined: all of the tenant; null: the organization itself. */
  workspace_id: string | null | undefined;
};

/** The last row of the page before. */
export interface AuditCursor {
  at: string;
  id: string;
}

const when = (value: unknown, condition: Sql): Sql => (value === undefined ? sql`` : condition);

/** A version that is published as it is made is a publication as well. */
const ofOperation = (operation: string | undefined): Sql =>
  operation === 'agentVersions.publish'
    ? sql`(r.operation = ${operation} or (r.operation = 'agentVersions.create' and r.after -> 'published_version_id' is not null))`
    : sql`r.operation = ${operation}`;

/** As constants, so that the index of each is used. Reads are no changes: they are listed where they are asked for. */
function ofOutcome({ outcome, reads }: AuditFilter): Sql {
  if (outcome === 'refused') return sql`and r.outcome = 'refused'`;
  if (outcome === 'read') return sql`and r.outcome = 'read'`;
  if (outcome === 'done') return sql`and r.outcome = 'done'`;
  return reads ? sql`` : sql`and r.outcome <> 'read'`;
}

const matching = (filter: AuditFilter): Sql => sql`
  r.tenant_id = ${filter.tenant_id}
  ${filter.workspace_id === null ? sql`and r.workspace_id is null` : when(filter.workspace_id, sql`and r.workspace_id = ${filter.workspace_id}`)}
  ${when(filter.actor_id, sql`and r.actor_id = ${filter.actor_id}`)}
  ${when(filter.person_id, sql`and r.person_id = ${filter.person_id}`)}
  ${when(filter.operation, sql`and ${ofOperation(filter.operation)}`)}
  ${when(filter.target_id, sql`and (r.target_id = ${filter.target_id} or r.parent_id = ${filter.target_id})`)}
  ${when(filter.target_kind, sql`and (r.target_kind = ${filter.target_kind} or r.parent_kind = ${filter.target_kind})`)}
  ${ofOutcome(filter)}
  ${when(filter.since, sql`and r.at >= ${filter.since}`)}
  ${when(filter.until, sql`and r.at < ${filter.until}`)}`;

/** A record with its name; null where the row names none. */
const named = (kind: Sql, id: Sql) => sql`
  case when ${id} is not null then jsonb_build_object('kind', ${kind}, 'id', ${id}::text, 'name', (
    select n.name from audit_names n where n.tenant_id = r.tenant_id and n.kind = ${kind} and n.id = ${id}::text)) end`;

/** One more row than a page has tells whether there is a next one. */
export const listEntries = (db: Db, filter: AuditFilter, size: number, cursor: AuditCursor | undefined) =>
  db.rows<AuditEntry>(sql`
    select r.id, r.at, r.workspace_id as group_id, r.operation, r.outcome, r.reason,
      ${named(sql`r.actor_kind`, sql`r.actor_id`)} as actor, ${named(sql`'person'`, sql`r.person_id`)} as person,
      r.session_id, case when r.actor_kind = 'api_key' then r.actor_id end as api_key_id,
      ${named(sql`r.target_kind`, sql`r.target_id`)} as target, ${named(sql`r.parent_kind`, sql`r.parent_id`)} as parent,
      r.before, r.after, r.address, r.user_agent, r.request_id, r.count, r.first_at, r.last_at,
      l.position, encode(l.hash, 'hex') as hash
    from audit_log r left join audit_links l on l.row_id = r.id
    where ${matching(filter)} ${when(cursor, sql`and (r.at, r.id) < (${cursor?.at}::timestamptz, ${cursor?.id}::uuid)`)}
    order by r.at desc, r.id desc limit ${size + 1} ${replanEachTime}`);
