import type { Db } from '../../db/database.ts';
import { containsText } from '../../db/list-query.ts';
import { nothing, type Sql, sql } from '../../db/sql.ts';

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

export interface AudienceFilter {
  search?: string | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
  limit: number;
}

const named = ({ search, ids }: AudienceFilter, id: Sql, name: Sql) => sql`
  ${search === undefined ? nothing : sql`and ${containsText(name, search)}`}
  ${ids === undefined ? nothing : sql`and ${id} = any(${[...ids]}::uuid[])`}`;

/** The active people who hold anything in a workspace, by name. */
export const findPeopleOfWorkspace = (
  db: Db,
  { tenant_id, workspace_id }: { tenant_id: string; workspace_id: string },
  filter: AudienceFilter,
) =>
  db.rows<{ id: string; name: string }>(sql`
    select p.id, p.name from person_rights r join people p on p.id = r.person_id
    where r.tenant_id = ${tenant_id} and r.workspace_id = ${workspace_id} ${named(filter, sql`p.id`, sql`p.name`)}
    order by lower(p.name), p.id limit ${filter.limit}`);

/** The groups that are members of a workspace, by name. */
export const findGroupsOfWorkspace = (
  db: Db,
  { tenant_id, workspace_id }: { tenant_id: string; workspace_id: string },
  filter: AudienceFilter,
) =>
  db.rows<{ id: string; name: string }>(sql`
    select g.id, g.name from member_groups m join user_groups g on g.id = m.user_group_id
    where m.tenant_id = ${tenant_id} and m.workspace_id = ${workspace_id} ${named(filter, sql`g.id`, sql`g.name`)}
    order by lower(g.name), g.id limit ${filter.limit}`);
