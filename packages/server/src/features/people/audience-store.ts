import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** What documents with rights know an active person by in a workspace: their groups, and all roles they have in it. */
export const findGroupsAndRolesOf = (db: Db, workspace_id: string, person_id: string) =>
  db.rows<{ kind: 'role' | 'user_group' | 'person'; id: string }>(sql`
    with own as (
      select user_group_id from user_group_members where person_id = ${person_id})
    select found.kind, found.id from people p cross join lateral (
      select 'person' as kind, p.id
      union all
      select 'role', role_id from members where workspace_id = ${workspace_id} and person_id = p.id
      union all
      select 'role', role_id from member_groups
      where workspace_id = ${workspace_id} and user_group_id in (select user_group_id from own)
      union all
      select 'user_group', user_group_id from own) found
    where p.id = ${person_id} and p.active`);

/** Those of these people who belong to the workspace or administer the organization, and of these groups of the organization. */
export const findPeopleAndGroups = (
  db: Db,
  { tenant_id, workspace_id }: { tenant_id: string; workspace_id: string },
  { people, groups }: { people: readonly string[]; groups: readonly string[] },
) =>
  db.rows<{ kind: 'user_group' | 'person'; id: string }>(sql`
    select 'person' as kind, r.person_id as id from person_rights r
    where r.tenant_id = ${tenant_id} and r.workspace_id = ${workspace_id} and r.person_id = any(${people}::uuid[])
    union all
    select 'user_group', id from user_groups where tenant_id = ${tenant_id} and id = any(${groups}::uuid[])`);
