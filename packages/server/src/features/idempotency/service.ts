import { conflict } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Keyring } from '../keyring/service.ts';
import type { IdempotencyStore, StoredAnswer } from './ports.ts';

interface Kept {
  fingerprint: Buffer;
  status: number | null;
  answer: string | null;
}

export const purpose = 'idempotent answer';

/**
 * A key is claimed by its row. The answer is written by the transaction that does the work, so that after a crash the
 * work is either done with its answer kept, or not done and the key free again once the claim is stale (150 s, longer
 * than any blocking call).
 */
export function makeIdempotency({ db, keyring }: { db: Database; keyring: Keyring }): IdempotencyStore {
  const claim = (scope: Scope, key: string, fingerprint: Buffer) =>
    db.row(sql`
      insert into idempotency_keys as kept (workspace_id, actor_id, key, fingerprint)
      values (${scope.workspace_id}, ${scope.actor.id}, ${key}, ${fingerprint})
      on conflict (workspace_id, actor_id, key) do update
        set fingerprint = excluded.fingerprint, status = null, answer = null, created_at = now()
        where kept.created_at < now() - interval '24 hours'
           or (kept.status is null and kept.created_at < now() - interval '150 seconds')
      returning 1`);

  const find = (scope: Scope, key: string) =>
    db.row<Kept>(sql`
      select fingerprint, status, answer from idempotency_keys
      where workspace_id = ${scope.workspace_id} and actor_id = ${scope.actor.id} and key = ${key}`);

  async function earlierAnswer(scope: Scope, key: string, fingerprint: Buffer): Promise<StoredAnswer> {
    const kept = await find(scope, key);
    if (kept && !kept.fingerprint.equals(fingerprint))
      throw conflict('This Idempotency-Key was used for another request', 'idempotency_key_reused');
    if (kept?.status == null || kept.answer === null)
      throw conflict('The first request with this Idempotency-Key is still running', 'idempotency_key_running');
    return { status: kept.status, text: await keyring.open(scope.workspace_id, purpose, kept.answer) };
  }

  return {
    async begin(scope, key, fingerprint) {
      const seal = await keyring.sealer(scope.workspace_id);
      if (!(await claim(scope, key, fingerprint))) return earlierAnswer(scope, key, fingerprint);
      let stored: string | undefined;
      const where = sql`workspace_id = ${scope.workspace_id} and actor_id = ${scope.actor.id} and key = ${key}`;
      return {
        async storeWith(run, text) {
          stored = text;
          await run(
            'update idempotency_keys set status = 200, answer = $1 where workspace_id = $2 and actor_id = $3 and key = $4',
            [seal(purpose, text), scope.workspace_id, scope.actor.id, key],
          );
        },
        async finish({ status, text }) {
          if (status === 200 && text === stored) return;
          await db.run(
            sql`update idempotency_keys set status = ${status}, answer = ${seal(purpose, text)} where ${where}`,
          );
        },
        async abandon() {
          await db.run(sql`delete from idempotency_keys where ${where} and status is null`);
        },
      };
    },
  };
}
