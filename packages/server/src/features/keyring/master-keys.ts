import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { BoxError, type BoxKey, boxKey, open, seal, sealingKeyId } from '../../lib/secrets/sealed-box.ts';

/** The master keys that this process knows: one, and while they are being replaced two. */
export interface MasterKeys {
  /** What data keys are sealed with from now on. */
  current(): BoxKey;
  /** Opens a data key with whichever master key it was sealed with; looks again when it is one not yet heard of. */
  unwrap(context: string, box: string): Promise<Buffer>;
  reload(): Promise<void>;
}

export const checkContext = 'master key check';
export const bridgeContext = 'next master key';

interface Stored {
  check: string | null;
  /** The next master key sealed with the last one: how nodes that know only the last one learn it. */
  bridge: string | null;
}

const stored = async (db: Db): Promise<Stored> =>
  (await db.row<Stored>(sql`
    select (select value from instance where name = 'master_key_check') as check,
           (select value from instance where name = 'next_master_key') as bridge`)) as Stored;

const refusal =
  'The master key is not the one this database was made with, so its secrets could not be read. Set ' +
  'ATRIUM_SECRET_KEY to the right key, or put the right master.key file back into the data directory.';

/**
 * Finds out which master key counts, and stops the start when it is none of ours, before anything is sealed with it.
 * `load` reads what the environment or the data directory holds, and may find nothing when it is asked again.
 */
export async function openMasterKeys(db: Db, load: (again: boolean) => BoxKey[]): Promise<MasterKeys> {
  const known = new Map<string, BoxKey>();
  let current: BoxKey | undefined;

  async function reload(): Promise<void> {
    const held = load(current !== undefined);
    for (const key of held) known.set(key.id, key);
    if (!current && held[0]) {
      const check = seal(held[0], checkContext, 'atrium');
      await db.run(
        sql`insert into instance (name, value) values ('master_key_check', ${check}) on conflict do nothing`,
      );
    }
    const { check, bridge } = await stored(db);
    const last = known.get(sealingKeyId(bridge ?? '') ?? '');
    const next = last && boxKey(open(last, bridgeContext, bridge ?? ''));
    if (next) known.set(next.id, next);
    const counting = known.get(sealingKeyId(check ?? '') ?? '');
    if (!counting) throw new Error(refusal);
    open(counting, checkContext, check ?? '');
    // Started with the new key alone: nobody needs to be told of it by way of the old one any more.
    if (bridge && !last) await db.run(sql`delete from instance where name = 'next_master_key' and value = ${bridge}`);
    current = next ?? counting;
  }

  await reload();
  return {
    reload,
    current: () => current as BoxKey,
    async unwrap(context, box) {
      const id = sealingKeyId(box) ?? '';
      if (!known.has(id)) await reload();
      const key = known.get(id);
      if (!key) throw new BoxError('The sealed box was made with another key');
      return open(key, context, box);
    },
  };
}
