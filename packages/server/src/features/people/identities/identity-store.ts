import type { Identity } from '@atrium/contract/identity-providers/schema.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { endSessions } from '../sessions/store.ts';

export interface IdentityRow {
  id: string;
  person_id: string;
  provider_id: string;
  created_account: boolean;
}

/** Found by issuer and subject alone: other claims, such as the mail address, can be chosen by their bearer. */
export const findIdentity = (tx: Db, tenant_id: string, { issuer, subject }: Record<'issuer' | 'subject', string>) =>
  tx.row<IdentityRow>(sql`
    select id, person_id, provider_id, created_account from identities
    where tenant_id = ${tenant_id} and issuer = ${issuer} and subject = ${subject}`);

export const insertIdentity = (
  tx: Db,
  row: IdentityRow & { tenant_id: string; issuer: string; subject: string; email: string | null },
) =>
  tx.run(sql`
    insert into identities (id, tenant_id, person_id, provider_id, issuer, subject, email, created_account)
    values (${row.id}, ${row.tenant_id}, ${row.person_id}, ${row.provider_id}, ${row.issuer}, ${row.subject},
      ${row.email}, ${row.created_account})`);

export const markIdentityUsed = (tx: Db, id: string, email: string | null) =>
  tx.run(sql`update identities set last_sign_in_at = now(), email = ${email} where id = ${id}`);

export const listIdentities = (db: Db, person_id: string) =>
  db.rows<Identity>(sql`
    select i.id, i.provider_id as identity_provider_id, p.name as provider_name, i.issuer, i.subject, i.email,
      i.last_sign_in_at, i.created_at
    from identities i join identity_providers p on p.id = i.provider_id
    where i.person_id = ${person_id} order by i.created_at, i.id`);

export const deleteIdentity = (tx: Db, person_id: string, id: string) =>
  tx.row<{ provider_id: string }>(sql`
    delete from identities where person_id = ${person_id} and id = ${id} returning provider_id`);

export const hasIdentity = async (tx: Db, person_id: string) =>
  (await tx.row(sql`select id from identities where person_id = ${person_id} limit 1`)) !== undefined;

/** A sign-in that has left for a provider. */
export interface LoginRow {
  return_to: string;
  person_id: string | null;
  session_id: string | null;
}

export const insertLogin = (
  db: Db,
  row: LoginRow & { id: string; provider_id: string; browser_hash: Buffer; seconds: number },
) =>
  db.run(sql`
    insert into oidc_logins (id, provider_id, browser_hash, return_to, person_id, session_id, expires_at)
    values (${row.id}, ${row.provider_id}, ${row.browser_hash}, ${row.return_to}, ${row.person_id}, ${row.session_id},
      now() + make_interval(secs => ${row.seconds}))`);

/** Takes a sign-in away and returns it, so that no second answer finishes it. */
export const takeLogin = (db: Db, provider_id: string, browser_hash: Buffer) =>
  db.row<LoginRow>(sql`
    delete from oidc_logins where provider_id = ${provider_id} and browser_hash = ${browser_hash} and expires_at > now()
    returning return_to, person_id, session_id`);

export const deleteExpiredLogins = (db: Db) => db.run(sql`delete from oidc_logins where expires_at <= now()`);

export const insertOidcSession = (
  tx: Db,
  row: { session_id: string; tenant_id: string; provider_id: string; id_token: string | null },
) =>
  tx.run(sql`
    insert into oidc_sessions (session_id, tenant_id, provider_id, id_token)
    values (${row.session_id}, ${row.tenant_id}, ${row.provider_id}, ${row.id_token})`);

export const findOidcSession = (db: Db, session_id: string) =>
  db.row<{ tenant_id: string; provider_id: string; id_token: string | null }>(sql`
    select tenant_id, provider_id, id_token from oidc_sessions where session_id = ${session_id}`);

/** Ends the sessions that were started at a provider. */
export const deleteSessionsOf = (tx: Db, provider_id: string) =>
  endSessions(
    tx,
    'identity_provider',
    sql`using oidc_sessions o where o.session_id = s.id and o.provider_id = ${provider_id}`,
  );
