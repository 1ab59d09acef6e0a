import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Member, Person } from '@atrium/contract/people/schema.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import { versionColumns } from '../../db/etag.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { sql } from '../../db/sql.ts';
import type { RecordVersion } from '../../lib/scope.ts';

const columns = sql`id, name, email, tenant_admin, active, rate_limit, stream_limit, last_sign_in_at, created_at, updated_at, etag::text as etag,
  exists (select from second_factors f where f.person_id = people.id and f.confirmed_at is not null) as second_factor`;

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  search: [sql`name`, sql`email`],
  sort: { name: sql`lower(name)`, email: sql`lower(email)`, updated_at: sql`updated_at` },
};

export async function listPeople(db: Db, tenant_id: string, filter: ListFilter, window: PageWindow) {
  const where = sql`tenant_id = ${tenant_id} ${listConditions(listColumns, filter)}`;
  const order = { by: sql`name`, down: false };
  return readPage<Person>(db, { columns, from: sql`people`, where, list: listColumns, order, window });
}

export const findPerson = (db: Db, tenant_id: string, id: string) =>
  db.row<Person>(sql`select ${columns} from people where tenant_id = ${tenant_id} and id = ${id}`);

export const findNames = async (db: Db, tenant_id: string, ids: readonly string[]) =>
  new Map(
    (
      await db.rows<{ id: string; name: string }>(sql`
        select id, name from people where tenant_id = ${tenant_id} and id = any(${[...ids]}::uuid[])`)
    ).map(({ id, name }) => [id, name]),
  );

export const insertPerson = (
  tx: Db,
  tenant_id: string,
  row: Pick<Person, 'id' | 'name' | 'email' | 'tenant_admin'> & { password_hash: string | null },
) =>
  tx.one<Person>(sql`
    insert into people (id, tenant_id, name, email, tenant_admin, password_hash)
    values (${row.id}, ${tenant_id}, ${row.name}, ${row.email}, ${row.tenant_admin}, ${row.password_hash})
    returning ${columns}`);

export const updatePerson = (
  tx: Db,
  tenant_id: string,
  person: Pick<Person, 'id' | 'name' | 'active' | 'tenant_admin' | 'rate_limit' | 'stream_limit'> & {
    email?: string | undefined;
  },
) =>
  tx.one<Person>(sql`
    update people set name = ${person.name}, email = coalesce(${person.email ?? null}, email), active = ${person.active},
      tenant_admin = ${person.tenant_admin}, rate_limit = ${person.rate_limit}, stream_limit = ${person.stream_limit},
      updated_at = now()
    where tenant_id = ${tenant_id} and id = ${person.id}
    returning ${columns}`);

/** The active administrators of a tenant, locked so that two of them can't step down at the same moment. */
export const lockAdministrators = async (tx: Db, tenant_id: string) =>
  (
    await tx.rows<{ id: string }>(sql`
      select id from people where tenant_id = ${tenant_id} and tenant_admin and active order by id
      for no key update`)
  ).map(({ id }) => id);

export const hasPeople = async (db: Db) =>
  (await db.row<{ id: string }>(sql`select id from people limit 1`)) !== undefined;

export interface PersonWithPassword extends Person {
  tenant_id: string;
  password_hash: string | null;
}
export const findByEmail = (db: Db, email: string) =>
  db.row<PersonWithPassword>(sql`
    select ${columns}, tenant_id, password_hash from people where lower(email) = lower(${email})`);
export const findWithPassword = (db: Db, id: string) =>
  db.row<PersonWithPassword>(sql`select ${columns}, tenant_id, password_hash from people where id = ${id}`);

/** The account, unchanged until the transaction ends. */
export const lockWithPassword = (tx: Db, id: string) =>
  tx.row<PersonWithPassword>(sql`select ${columns}, tenant_id, password_hash from people where id = ${id}
    for no key update`);

export const setPassword = (tx: Db, id: string, password_hash: string) =>
  tx.run(sql`update people set password_hash = ${password_hash}, updated_at = now() where id = ${id}`);
export const markSignedIn = (tx: Db, id: string) =>
  tx.run(sql`update people set last_sign_in_at = now() where id = ${id}`);

/** A member as stored; the role has its name and permissions. */
export interface MemberRow
  extends Pick<
    Member,
    | 'person_id'
    | 'name'
    | 'email'
    | 'active'
    | 'tenant_admin'
    | 'role_id'
    | 'source_provider_id'
    | 'created_at'
    | 'etag'
  > {}
const memberColumns = sql`m.person_id, p.name, p.email, p.active, p.tenant_admin, m.role_id, m.source_provider_id, m.created_at,
  m.etag::text as etag`;

export const listMembers = (db: Db, workspace_id: string) =>
  db.rows<MemberRow>(sql`
    select ${memberColumns} from members m join people p on p.id = m.person_id
    where m.workspace_id = ${workspace_id} order by p.name, p.id`);

export const findMember = (db: Db, workspace_id: string, person_id: string) =>
  db.row<MemberRow>(sql`
    select ${memberColumns} from members m join people p on p.id = m.person_id
    where m.workspace_id = ${workspace_id} and m.person_id = ${person_id}`);

/** The version of a membership, which stays until the transaction ends. */
export const lockMemberVersion = async (tx: Db, workspace_id: string, person_id: string) => {
  // Two requests that would both create the membership come one after another.
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`members ${workspace_id} ${person_id}`}, 0))`);
  return tx.row<RecordVersion>(sql`
    select ${versionColumns} from members where workspace_id = ${workspace_id} and person_id = ${person_id}
    for no key update`);
};

/** Makes a membership by hand; one that a provider gave becomes one of these. */
export const putMember = (
  tx: Db,
  {
    tenant_id,
    workspace_id,
    person_id,
    role_id,
  }: Record<'tenant_id' | 'workspace_id' | 'person_id' | 'role_id', string>,
) =>
  tx.run(sql`
    insert into members (workspace_id, person_id, tenant_id, role_id)
    values (${workspace_id}, ${person_id}, ${tenant_id}, ${role_id})
    on conflict (workspace_id, person_id) do update set role_id = excluded.role_id, source_provider_id = null`);

export const deleteMember = (tx: Db, workspace_id: string, person_id: string) =>
  tx.run(sql`delete from members where workspace_id = ${workspace_id} and person_id = ${person_id}`);

/** The workspaces of a person with what they hold in each: the one joined first at the front, those not joined last. */
export const listRights = (db: Db, person_id: string) =>
  db.rows<{ workspace_id: string; permissions: Permission[] }>(sql`
    select r.workspace_id, r.permissions from person_rights r left join (
      select workspace_id, min(created_at) as created_at from (
        select workspace_id, created_at from members where person_id = ${person_id}
        union all
        select g.workspace_id, greatest(g.created_at, m.created_at)
        from user_group_members m join member_groups g on g.user_group_id = m.user_group_id
        where m.person_id = ${person_id}
      ) as ways group by workspace_id
    ) as joined on joined.workspace_id = r.workspace_id
    where r.person_id = ${person_id} order by joined.created_at nulls last, r.workspace_id`);

/** Whether a person holds one of these permissions in a workspace. */
export const personHolds = async (
  db: Db,
  workspace_id: string,
  person_id: string,
  permissions: readonly Permission[],
) =>
  (await db.row(sql`
    select 1 from person_rights where workspace_id = ${workspace_id} and person_id = ${person_id}
      and permissions && ${[...permissions]}::text[]`)) !== undefined;

/** Active people who hold one of these permissions in a workspace. */
export const findHolders = async (
  db: Db,
  workspace_id: string,
  permissions: readonly Permission[],
  limit: number,
): Promise<string[]> =>
  (
    await db.rows<{ person_id: string }>(sql`
      select person_id from person_rights where workspace_id = ${workspace_id}
        and permissions && ${[...permissions]}::text[] order by person_id limit ${limit}`)
  ).map(({ person_id }) => person_id);

export const findCreatedAt = async (db: Db, tenant_id: string, id: string) =>
  (await findPerson(db, tenant_id, id))?.created_at;

/** Whether a person is active; nothing changes the account until the transaction ends. */
export const lockActivePerson = async (tx: Db, tenant_id: string, id: string) =>
  (await tx.row(sql`
    select 1 from people where tenant_id = ${tenant_id} and id = ${id} and active for share`)) !== undefined;
