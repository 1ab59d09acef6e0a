import type { Database, Db } from '../../db/database.ts';
import { BoxError, type BoxKey, boxKey, newBoxKey, open, seal } from '../../lib/secrets/sealed-box.ts';
import { type KeyTable, tenantKeys, workspaceKeys } from './key-store.ts';
import { deleteRotation, insertRotation, updateCheck, withRotationLock } from './master-key-store.ts';
import { bridgeContext, checkContext, type MasterKeys } from './master-keys.ts';
import { type Resealing, resealAll } from './reseal-columns.ts';
import type { RotationKeys } from './rotation-keys.ts';

/** The notification that makes nodes reload their keys. */
export const keyringTopic = 'keyring';

export interface RotationOptions extends Resealing {
  /** Reads or makes the keys; called when no other rotation runs, which might replace them. */
  keys(): RotationKeys;
  /** Tells every node to reload its keys. */
  notify(db: Db): Promise<void>;
  say(line: string): void;
}

type Rotation = RotationOptions & RotationKeys;

const prefixOf = (key: BoxKey) => `box1.${key.id}.`;
const tables = [workspaceKeys, tenantKeys];

/** Stores the next key sealed with the last one, for every node to find. Returns when the rotation began. */
async function begin({ db, last, next }: Rotation): Promise<string> {
  const box = seal(last, bridgeContext, next.secret);
  return db.transaction(undefined, async (tx) => {
    const { bridge, began } = await insertRotation(tx, box);
    if (boxKey(open(last, bridgeContext, bridge)).id !== next.id)
      throw new Error('A rotation to another key was begun and is not finished: give that key again');
    return began;
  });
}

/** Seals all data keys with the next master key, including those that nodes insert meanwhile. */
async function rewrapAll(db: Database, masters: MasterKeys, next: BoxKey, table: KeyTable): Promise<number> {
  let count = 0;
  for (;;) {
    const before = count;
    for (const { owner_id, wrapped } of await table.sealedOtherwise(db, prefixOf(next))) {
      // A key that does not open was lost before; the rotation continues with the next one.
      const secret = await masters.unwrap(table.wrapContext(owner_id), wrapped).catch((error: Error) => {
        if (!(error instanceof BoxError)) throw error;
      });
      if (!secret) continue;
      count += await table.rewrap(db, owner_id, wrapped, seal(next, table.wrapContext(owner_id), secret));
    }
    if (count === before) return count;
  }
}

/** Gives every owner a new data key; the old one is retired and still opens its boxes. */
async function replaceDataKeys({ db, next }: Rotation, table: KeyTable, began: string): Promise<number> {
  let count = 0;
  for (let owners = await table.olderThan(db, began, 100); owners.length > 0; ) {
    for (const { owner_id } of owners)
      await db.transaction(undefined, async (tx) => {
        if ((await table.retire(tx, owner_id, began)) === 0) return;
        const key = newBoxKey();
        await table.insert(tx, owner_id, key.id, seal(next, table.wrapContext(owner_id), key.secret));
        count++;
      });
    owners = await table.olderThan(db, began, 100);
  }
  return count;
}

/**
 * Replaces the master key and all data keys while nodes run; refuses to start while another rotation runs. Every step
 * can be repeated: after a kill at any moment all boxes open, and a second call continues.
 */
export async function rotateKeys(options: RotationOptions): Promise<void> {
  if (!(await withRotationLock(options.db, () => rotateLocked({ ...options, ...options.keys() }))))
    throw new Error('Another rotation of the keys is running');
}

async function rotateLocked(rotation: Rotation): Promise<void> {
  const { db, masters, keyrings, next, notify, say } = rotation;
  const reloadEverywhere = async () => {
    await notify(db);
    await masters.reload();
    for (const keyring of Object.values(keyrings)) keyring.forget();
  };
  const rewrap = async () => {
    let count = 0;
    for (const table of tables) count += await rewrapAll(db, masters, next, table);
    return count;
  };

  const began = await begin(rotation);
  await reloadEverywhere();
  say(`Sealed ${await rewrap()} data keys with the new master key`);
  await updateCheck(db, seal(next, checkContext, 'atrium'));

  let replaced = 0;
  for (const table of tables) replaced += await replaceDataKeys(rotation, table, began);
  await reloadEverywhere();
  say(`Made ${replaced} new data keys; the old ones are retired`);
  const { boxes, unreadable } = await resealAll(rotation);
  say(
    `Sealed ${boxes} values anew${unreadable ? `; ${unreadable} could not be opened and were left as they are` : ''}`,
  );

  // A node that had not been notified yet may have inserted a key in between.
  await rewrap();
  rotation.promote();
  await deleteRotation(db, rotation);
  await reloadEverywhere();
}
