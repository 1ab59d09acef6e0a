import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** A membership of a person, and the provider that gave it. */
export interface GivenMembership {
  workspace_id: string;
  role_id: string;
  source_provider_id: string | null;
}

/** The memberships of a person, unchanged until the transaction ends. */
export const lockMemberships = (tx: Db, person_id: string) =>
  tx.rows<GivenMembership>(sql`
    select workspace_id, role_id, source_provider_id from members where person_id = ${person_id}
    order by workspace_id for update`);

/** Gives a membership, or changes the role of one that the same provider gave. One made by hand stays. */
export const giveMembership = (
  tx: Db,
  row: Record<'tenant_id' | 'workspace_id' | 'person_id' | 'role_id' | 'provider_id', string>,
) =>
  tx.run(sql`
    insert into members (workspace_id, person_id, tenant_id, role_id, source_provider_id)
    values (${row.workspace_id}, ${row.person_id}, ${row.tenant_id}, ${row.role_id}, ${row.provider_id})
    on conflict (workspace_id, person_id) do update set role_id = excluded.role_id
      where members.source_provider_id = excluded.source_provider_id`);

export const takeMembership = (
  tx: Db,
  { workspace_id, person_id, provider_id }: Record<'workspace_id' | 'person_id' | 'provider_id', string>,
) =>
  tx.run(sql`
    delete from members where workspace_id = ${workspace_id} and person_id = ${person_id}
      and source_provider_id = ${provider_id}`);

/** Takes all memberships of a person that a provider gave. */
export const takeMembershipsOf = (tx: Db, person_id: string, provider_id: string) =>
  tx.run(sql`delete from members where person_id = ${person_id} and source_provider_id = ${provider_id}`);

/** The people who have a membership that a provider gave. */
export const listPeopleFrom = async (tx: Db, provider_id: string) =>
  (
    await tx.rows<{ person_id: string }>(sql`
      select distinct person_id from members where source_provider_id = ${provider_id}`)
  ).map(({ person_id }) => person_id);

/** Takes the memberships that a provider gave and no entry of its mapping gives any more. */
export const takeUnmapped = (tx: Db, provider_id: string) =>
  tx.run(sql`
    delete from members m where m.source_provider_id = ${provider_id} and not exists (
      select from identity_provider_mappings g where g.provider_id = ${provider_id}
        and g.workspace_id = m.workspace_id and g.role_id = m.role_id)`);

/** Takes every membership that a provider gave. */
export const takeAllOf = (tx: Db, provider_id: string) =>
  tx.run(sql`delete from members where source_provider_id = ${provider_id}`);
