import type { Invitation } from '@atrium/contract/people/schema.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface LinkRow {
  id: string;
  tenant_id: string;
  workspace_id: string | null;
  role_id: string | null;
  person_id: string | null;
  email: string | null;
}
export interface NewLink extends LinkRow {
  kind: 'claim' | 'invitation' | 'reset';
  token_hash: Buffer;
  seconds: number;
  mailed?: boolean;
  /** The person who invites. */
  invited_by?: string | null;
}

export const insertLink = async (tx: Db, row: NewLink) =>
  tx.one<{ expires_at: string; created_at: string }>(sql`
    insert into one_time_links (id, tenant_id, kind, token_hash, workspace_id, role_id, person_id, email, mailed,
      invited_by, expires_at)
    values (${row.id}, ${row.tenant_id}, ${row.kind}, ${row.token_hash}, ${row.workspace_id}, ${row.role_id},
      ${row.person_id}, ${row.email}, ${row.mailed ?? false}, ${row.invited_by ?? null}, now() + make_interval(secs => ${row.seconds}))
    returning expires_at, created_at`);

/** Takes a link away and returns it; undefined when there is none, or its time is over. No second caller can take it then. */
export const takeLink = (tx: Db, kind: NewLink['kind'], token_hash: Buffer) =>
  tx.row<LinkRow>(sql`
    delete from one_time_links where kind = ${kind} and token_hash = ${token_hash} and expires_at > now()
    returning id, tenant_id, workspace_id, role_id, person_id, email`);

/** A link that could be taken now. */
export const findLink = (db: Db, kind: NewLink['kind'], token_hash: Buffer) =>
  db.row<LinkRow>(sql`
    select id, tenant_id, workspace_id, role_id, person_id, email from one_time_links
    where kind = ${kind} and token_hash = ${token_hash} and expires_at > now()`);

/** An invitation that could be accepted now, with the name of who invites. */
export const findInvitation = (db: Db, token_hash: Buffer) =>
  db.row<{
    tenant_id: string;
    workspace_id: string | null;
    role_id: string;
    email: string;
    expires_at: string;
    inviter_name: string | null;
  }>(sql`
    select l.tenant_id, l.workspace_id, l.role_id, l.email, l.expires_at, p.name as inviter_name
    from one_time_links l left join people p on p.id = l.invited_by
    where l.kind = 'invitation' and l.token_hash = ${token_hash} and l.expires_at > now()`);

export const deleteClaims = (tx: Db) => tx.run(sql`delete from one_time_links where kind = 'claim'`);
export const deleteResets = (tx: Db, person_id: string) =>
  tx.run(sql`delete from one_time_links where kind = 'reset' and person_id = ${person_id}`);
/** Anybody can ask for a mailed link: that must not end one which an administrator made. */
export const deleteMailedResets = (tx: Db, person_id: string) =>
  tx.run(sql`delete from one_time_links where kind = 'reset' and person_id = ${person_id} and mailed`);

export const listInvitations = (db: Db, workspace_id: string) =>
  db.rows<Omit<Invitation, 'token'>>(sql`
    select id, workspace_id as group_id, email, role_id, mailed, expires_at, created_at from one_time_links
    where kind = 'invitation' and workspace_id = ${workspace_id} and expires_at > now() order by id`);

/** Deletes the open invitations of an address to a workspace, or to all of the tenant. */
export const deleteInvitationsFor = (tx: Db, tenant_id: string, workspace_id: string | null, email: string) =>
  tx.run(sql`
    delete from one_time_links where kind = 'invitation' and tenant_id = ${tenant_id} and lower(email) = lower(${email})
      and (${workspace_id}::uuid is null or workspace_id = ${workspace_id})`);
/** The same for many people, each with a workspace. */
export const deleteInvitationsOfPeople = (tx: Db, pairs: readonly { person_id: string; workspace_id: string }[]) =>
  tx.run(sql`
    delete from one_time_links l
    using unnest(${pairs.map(({ person_id }) => person_id)}::uuid[],
      ${pairs.map(({ workspace_id }) => workspace_id)}::uuid[]) as pair (person_id, workspace_id)
    join people p on p.id = pair.person_id
    where l.kind = 'invitation' and l.tenant_id = p.tenant_id and l.workspace_id = pair.workspace_id
      and lower(l.email) = lower(p.email)`);
export const deleteExpiredLinks = (db: Db) => db.run(sql`delete from one_time_links where expires_at <= now()`);

export const deleteInvitation = (tx: Db, workspace_id: string, id: string) =>
  tx.run(sql`
    delete from one_time_links where kind = 'invitation' and workspace_id = ${workspace_id} and id = ${id}`);
