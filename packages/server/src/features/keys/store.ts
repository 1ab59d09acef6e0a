import type { ApiKey } from '@atrium/contract/keys/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import { countRows } from '../../db/count-rows.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions, oldestFirst, orderOf, orderSql } from '../../db/list-query.ts';
import { type Sql, sql } from '../../db/sql.ts';

const ownerId = sql`coalesce(api_keys.person_id, api_keys.service_account_id)`;

const columns = sql`id, workspace_id as group_id, name, tenant_admin, permissions, role_id, rate_limit, stream_limit, reach, hint as value,
  expires_at, last_used_at, created_at, etag::text as etag, coalesce((
    select r.permissions from owner_rights r
    where r.owner_id = ${ownerId} and r.workspace_id = api_keys.workspace_id), '{}') as owner_permissions, (
    select jsonb_build_object('id', o.id, 'name', o.name, 'kind', o.kind) from owners o where o.id = ${ownerId}) as owner,
  case when created_by_id is not null then jsonb_build_object('id', created_by_id,
    'kind', created_by_kind, 'name', coalesce((
      select maker.name from api_keys maker
      where maker.tenant_id = api_keys.tenant_id and maker.id = api_keys.created_by_id), created_by_name, '')) end as created_by`;

/** A key as stored; a person who made it has no name here. */
export interface KeyRow extends Omit<ApiKey, 'effective_permissions'> {
  /** What its owner holds in its workspace now. */
  owner_permissions: Permission[];
}
/** The same with the fields that no answer shows. */
export interface StoredKey extends KeyRow {
  from_environment: boolean;
  line: string | null;
}

/** The person or the service account that a key belongs to. */
export interface KeyOwner {
  id: string;
  kind: 'person' | 'service_account';
}

const hasActiveOwner = sql`exists (select from owners o where o.id = ${ownerId} and o.active)`;

/** A key that has not run out. */
const valid = sql`(expires_at is null or expires_at > now())`;

export interface NewKey {
  workspace_id: string;
  tenant_id: string;
  id: string;
  name: string;
  hash: Buffer;
  hint: string;
  tenant_admin: boolean;
  permissions: Permission[];
  expires_at: string | null;
  rate_limit?: number | null;
  stream_limit?: number | null;
  /** Of a rotated one: the first of its line. */
  line?: string;
  owner: KeyOwner;
  /** The people who may know the value. */
  known_to?: readonly string[];
  role_id?: string | null;
  reach?: ApiKey['reach'];
  created_by?: ApiKey['created_by'];
  /** No start has printed its value yet. */
  awaits_display?: boolean;
}

export interface ResolvedKey {
  id: string;
  name: string;
  workspace_id: string;
  tenant_id: string;
  tenant_admin: boolean;
  permissions: Permission[];
  expires_at: string | null;
  rate_limit: number | null;
  stream_limit: number | null;
  line: string | null;
  owner_id: string;
  person_id: string | null;
  known_to: string[];
  reach: ApiKey['reach'];
  /** Of a key of no person: the owner of the records that it makes. */
  record_owner_id: string | null;
  /** What the owner holds in the workspace of the key now. */
  owner_permissions: Permission[];
}

const ownerColumns = ({ id, kind }: KeyOwner) =>
  sql`${kind === 'person' ? id : null}::uuid, ${kind === 'service_account' ? id : null}::uuid`;

export const insertKey = async (db: Db, key: NewKey) =>
  await db.one<KeyRow>(sql`
    insert into api_keys (workspace_id, id, tenant_id, name, hash, hint, tenant_admin, permissions, expires_at, rate_limit,
      stream_limit, line, awaits_display, role_id, created_by_id, created_by_kind, created_by_name, person_id, service_account_id,
      known_to, reach)
    values (${key.workspace_id}, ${key.id}, ${key.tenant_id}, ${key.name}, ${key.hash}, ${key.hint},
            ${key.tenant_admin}, ${key.permissions}, ${key.expires_at}, ${key.rate_limit ?? null}, ${key.stream_limit ?? null}, ${key.line ?? null},
            ${key.awaits_display ?? false}, ${key.role_id ?? null}, ${key.created_by?.id ?? null},
            ${key.created_by?.kind ?? null}, ${key.created_by?.kind === 'api_key' ? key.created_by.name : null},
            ${ownerColumns(key.owner)}, ${[...(key.known_to ?? [])]}::uuid[], ${key.reach ?? 'own'})
    returning ${columns}`);

export const resolveKey = (db: Db, hash: Buffer) =>
  db.row<ResolvedKey>(sql`
    select api_keys.id, api_keys.name, api_keys.workspace_id, api_keys.tenant_id, tenant_admin, api_keys.permissions, expires_at, rate_limit,
      stream_limit, line, person_id, known_to, reach, ${ownerId} as owner_id, coalesce(r.permissions, '{}') as owner_permissions,
      case when a.workspace_id is null then coalesce(line, api_keys.id) else a.id end as record_owner_id
    from api_keys left join service_accounts a on a.id = service_account_id
    left join owner_rights r on r.owner_id = ${ownerId} and r.workspace_id = api_keys.workspace_id
    where hash = ${hash} and ${valid} and ${hasActiveOwner}`);

/** The owner of a key that makes another one, and the people who may know its value. */
export const findOwner = (db: Db, tenant_id: string, id: string) =>
  db.row<KeyOwner & { known_to: string[] }>(sql`
    select ${ownerId} as id, case when person_id is null then 'service_account' else 'person' end as kind, known_to
    from api_keys where tenant_id = ${tenant_id} and id = ${id}`);

/** The roles of a key and of the service account that owns it. */
export const findRolesOfKey = async (db: Db, workspace_id: string, id: string) =>
  (
    await db.rows<{ role_id: string }>(sql`
      select given.role_id from api_keys k left join service_accounts a on a.id = k.service_account_id and a.active
        cross join lateral unnest(array[k.role_id, a.role_id]) as given (role_id)
      where k.id = ${id} and k.workspace_id = ${workspace_id} and (k.expires_at is null or k.expires_at > now())
        and given.role_id is not null`)
  ).map(({ role_id }) => role_id);

/** Whether a key, or one that it was rotated to, holds one of these permissions in a workspace. */
export const keyHolds = async (db: Db, workspace_id: string, id: string, permissions: readonly Permission[]) =>
  (await db.row(sql`
    select 1 from api_keys
    join owner_rights r on r.owner_id = ${ownerId} and r.workspace_id = ${workspace_id}
    where (id = ${id} or line = ${id}) and ${valid}
      and (api_keys.workspace_id = ${workspace_id} or (tenant_admin and 'org:admin' = any(r.permissions)))
      and api_keys.permissions && ${permissions}::text[] and r.permissions && ${permissions}::text[]`)) !== undefined;

export const listKeys = (db: Db, workspace_id: string) =>
  db.rows<KeyRow>(sql`select ${columns} from api_keys where workspace_id = ${workspace_id} order by id`);

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  search: [sql`name`],
  sort: { name: sql`lower(name)` },
};

interface KeyFilter extends ListFilter {
  group_id?: string | undefined;
  expires_before?: string | undefined;
}
const filteredBy = ({ group_id, expires_before, ...filter }: KeyFilter): Sql => sql`
  ${group_id === undefined ? sql`` : sql`and workspace_id = ${group_id}`}
  ${expires_before === undefined ? sql`` : sql`and expires_at < ${expires_before}`}
  ${listConditions(listColumns, filter)}`;

const soonestFirst = sql`not ${valid}, expires_at nulls last, id`;

/** The keys of a tenant, those that end soonest first and those that have run out last. */
export async function listAllKeys(db: Db, tenant_id: string, filter: KeyFilter & { size: number; offset: number }) {
  const matching = sql`from api_keys where tenant_id = ${tenant_id} ${filteredBy(filter)}`;
  const [rows, total] = await Promise.all([
    db.rows<KeyRow>(sql`
      select ${columns} ${matching} order by ${filter.sort ? orderSql(listColumns, orderOf(listColumns, filter.sort, oldestFirst)) : soonestFirst}
      limit ${filter.size} offset ${filter.offset}`),
    countRows(db, matching),
  ]);
  return { rows, total };
}

export const findKey = (db: Db, workspace_id: string, id: string) =>
  db.row<StoredKey>(sql`
    select ${columns}, from_environment, line from api_keys where workspace_id = ${workspace_id} and id = ${id}`);

export const lockKey = (tx: Db, workspace_id: string, id: string) =>
  tx.row<StoredKey>(sql`
    select ${columns}, from_environment, line from api_keys where workspace_id = ${workspace_id} and id = ${id}
    for update`);

export const updateKey = (
  tx: Db,
  key: Pick<
    KeyRow,
    'id' | 'name' | 'permissions' | 'role_id' | 'expires_at' | 'rate_limit' | 'stream_limit' | 'reach'
  > & {
    workspace_id: string;
    owner: KeyOwner;
  },
) =>
  tx.one<KeyRow>(sql`
    update api_keys set name = ${key.name}, permissions = ${key.permissions}, role_id = ${key.role_id},
      expires_at = ${key.expires_at}, rate_limit = ${key.rate_limit}, reach = ${key.reach},
      stream_limit = ${key.stream_limit},
      (person_id, service_account_id) = row (${ownerColumns(key.owner)}),
      known_to = case when ${key.owner.kind} = 'person' and not ${key.owner.id}::uuid = any(known_to)
        then known_to || ${key.owner.id}::uuid else known_to end
    where workspace_id = ${key.workspace_id} and id = ${key.id}
    returning ${columns}`);

export const deleteKey = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from api_keys where workspace_id = ${workspace_id} and id = ${id}`);

/** Revokes the keys of a person. */
/** Keys that a person made and owns: one that was handed over has acted for others before. */
export const listKeyIdsOfPerson = async (db: Db, person_id: string) =>
  (
    await db.rows<{ id: string }>(sql`select id from api_keys
      where person_id = ${person_id} and created_by_kind = 'person' and created_by_id = ${person_id}`)
  ).map(({ id }) => id);

export const deleteKeysOfPerson = (tx: Db, person_id: string) =>
  tx.run(sql`delete from api_keys where person_id = ${person_id}`);

export const countKeysWithRole = async (db: Db, tenant_id: string, role_id: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from api_keys where tenant_id = ${tenant_id} and role_id = ${role_id}`)
  ).count;

export const setPermissionsOfRole = (db: Db, tenant_id: string, role_id: string, permissions: readonly Permission[]) =>
  db.run(sql`
    update api_keys set permissions = ${permissions} where tenant_id = ${tenant_id} and role_id = ${role_id}`);

/** An earlier end stays: rotating must never make a key live longer. */
export const expireKey = (db: Db, workspace_id: string, id: string, seconds: number) =>
  db.run(sql`
    update api_keys set expires_at = least(expires_at, now() + make_interval(secs => ${seconds}))
    where workspace_id = ${workspace_id} and id = ${id}`);

export const markUsed = (db: Db, used: ReadonlyMap<string, Date>) =>
  db.run(sql`
    update api_keys set last_used_at = used.at
    from unnest(${[...used.keys()]}::uuid[], ${[...used.values()]}::timestamptz[]) as used (id, at)
    where api_keys.id = used.id`);

/** The key of ATRIUM_ADMIN_KEY; a changed variable changes the one row there is. */
export const putEnvironmentKey = (db: Db, key: NewKey) =>
  db.run(sql`
    insert into api_keys (workspace_id, id, tenant_id, name, hash, hint, tenant_admin, permissions, from_environment,
      person_id, service_account_id)
    values (${key.workspace_id}, ${key.id}, ${key.tenant_id}, ${key.name}, ${key.hash}, ${key.hint},
            true, ${key.permissions}, true, ${ownerColumns(key.owner)})
    on conflict (from_environment) where from_environment do update set hash = excluded.hash, hint = excluded.hint`);

/** Whether there was one that no start has printed. */
export const renewUndisplayedKey = async (db: Db, hash: Buffer, hint: string): Promise<boolean> =>
  (await db.run(sql`update api_keys set hash = ${hash}, hint = ${hint} where awaits_display`)) > 0;

export const markKeyDisplayed = (db: Db) =>
  db.run(sql`update api_keys set awaits_display = false where awaits_display`);

export const deleteUndisplayedKey = (db: Db) => db.run(sql`delete from api_keys where awaits_display`);

export const findByHash = (db: Db, hash: Buffer) =>
  db.row<{ name: string; tenant_admin: boolean; has_expired: boolean }>(sql`
    select name, tenant_admin, not ${valid} as has_expired from api_keys where hash = ${hash}`);

export const deleteOtherEnvironmentKeys = (db: Db, hash: Buffer) =>
  db.run(sql`delete from api_keys where from_environment and hash <> ${hash}`);

export const releaseEnvironmentKey = (db: Db) =>
  db.run(sql`update api_keys set from_environment = false where from_environment`);

export const hasWorkspace = async (db: Db, tenant_id: string, workspace_id: string): Promise<boolean> =>
  (await db.row(sql`select 1 from workspaces where tenant_id = ${tenant_id} and id = ${workspace_id}`)) !== undefined;

/** The service account of the key of ATRIUM_ADMIN_KEY. */
export const findEnvironmentOwner = async (tx: Db) =>
  (await tx.row<{ id: string }>(sql`select ${ownerId} as id from api_keys where from_environment`))?.id;
