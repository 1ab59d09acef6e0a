import { conflict } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { Keyring } from '../keyring/service.ts';
import type { IdempotencyStore, StoredAnswer } from './ports.ts';
import * as store from './store.ts';

export const purpose = 'idempotent answer';

/**
 * A row claims the key. The transaction that does the work also stores the answer, so that after a crash the work is
 * either done and its answer stored, or not done and the key free again once the claim is stale (150 s, longer than
 * any blocking call).
 */
export function makeIdempotency({ db, keyring }: { db: Database; keyring: Keyring }): IdempotencyStore {
  async function earlierAnswer(name: store.KeyName, fingerprint: Buffer): Promise<StoredAnswer> {
    const earlier = await store.findRequest(db, name);
    if (earlier && !earlier.fingerprint.equals(fingerprint))
      throw conflict('This Idempotency-Key was used for another request', 'idempotency_key_reused');
    if (earlier?.status == null || earlier.answer === null)
      throw conflict('The first request with this Idempotency-Key is still running', 'idempotency_key_running');
    return { status: earlier.status, text: await keyring.open(name.workspace_id, purpose, earlier.answer) };
  }

  return {
    async begin({ workspace_id, actor }, key, fingerprint) {
      const name = { workspace_id, actor_id: actor.id, key };
      const seal = await keyring.sealer(workspace_id);
      if (!(await store.claimKey(db, name, fingerprint))) return earlierAnswer(name, fingerprint);
      let stored: string | undefined;
      return {
        async storeWith(run, text) {
          stored = text;
          const statement = store.successStatement(name, seal(purpose, text));
          await run(statement.text, statement.values);
        },
        async finish({ status, text }) {
          if (status === 200 && text === stored) return;
          await store.storeAnswer(db, name, { status, answer: seal(purpose, text) });
        },
        abandon: async () => void (await store.releaseKey(db, name)),
      };
    },
  };
}
