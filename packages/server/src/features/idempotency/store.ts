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

const matches = ({ workspace_id, actor_id, key }: KeyName) =>
  sql`workspace_id = ${workspace_id} and actor_id = ${actor_id} and key = ${key}`;

/** False when another request holds the key. A claim without an answer is stale after 150 s, an answer after a day. */
export const claimKey = async (db: Db, { workspace_id, actor_id, key }: KeyName, fingerprint: Buffer) =>
  (await db.row(sql`
    insert into idempotency_keys as kept (workspace_id, actor_id, key, fingerprint)
    values (${workspace_id}, ${actor_id}, ${key}, ${fingerprint})
    on conflict (workspace_id, actor_id, key) do update
      set fingerprint = excluded.fingerprint, status = null, answer = null, created_at = now()
      where kept.created_at < now() - interval '24 hours'
         or (kept.status is null and kept.created_at < now() - interval '150 seconds')
    returning 1`)) !== undefined;

export const findRequest = (db: Db, name: KeyName) =>
  db.row<StoredRequest>(sql`select fingerprint, status, answer from idempotency_keys where ${matches(name)}`);

/** As text and values, for a transaction that knows nothing of our statements. */
export const successStatement = ({ workspace_id, actor_id, key }: KeyName, answer: string) => ({
  text: 'update idempotency_keys set status = 200, answer = $1 where workspace_id = $2 and actor_id = $3 and key = $4',
  values: [answer, workspace_id, actor_id, key],
});

export const storeAnswer = (db: Db, name: KeyName, { status, answer }: { status: number; answer: string }) =>
  db.run(sql`update idempotency_keys set status = ${status}, answer = ${answer} where ${matches(name)}`);

/** Frees a key whose request has no answer. */
export const releaseKey = (db: Db, name: KeyName) =>
  db.run(sql`delete from idempotency_keys where ${matches(name)} and status is null`);

export const deleteOldKeys = (db: Db) =>
  db.run(sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`);
