import type { Db } from '../../../db/database.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';
import type { Condition } from './filter.ts';

/** A user group that SCIM has made or taken over. */
export interface ScimGroupRow {
  id: string;
  name: string;
  external_id: string | null;
  created_at: string;
  updated_at: string;
}

const columns = sql`g.id, g.name, s.external_id, s.created_at, greatest(s.updated_at, g.updated_at) as updated_at`;

export const groupFilters = ['displayname', 'externalid', 'id', 'members', 'members.value'];

function conditionOf({ attribute, value }: Condition): Sql {
  if (attribute === 'displayname') return sql`and lower(g.name) = lower(${value})`;
  if (attribute === 'externalid') return sql`and s.external_id = ${value}`;
  if (attribute === 'id') return sql`and g.id::text = lower(${value})`;
  return sql`and exists (
    select from user_group_members m join scim_users u on u.person_id = m.person_id
    where m.user_group_id = g.id and m.person_id::text = lower(${value}))`;
}

export async function listGroups(
  db: Db,
  tenant_id: string,
  { conditions, limit, offset }: { conditions: readonly Condition[]; limit: number; offset: number },
) {
  const matching = conditions.map(conditionOf).reduce((text, next) => sql`${text} ${next}`, nothing);
  const from = sql`from scim_groups s join user_groups g on g.id = s.user_group_id
    where s.tenant_id = ${tenant_id} ${matching}`;
  const [rows, count] = await Promise.all([
    db.rows<ScimGroupRow>(sql`select ${columns} ${from} order by s.user_group_id limit ${limit} offset ${offset}`),
    db.one<{ total: number }>(sql`select count(*) as total ${from}`),
  ]);
  return { rows, total: count.total };
}

export const findGroup = (db: Db, tenant_id: string, id: string) =>
  db.row<ScimGroupRow>(sql`
    select ${columns} from scim_groups s join user_groups g on g.id = s.user_group_id
    where s.tenant_id = ${tenant_id} and s.user_group_id = ${id}`);

/** A group by its name that SCIM has not made, to be taken over. */
export const findUnlinkedGroup = (tx: Db, tenant_id: string, name: string) =>
  tx.row<{ id: string }>(sql`
    select g.id from user_groups g where g.tenant_id = ${tenant_id} and lower(g.name) = lower(${name})
      and not exists (select from scim_groups s where s.user_group_id = g.id)`);

export const putGroup = (tx: Db, tenant_id: string, user_group_id: string, external_id: string | null) =>
  tx.run(sql`
    insert into scim_groups (user_group_id, tenant_id, external_id) values (${user_group_id}, ${tenant_id}, ${external_id})
    on conflict (user_group_id) do update set external_id = excluded.external_id, updated_at = now()`);

/** The people of groups whom SCIM has made; it does not see others who were put into them by hand. */
export const listGroupMembers = (db: Db, groups: readonly string[]) =>
  db.rows<{ user_group_id: string; person_id: string; name: string }>(sql`
    select m.user_group_id, m.person_id, p.name from user_group_members m
    join scim_users s on s.person_id = m.person_id join people p on p.id = m.person_id
    where m.user_group_id = any(${[...groups]}::uuid[]) order by p.name, p.id`);

/** The groups that SCIM has made and a person is in. */
export const listGroupIdsOf = async (tx: Db, person_id: string) =>
  (
    await tx.rows<{ user_group_id: string }>(sql`
      select m.user_group_id from user_group_members m join scim_groups s on s.user_group_id = m.user_group_id
      where m.person_id = ${person_id} order by m.user_group_id`)
  ).map(({ user_group_id }) => user_group_id);
