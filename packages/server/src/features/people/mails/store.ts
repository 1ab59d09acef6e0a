import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** The link that a mail brings, or the person whom it tells something: the mail goes with them. */
export type MailReason =
  | { link_id: string }
  /** `to_inactive`: the mail is sent although the person was deactivated. */
  | { person_id: string; to_inactive?: boolean };

export const insertMail = async (tx: Db, mail: { id: string; tenant_id: string; sealed: string } & MailReason) => {
  const { link_id, person_id, to_inactive } = { link_id: null, person_id: null, to_inactive: false, ...mail };
  await tx.run(sql`
    insert into outgoing_mails (id, tenant_id, link_id, person_id, to_inactive, sealed)
    values (${mail.id}, ${mail.tenant_id}, ${link_id}, ${person_id}, ${to_inactive}, ${mail.sealed})`);
  if (link_id) await tx.run(sql`update one_time_links set mailed = true where id = ${link_id}`);
};

/** The address of an active person. */
export const findAddress = (db: Db, tenant_id: string, person_id: string) =>
  db.row<{ email: string; name: string }>(sql`
    select email, name from people where tenant_id = ${tenant_id} and id = ${person_id} and active`);

/** A mail whose link still works, or whose person is still active or to be told all the same. */
export const findMail = (db: Db, id: string) =>
  db.row<{ tenant_id: string; sealed: string }>(sql`
    select m.tenant_id, m.sealed from outgoing_mails m left join one_time_links l on l.id = m.link_id
      left join people p on p.id = m.person_id
    where m.id = ${id} and (l.expires_at > now() or p.active or m.to_inactive)`);

export const deleteMail = (db: Db, id: string) => db.run(sql`delete from outgoing_mails where id = ${id}`);

/** Whether a link to set a password was mailed to a person a moment ago. */
export const hasFreshReset = async (tx: Db, person_id: string, seconds: number) =>
  (await tx.row(sql`
    select 1 from one_time_links where kind = 'reset' and person_id = ${person_id} and mailed
      and created_at > now() - make_interval(secs => ${seconds})`)) !== undefined;

/**
 * The account that a link may be mailed to: active, and with a password or made by a directory. Who signs in through a provider
 * alone gets no password this way: it would outlive the account there.
 */
export const findForReset = (tx: Db, email: string) =>
  tx.row<{ id: string; tenant_id: string; name: string; email: string }>(sql`
    select p.id, p.tenant_id, p.name, p.email from people p
    where lower(p.email) = lower(${email}) and p.active
      and (p.password_hash is not null or exists (select from scim_users s where s.person_id = p.id))
    for no key update of p`);
