import type { EndReason, Session } from '@atrium/contract/sessions/schema.ts';
import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';

export interface NewSession {
  id: string;
  person_id: string;
  token_hash: Buffer;
  address: string | null;
  user_agent: string | null;
  seconds: number;
}

export const insertSession = (tx: Db, row: NewSession) =>
  tx.one<{ expires_at: string }>(sql`
    insert into sessions (id, person_id, token_hash, address, user_agent, expires_at)
    values (${row.id}, ${row.person_id}, ${row.token_hash}, ${row.address}, ${row.user_agent},
      now() + make_interval(secs => ${row.seconds}))
    returning expires_at`);

const mustEnrol = sql`(
  coalesce(y.second_factor_required, false)
  and not exists (select from second_factors f where f.person_id = s.person_id and f.confirmed_at is not null)
  and (y.second_factor_for_identity_providers or not exists (select from oidc_sessions o where o.session_id = s.id)))`;

/** A session that has not ended, with its person. */
export interface ResolvedSession {
  id: string;
  person_id: string;
  name: string;
  tenant_id: string;
  tenant_admin: boolean;
  rate_limit: number | null;
  stream_limit: number | null;
  used_at: string;
  expires_at: string;
  /** The organization requires a second factor for this session, and the person has none. */
  must_enrol: boolean;
}
export const resolveSession = (db: Db, token_hash: Buffer) =>
  db.row<ResolvedSession>(sql`
    select s.id, s.person_id, p.name, p.tenant_id, p.tenant_admin, p.rate_limit, p.stream_limit,
      s.used_at, s.expires_at, ${mustEnrol} as must_enrol
    from sessions s join people p on p.id = s.person_id left join sign_in_policies y on y.tenant_id = p.tenant_id
    where s.token_hash = ${token_hash} and s.expires_at > now() and p.active`);

/** Never moves a time back: nodes write theirs in any order. */
export const markUsed = (db: Db, ids: readonly string[], times: readonly Date[]) =>
  db.run(sql`
    update sessions s set used_at = greatest(s.used_at, u.at)
    from unnest(${[...ids]}::uuid[], ${times.map((time) => time.toISOString())}::timestamptz[]) as u (id, at)
    where s.id = u.id`);

const isLive = (idle_seconds: number) =>
  sql`expires_at > now() and used_at > now() - make_interval(secs => ${idle_seconds})`;

export const listSessions = (db: Db, person_id: string, idle_seconds: number) =>
  db.rows<Omit<Session, 'current'>>(sql`
    select id, address, user_agent, used_at, expires_at, created_at from sessions
    where person_id = ${person_id} and ${isLive(idle_seconds)} order by created_at desc, id desc`);

export const findExpiry = (db: Db, id: string) =>
  db.row<{ expires_at: string; must_enrol: boolean }>(sql`
    select s.expires_at, ${mustEnrol} as must_enrol from sessions s join people p on p.id = s.person_id
      left join sign_in_policies y on y.tenant_id = p.tenant_id
    where s.id = ${id}`);

/** Deletes sessions, and keeps why for the browsers that still send their tokens. */
export const endSessions = (tx: Db, reason: EndReason, which: Sql) =>
  tx.run(sql`
    with gone as (delete from sessions s ${which} returning s.token_hash)
    insert into ended_sessions (token_hash, reason) select token_hash, ${reason} from gone
    on conflict (token_hash) do nothing`);

/** The session of a browser that signs out itself: it gives its token up, and needs no reason. */
export const deleteSession = (tx: Db, person_id: string, id: string) =>
  tx.run(sql`delete from sessions where person_id = ${person_id} and id = ${id}`);

export const endSession = (tx: Db, person_id: string, id: string, reason: EndReason) =>
  endSessions(tx, reason, sql`where s.person_id = ${person_id} and s.id = ${id}`);

export const deleteSessions = (tx: Db, person_id: string, except: string | null, reason: EndReason) =>
  endSessions(tx, reason, sql`where s.person_id = ${person_id} and s.id is distinct from ${except}::uuid`);

export const deleteSessionsOf = (tx: Db, people: readonly string[], reason: EndReason) =>
  endSessions(tx, reason, sql`where s.person_id = any(${[...people]}::uuid[])`);

export const deleteEndedSessions = async (db: Db, idle_seconds: number) => {
  await db.run(sql`delete from ended_sessions where ended_at < now() - interval '30 days'`);
  return endSessions(db, 'expired', sql`where not (${isLive(idle_seconds)})`);
};

/** Why the session of a token has ended; undefined when it has not, or nothing is known of it. */
export const findEndReason = async (db: Db, token_hash: Buffer, idle_seconds: number) =>
  (
    await db.row<{ reason: EndReason }>(sql`
      select reason from ended_sessions where token_hash = ${token_hash}
      union all
      select 'expired' from sessions where token_hash = ${token_hash} and not (${isLive(idle_seconds)})`)
  )?.reason;
