import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { MemberGroup, UserGroup, UserGroupMember } from '@atrium/contract/user-groups/schema.ts';
import type { Db } from '../../../db/database.ts';
import { versionColumns } from '../../../db/etag.ts';
import { type ListColumns, listConditions } from '../../../db/list-query.ts';
import { readPage } from '../../../db/read-page.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';
import type { RecordVersion } from '../../../lib/scope.ts';

const memberCount = sql`(select count(*) from user_group_members c where c.user_group_id = g.id) as member_count`;
const columns = sql`g.id, g.name, ${memberCount}, g.created_at, g.updated_at, g.etag::text as etag`;

/** Only the groups that are members of a workspace; all of the tenant for null. */
const memberOf = (workspace_id: string | null): Sql =>
  workspace_id === null
    ? nothing
    : sql`and exists (select from member_groups w where w.user_group_id = g.id and w.workspace_id = ${workspace_id})`;

const listColumns: ListColumns = {
  id: sql`g.id`,
  created_at: sql`g.created_at`,
  updated_at: sql`g.updated_at`,
  search: [sql`g.name`],
  sort: { name: sql`lower(g.name)`, updated_at: sql`g.updated_at` },
};

export async function listUserGroups(
  db: Db,
  tenant_id: string,
  { workspace_id, ...filter }: ListFilter & { workspace_id: string | null },
  window: PageWindow,
) {
  const where = sql`g.tenant_id = ${tenant_id} ${memberOf(workspace_id)} ${listConditions(listColumns, filter)}`;
  const order = { by: sql`g.name`, down: false };
  return readPage<UserGroup>(db, { columns, from: sql`user_groups g`, where, list: listColumns, order, window });
}

export const findUserGroup = (db: Db, tenant_id: string, id: string, workspace_id: string | null = null) =>
  db.row<UserGroup>(sql`
    select ${columns} from user_groups g where g.tenant_id = ${tenant_id} and g.id = ${id} ${memberOf(workspace_id)}`);

/** The group, locked until the transaction ends: changes of its people and of its roles come one after another. */
export const lockUserGroup = (tx: Db, tenant_id: string, id: string) =>
  tx.row<{ id: string; name: string }>(sql`
    select id, name from user_groups where tenant_id = ${tenant_id} and id = ${id} for update`);

export const insertUserGroup = (tx: Db, { tenant_id, id, name }: { tenant_id: string; id: string; name: string }) =>
  tx.one<UserGroup>(sql`
    insert into user_groups as g (id, tenant_id, name) values (${id}, ${tenant_id}, ${name}) returning ${columns}`);

export const renameUserGroup = (tx: Db, id: string, name: string) =>
  tx.one<UserGroup>(sql`
    update user_groups g set name = ${name}, updated_at = now() where id = ${id} returning ${columns}`);

export const deleteUserGroup = (tx: Db, id: string) => tx.run(sql`delete from user_groups where id = ${id}`);

const memberColumns = sql`m.person_id, p.name, p.email, p.active, m.created_at`;

export const listMembers = (db: Db, user_group_id: string, window: PageWindow) =>
  readPage<UserGroupMember>(db, {
    columns: memberColumns,
    from: sql`user_group_members m join people p on p.id = m.person_id`,
    ...{ counted: sql`user_group_members m`, where: sql`m.user_group_id = ${user_group_id}`, window },
    ...{ list: { id: sql`p.id`, created_at: sql`m.created_at` }, order: { by: sql`p.name`, down: false } },
  });

export const findMember = (db: Db, user_group_id: string, person_id: string) =>
  db.row<UserGroupMember>(sql`
    select ${memberColumns} from user_group_members m join people p on p.id = m.person_id
    where m.user_group_id = ${user_group_id} and m.person_id = ${person_id}`);

export const listMemberIds = async (db: Db, user_group_id: string) =>
  (
    await db.rows<{ person_id: string }>(sql`
      select person_id from user_group_members where user_group_id = ${user_group_id}`)
  ).map(({ person_id }) => person_id);

export const insertMembers = (tx: Db, user_group_id: string, people: readonly string[]) =>
  tx.run(sql`
    insert into user_group_members (user_group_id, person_id)
    select ${user_group_id}, own.person_id from unnest(${[...people]}::uuid[]) as own (person_id)
    on conflict do nothing`);

export const deleteMembers = (tx: Db, user_group_id: string, people: readonly string[]) =>
  tx.run(sql`
    delete from user_group_members
    where user_group_id = ${user_group_id} and person_id = any(${[...people]}::uuid[])`);

/** A group as a member of a workspace, without what its role has. */
export type MemberGroupRow = Omit<MemberGroup, 'role_name' | 'permissions'>;
const memberGroupColumns = sql`w.user_group_id, g.name, ${memberCount}, w.role_id, w.created_at, w.etag::text as etag`;

export const listMemberGroups = (db: Db, workspace_id: string) =>
  db.rows<MemberGroupRow>(sql`
    select ${memberGroupColumns} from member_groups w join user_groups g on g.id = w.user_group_id
    where w.workspace_id = ${workspace_id} order by g.name, g.id`);

export const findMemberGroup = (db: Db, workspace_id: string, user_group_id: string) =>
  db.row<MemberGroupRow>(sql`
    select ${memberGroupColumns} from member_groups w join user_groups g on g.id = w.user_group_id
    where w.workspace_id = ${workspace_id} and w.user_group_id = ${user_group_id}`);

/** The version of a group as a member, which stays until the transaction ends. */
export const lockMemberGroupVersion = (tx: Db, workspace_id: string, user_group_id: string) =>
  tx.row<RecordVersion>(sql`
    select ${versionColumns} from member_groups
    where workspace_id = ${workspace_id} and user_group_id = ${user_group_id} for no key update`);

export const putMemberGroup = (
  tx: Db,
  row: Record<'tenant_id' | 'workspace_id' | 'user_group_id' | 'role_id', string>,
) =>
  tx.run(sql`
    insert into member_groups (workspace_id, user_group_id, tenant_id, role_id)
    values (${row.workspace_id}, ${row.user_group_id}, ${row.tenant_id}, ${row.role_id})
    on conflict (workspace_id, user_group_id) do update set role_id = excluded.role_id`);

export const deleteMemberGroup = (tx: Db, workspace_id: string, user_group_id: string) =>
  tx.run(sql`
    delete from member_groups where workspace_id = ${workspace_id} and user_group_id = ${user_group_id}`);
