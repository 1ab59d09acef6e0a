import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A key is known by its workspace, the caller that used it, and its text. */
export interface KeyName {
  workspace_id: string;
  actor_id: string;
  key: string;
}

export interface StoredRequest {
  fingerprint: Buffer;
  status: number | null;
  answer: string | null;
}

/** A request's hold on a key; another's `claim` differs. */
export interface Claim extends KeyName {
  claim: string;
}

const matches = ({ workspace_id, actor_id, key }: KeyName) =>
  sql`workspace_id = ${workspace_id} and actor_id = ${actor_id} and key = ${key}`;

/** While no answer is stored, only for the request that still holds the key. */
const isHeld = ({ claim, ...name }: Claim) => sql`${matches(name)} and claim = ${claim} and status is null`;

/**
 * False when another request holds the key. A claim that is not renewed is stale after 15 s, that of an older program,
 * which renews none, after 150 s, an answer after a day.
 */
export const claimKey = async (db: Db, { workspace_id, actor_id, key, claim }: Claim, fingerprint: Buffer) =>
  (await db.row(sql`
    insert into idempotency_keys as kept (workspace_id, actor_id, key, fingerprint, claim)
    values (${workspace_id}, ${actor_id}, ${key}, ${fingerprint}, ${claim})
    on conflict (workspace_id, actor_id, key) do update
      set fingerprint = excluded.fingerprint, claim = excluded.claim, status = null, answer = null, created_at = now()
      where kept.created_at < now() - interval '24 hours'
         or (kept.status is null and kept.created_at < now()
           - case when kept.claim is null then interval '150 seconds' else interval '15 seconds' end)
    returning 1`)) !== undefined;

export const renewClaim = (db: Db, claim: Claim) =>
  db.run(sql`update idempotency_keys set created_at = now() where ${isHeld(claim)}`);

export const findRequest = (db: Db, name: KeyName) =>
  db.row<StoredRequest>(sql`select fingerprint, status, answer from idempotency_keys where ${matches(name)}`);

/** As text and values, for a transaction that knows nothing of our statements. */
export const successStatement = ({ workspace_id, actor_id, key, claim }: Claim, answer: string) => ({
  text: `update idempotency_keys set status = 200, answer = $1
    where workspace_id = $2 and actor_id = $3 and key = $4 and claim = $5`,
  values: [answer, workspace_id, actor_id, key, claim],
});

export const storeAnswer = (
  db: Db,
  { claim, ...name }: Claim,
  { status, answer }: { status: number; answer: string },
) =>
  db.run(sql`
    update idempotency_keys set status = ${status}, answer = ${answer} where ${matches(name)} and claim = ${claim}`);

/** Frees a key whose request has no answer. */
export const releaseKey = (db: Db, claim: Claim) => db.run(sql`delete from idempotency_keys where ${isHeld(claim)}`);

export const deleteOldKeys = (db: Db) =>
  db.run(sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`);
