import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** All that is stored of an account but secrets and hashes. */
export const readAccount = async (db: Db, tenant_id: string, id: string) =>
  (
    await db.row<{ account: unknown }>(sql`
      select json_build_object(
        'id', p.id, 'name', p.name, 'email', p.email, 'tenant_admin', p.tenant_admin, 'active', p.active,
        'last_sign_in_at', p.last_sign_in_at, 'created_at', p.created_at,
        'memberships', (select coalesce(json_agg(json_build_object('workspace_id', workspace_id, 'role_id', role_id,
          'since', created_at)), '[]') from members where person_id = p.id),
        'user_groups', (select coalesce(json_agg(user_group_id), '[]') from user_group_members where person_id = p.id),
        'identities', (select coalesce(json_agg(json_build_object('issuer', issuer, 'subject', subject, 'email', email)), '[]')
          from identities where person_id = p.id),
        'sessions', (select coalesce(json_agg(json_build_object('address', address, 'user_agent', user_agent,
          'created_at', created_at, 'used_at', used_at)), '[]') from sessions where person_id = p.id)
      ) as account
      from people p where p.tenant_id = ${tenant_id} and p.id = ${id}`)
  )?.account ?? null;

/** Deletes a person who was deactivated, with all that refers to them. One who was activated again stays. */
export const deletePerson = (db: Db, tenant_id: string, id: string) =>
  db.run(sql`delete from people where tenant_id = ${tenant_id} and id = ${id} and not active`);
