import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface Rights {
  person_id: string;
  workspace_id: string;
  permissions: Permission[];
}

/** What people hold now, in every workspace: by roles of their own and of their user groups. */
export const listRightsOfPeople = (db: Db, people: readonly string[]) =>
  db.rows<Rights>(sql`
    select person_id, workspace_id, permissions from person_rights where person_id = any(${[...people]}::uuid[])`);

/** How many people and user groups have a role in a workspace. */
export const countMembersWithRole = async (tx: Db, tenant_id: string, role_id: string) =>
  (
    await tx.one<{ count: number }>(sql`
      select (select count(*) from members where tenant_id = ${tenant_id} and role_id = ${role_id})
        + (select count(*) from member_groups where tenant_id = ${tenant_id} and role_id = ${role_id}) as count`)
  ).count;

/**
 * The roles that people have in any workspace, by themselves and by user groups, also of those who are deactivated. A person
 * without a role has one row.
 */
export const listRolesOfPeople = (db: Db, people: readonly string[]) =>
  db.rows<{ tenant_admin: boolean; role_id: string | null }>(sql`
    select distinct p.tenant_admin, given.role_id from people p left join (
      select person_id, role_id from members
      union all
      select m.person_id, g.role_id from member_groups g join user_group_members m on m.user_group_id = g.user_group_id
    ) as given on given.person_id = p.id
    where p.id = any(${[...people]}::uuid[])`);

/** The roles that a user group has in any workspace. */
export const listRoleIdsOfGroup = async (db: Db, user_group_id: string) =>
  (
    await db.rows<{ role_id: string }>(sql`
      select distinct role_id from member_groups where user_group_id = ${user_group_id}`)
  ).map(({ role_id }) => role_id);
