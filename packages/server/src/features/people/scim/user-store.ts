import type { Db } from '../../../db/database.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';
import type { Condition } from './filter.ts';

/** What a directory calls a person. */
export interface ScimNames {
  user_name: string;
  external_id: string | null;
  display_name: string | null;
  formatted_name: string | null;
  given_name: string | null;
  family_name: string | null;
}

/** A person that SCIM has made or taken over. */
export interface ScimUserRow extends ScimNames {
  id: string;
  name: string;
  email: string;
  active: boolean;
  tenant_admin: boolean;
  created_at: string;
  updated_at: string;
}

const columns = sql`p.id, p.name, p.email, p.active, p.tenant_admin, s.user_name, s.external_id, s.display_name,
  s.formatted_name, s.given_name, s.family_name, s.created_at, greatest(s.updated_at, p.updated_at) as updated_at`;

export const userFilters = ['username', 'externalid', 'emails', 'emails.value', 'id', 'active'];

function conditionOf({ attribute, value }: Condition): Sql {
  if (attribute === 'username') return sql`and lower(s.user_name) = lower(${value})`;
  if (attribute === 'externalid') return sql`and s.external_id = ${value}`;
  if (attribute === 'id') return sql`and p.id::text = lower(${value})`;
  if (attribute === 'active') return sql`and p.active::text = lower(${value})`;
  return sql`and lower(p.email) = lower(${value})`;
}
const all = (conditions: readonly Condition[], one: (condition: Condition) => Sql) =>
  conditions.map(one).reduce((text, next) => sql`${text} ${next}`, nothing);

export async function listUsers(
  db: Db,
  tenant_id: string,
  { conditions, limit, offset }: { conditions: readonly Condition[]; limit: number; offset: number },
) {
  const from = sql`from scim_users s join people p on p.id = s.person_id
    where s.tenant_id = ${tenant_id} ${all(conditions, conditionOf)}`;
  const [rows, count] = await Promise.all([
    db.rows<ScimUserRow>(sql`select ${columns} ${from} order by s.person_id limit ${limit} offset ${offset}`),
    db.one<{ total: number }>(sql`select count(*) as total ${from}`),
  ]);
  return { rows, total: count.total };
}

export const findUser = (db: Db, tenant_id: string, id: string) =>
  db.row<ScimUserRow>(sql`
    select ${columns} from scim_users s join people p on p.id = s.person_id
    where s.tenant_id = ${tenant_id} and s.person_id = ${id}`);

/** The person, locked until the transaction ends, so that changes of one person come one after another. */
export const lockUser = (tx: Db, tenant_id: string, id: string) =>
  tx.row<ScimUserRow>(sql`
    select ${columns} from scim_users s join people p on p.id = s.person_id
    where s.tenant_id = ${tenant_id} and s.person_id = ${id} for update of s`);

export const putUser = (tx: Db, tenant_id: string, person_id: string, row: ScimNames) =>
  tx.run(sql`
    insert into scim_users (person_id, tenant_id, user_name, external_id, display_name, formatted_name, given_name,
      family_name)
    values (${person_id}, ${tenant_id}, ${row.user_name}, ${row.external_id}, ${row.display_name},
      ${row.formatted_name}, ${row.given_name}, ${row.family_name})
    on conflict (person_id) do update set user_name = excluded.user_name, external_id = excluded.external_id,
      display_name = excluded.display_name, formatted_name = excluded.formatted_name, given_name = excluded.given_name,
      family_name = excluded.family_name, updated_at = now()`);

export const deleteUser = (tx: Db, person_id: string) =>
  tx.run(sql`delete from scim_users where person_id = ${person_id}`);

/** The groups of people that SCIM has made, by person. */
export const listGroupsOf = (db: Db, people: readonly string[]) =>
  db.rows<{ person_id: string; id: string; name: string }>(sql`
    select m.person_id, g.id, g.name from user_group_members m
    join scim_groups s on s.user_group_id = m.user_group_id join user_groups g on g.id = m.user_group_id
    where m.person_id = any(${[...people]}::uuid[]) order by g.name, g.id`);

/** Those of these ids that are people whom SCIM has made. */
export const knownUsers = async (db: Db, tenant_id: string, ids: readonly string[]) =>
  new Set(
    (
      await db.rows<{ person_id: string }>(sql`
        select person_id from scim_users where tenant_id = ${tenant_id} and person_id = any(${[...ids]}::uuid[])`)
    ).map(({ person_id }) => person_id),
  );
