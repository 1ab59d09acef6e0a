import type { Db } from '../../db/database.ts';
import { BoxError, type BoxKey, boxKey, open, seal, sealingKeyId } from '../../lib/secrets/sealed-box.ts';
import { deleteBridge, insertCheck, readMasterKeyState } from './master-key-store.ts';

/** The master keys that this process knows: one, and while they are being replaced two. */
export interface MasterKeys {
  /** The key that data keys are sealed with from now on. */
  current(): BoxKey;
  /** Opens a data key with the master key that sealed it; reloads the master keys when that one is not known yet. */
  unwrap(context: string, box: string): Promise<Buffer>;
  reload(): Promise<void>;
}

export const checkContext = 'master key check';
export const bridgeContext = 'next master key';

const refusal =
  'The master key is not the one this database was made with, so its secrets could not be read. Set ' +
  'ATRIUM_SECRET_KEY to the right key, or put the right master.key file back into the data directory.';

/**
 * Finds the master key of this database, and stops the start when the process does not have it, before anything is
 * sealed with another. `load` reads the keys of the environment or the data directory; a later call may find none.
 */
export async function openMasterKeys(db: Db, load: (again: boolean) => BoxKey[]): Promise<MasterKeys> {
  const known = new Map<string, BoxKey>();
  let current: BoxKey | undefined;

  async function reload(): Promise<BoxKey> {
    const loaded = load(current !== undefined);
    for (const key of loaded) known.set(key.id, key);
    if (!current && loaded[0]) await insertCheck(db, seal(loaded[0], checkContext, 'atrium'));
    const { check, bridge } = await readMasterKeyState(db);
    const last = known.get(sealingKeyId(bridge ?? '') ?? '');
    const next = last && boxKey(open(last, bridgeContext, bridge ?? ''));
    if (next) known.set(next.id, next);
    const checked = known.get(sealingKeyId(check ?? '') ?? '');
    if (!checked) throw new Error(refusal);
    open(checked, checkContext, check ?? '');
    // This node started with the new key alone, so that the operator has replaced it: the bridge is not needed any more.
    if (bridge && !last) await deleteBridge(db, bridge);
    current = next ?? checked;
    return current;
  }

  const first = await reload();
  return {
    reload: async () => void (await reload()),
    current: () => current ?? first,
    async unwrap(context, box) {
      const id = sealingKeyId(box) ?? '';
      if (!known.has(id)) await reload();
      const key = known.get(id);
      if (!key) throw new BoxError('The sealed box was made with another key');
      return open(key, context, box);
    },
  };
}
