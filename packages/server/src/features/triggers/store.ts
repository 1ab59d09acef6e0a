import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { StoredDefinition } from '@atrium/contract/triggers/schema.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions, oldestFirst } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import { type Owned, ownedColumns } from '../../execution/owner-rights.ts';
import type { TargetKind } from './ports.ts';

export interface TriggerError {
  code: string;
  message: string;
  at: string;
}

/** The principal of a trigger's runs: the caller that saved it last, with its permissions at that time. */
export interface StoredPrincipal {
  tenant_id: string;
  home_workspace_id: string;
  permissions: Permission[];
  tenant_admin: boolean;
  /** The ids of the caller: its key, and those that the key was rotated from. */
  made_by?: readonly string[];
}

export interface TriggerRow extends Owned {
  id: string;
  group_id: string;
  target_kind: TargetKind;
  target_id: string;
  version_id: string | null;
  type: StoredDefinition['type'];
  name: string;
  enabled: boolean;
  /** Without its secret. */
  definition: StoredDefinition;
  /** Sealed. */
  secret: string | null;
  routing_key: string;
  event: string | null;
  subject_id: string | null;
  principal: StoredPrincipal;
  next_fire_at: string | null;
  last_fired_at: string | null;
  last_run_at: string | null;
  last_error: TriggerError | null;
  created_at: string;
  updated_at: string;
  etag: string;
}

const columns = sql`id, workspace_id as group_id, target_kind, target_id, version_id, type, name, enabled, definition,
  secret, routing_key, event, subject_id, principal, next_fire_at, last_fired_at, last_run_at, last_error, created_at,
  updated_at, etag::text as etag, ${ownedColumns(sql`triggers`)}`;

export type NewTrigger = Omit<
  TriggerRow,
  'group_id' | 'last_fired_at' | 'last_run_at' | 'last_error' | 'created_at' | 'updated_at' | 'etag' | keyof Owned
> & { routing_hash: Buffer | null; owner_id: string | null };

export const insertTrigger = async (db: Db, workspace_id: string, row: NewTrigger) =>
  await db.one<TriggerRow>(sql`
    insert into triggers (workspace_id, id, target_kind, target_id, version_id, type, name, enabled, definition, secret,
      routing_key, routing_hash, event, subject_id, principal, next_fire_at, owner_id)
    values (${workspace_id}, ${row.id}, ${row.target_kind}, ${row.target_id}, ${row.version_id}, ${row.type}, ${row.name},
      ${row.enabled}, ${JSON.stringify(row.definition)}, ${row.secret}, ${row.routing_key}, ${row.routing_hash}, ${row.event},
      ${row.subject_id}, ${JSON.stringify(row.principal)}, ${row.next_fire_at}, ${row.owner_id})
    returning ${columns}`);

/** How the last runs that a trigger has started went. */
export interface RunCounts {
  started: number;
  failed: number;
  /** The last one that has ended. */
  last_failed: boolean;
}

export async function countRuns(db: Db, workspace_id: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, RunCounts>();
  const rows = await db.rows<RunCounts & { trigger_id: string }>(sql`
    select * from runs_of_triggers(${workspace_id}, ${[...ids]}::uuid[])`);
  return new Map(rows.map(({ trigger_id, ...counts }) => [trigger_id, counts]));
}

export const findTrigger = (db: Db, workspace_id: string, id: string) =>
  db.row<TriggerRow>(sql`select ${columns} from triggers where workspace_id = ${workspace_id} and id = ${id}`);

export const lockTrigger = (tx: Db, workspace_id: string, id: string) =>
  tx.row<TriggerRow>(
    sql`select ${columns} from triggers where workspace_id = ${workspace_id} and id = ${id} for update`,
  );

export const findByHash = (db: Db, hash: Buffer) =>
  db.row<TriggerRow>(sql`select ${columns} from triggers where routing_hash = ${hash}`);

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  search: [sql`name`],
  sort: { name: sql`lower(name)`, updated_at: sql`updated_at` },
};

export async function listTriggers(
  db: Db,
  workspace_id: string,
  target_kind: TargetKind,
  target_id: string,
  filter: ListFilter,
  window: PageWindow,
) {
  const where = sql`workspace_id = ${workspace_id} and target_kind = ${target_kind} and target_id = ${target_id}
    ${listConditions(listColumns, filter)}`;
  return readPage<TriggerRow>(db, {
    columns,
    from: sql`triggers`,
    where,
    list: listColumns,
    order: oldestFirst,
    window,
  });
}

export interface TriggerFilter extends ListFilter {
  kinds: readonly TargetKind[];
  type?: string | undefined;
  enabled?: boolean | undefined;
  failing?: boolean | undefined;
}

/** The triggers of agents and workflows that are not deleted, the newest first. */
export async function listOfWorkspace(
  db: Db,
  workspace_id: string,
  { kinds, type, enabled, failing, ...filter }: TriggerFilter,
  window: PageWindow,
) {
  const where = sql`workspace_id = ${workspace_id} and not target_deleted and target_kind = any(${kinds}::text[])
    ${type === undefined ? nothing : sql`and type = ${type}`}
    ${enabled === undefined ? nothing : sql`and enabled = ${enabled}`}
    ${
      failing === undefined
        ? nothing
        : sql`and (last_error is not null or exists (select
      from runs_of_triggers(workspace_id, array[id]) r where r.last_failed)) = ${failing}`
    } ${listConditions(listColumns, filter)}`;
  return readPage<TriggerRow>(db, { columns, from: sql`triggers`, where, list: listColumns, window });
}

/** All triggers of a workspace whose agent or workflow may be there. */
export const listAllTriggers = (db: Db, workspace_id: string, after: string, limit: number) =>
  db.rows<TriggerRow>(sql`
    select ${columns} from triggers where workspace_id = ${workspace_id} and id > ${after} order by id limit ${limit}`);

export type TriggerChange = Pick<
  TriggerRow,
  'name' | 'enabled' | 'version_id' | 'definition' | 'secret' | 'event' | 'subject_id' | 'principal' | 'next_fire_at'
> & { owner_id: string | null };

export const updateTrigger = async (tx: Db, workspace_id: string, id: string, row: TriggerChange) =>
  await tx.one<TriggerRow>(sql`
    update triggers set name = ${row.name}, enabled = ${row.enabled}, version_id = ${row.version_id},
      definition = ${JSON.stringify(row.definition)}, secret = ${row.secret}, event = ${row.event},
      subject_id = ${row.subject_id}, principal = ${JSON.stringify(row.principal)}, next_fire_at = ${row.next_fire_at},
      owner_id = ${row.owner_id}, paused_reason = null, updated_at = now()
    where workspace_id = ${workspace_id} and id = ${id}
    returning ${columns}`);

/** Pauses the triggers of a person who is deactivated; they stay paused until they have another owner. */
export const pauseTriggersOf = (tx: Db, owner_id: string) =>
  tx.rows<{ id: string; workspace_id: string }>(sql`
    update triggers set paused_reason = 'owner_inactive'
    where owner_id = ${owner_id} and paused_reason is distinct from 'owner_inactive' returning id, workspace_id`);

export const deleteTrigger = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from triggers where workspace_id = ${workspace_id} and id = ${id}`);

/** Locks the due schedules until the transaction ends; rows that another node has locked are skipped. */
export const lockDueTriggers = (tx: Db, now: string, limit: number) =>
  tx.rows<TriggerRow>(sql`
    select ${columns} from triggers where type = 'schedule' and enabled and next_fire_at <= ${now}
    order by next_fire_at limit ${limit} for update skip locked`);

export const nextDue = async (db: Db) =>
  (
    await db.row<{ at: string | null }>(sql`
      select min(next_fire_at) as at from triggers where type = 'schedule' and enabled`)
  )?.at ?? undefined;

export const setNextFire = (tx: Db, workspace_id: string, id: string, next_fire_at: string | null) =>
  tx.run(sql`update triggers set next_fire_at = ${next_fire_at} where workspace_id = ${workspace_id} and id = ${id}`);

/** The triggers of an agent that filter messages of a chat service, switched on or not. */
export const channelTriggers = (db: Db, workspace_id: string, agent_id: string, type: string) =>
  db.rows<TriggerRow>(sql`
    select ${columns} from triggers
    where workspace_id = ${workspace_id} and target_kind = 'agent' and target_id = ${agent_id} and type = ${type}`);

/** The event triggers that wait for an event, in the whole workspace or of this subject. */
export const triggersForEvent = (db: Db, workspace_id: string, event: string, subject_id: string | null) =>
  db.rows<TriggerRow>(sql`
    select ${columns} from triggers
    where workspace_id = ${workspace_id} and type = 'event' and enabled
      and event in (${event}, split_part(${event}, '.', 1)) and (subject_id is null or subject_id = ${subject_id})
    order by id`);

export const noteFailed = (tx: Db, workspace_id: string, id: string, error: TriggerError) =>
  tx.run(sql`
    update triggers set last_error = ${JSON.stringify(error)} where workspace_id = ${workspace_id} and id = ${id}`);

/** Triggers of agents or of workflows that start a record, or wait for its events. */
export const triggersUsing = (db: Db, workspace_id: string, target_kind: TargetKind, id: string, limit: number) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from triggers
    where workspace_id = ${workspace_id} and target_kind = ${target_kind} and (target_id = ${id} or subject_id = ${id})
    order by id limit ${limit}`);
