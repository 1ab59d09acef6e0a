import { randomUUID } from 'node:crypto';
import { conflict } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { Keyring } from '../keyring/service.ts';
import type { IdempotencyStore, StoredAnswer } from './ports.ts';
import * as store from './store.ts';

export const purpose = 'idempotent answer';

/** A claim that nobody renews is stale after three of these. */
const renew_ms = 5000;

const stillRunning = () =>
  conflict('The first request with this Idempotency-Key is still running', 'idempotency_key_running');

/**
 * A row claims the key. The transaction that does the work also stores the answer, so that after a crash the work is
 * either done and its answer stored, or not done and the key free again once the claim is stale. A claim is renewed while
 * its request runs. A request that another has replaced, because its process stood still, can't commit its work.
 */
export function makeIdempotency({ db, keyring }: { db: Database; keyring: Keyring }): IdempotencyStore {
  async function earlierAnswer(name: store.KeyName, fingerprint: Buffer): Promise<StoredAnswer> {
    const earlier = await store.findRequest(db, name);
    if (earlier && !earlier.fingerprint.equals(fingerprint))
      throw conflict('This Idempotency-Key was used for another request', 'idempotency_key_reused');
    if (earlier?.status == null || earlier.answer === null) throw stillRunning();
    return { status: earlier.status, text: await keyring.open(name.workspace_id, purpose, earlier.answer) };
  }

  return {
    async begin({ workspace_id, actor }, key, fingerprint) {
      const name = { workspace_id, actor_id: actor.id, key };
      const claim = { ...name, claim: randomUUID() };
      const seal = await keyring.sealer(workspace_id);
      if (!(await store.claimKey(db, claim, fingerprint))) return earlierAnswer(name, fingerprint);
      let stored: string | undefined;
      // A renewal that fails is followed by another; if none succeeds, the claim is lost.
      const renewing = setInterval(() => store.renewClaim(db, claim).catch(() => {}), renew_ms).unref();
      return {
        async storeWith(run, text) {
          stored = text;
          const statement = store.successStatement(claim, seal(purpose, text));
          const { rowCount } = (await run(statement.text, statement.values)) as { rowCount: number | null };
          if (rowCount !== 1) throw stillRunning();
        },
        async finish({ status, text }) {
          clearInterval(renewing);
          if (status === 200 && text === stored) return;
          await store.storeAnswer(db, claim, { status, answer: seal(purpose, text) });
        },
        async abandon() {
          clearInterval(renewing);
          await store.releaseKey(db, claim);
        },
      };
    },
  };
}
