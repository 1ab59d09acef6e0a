import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { BoxError, type BoxKey, boxKey, newBoxKey, open, seal } from '../../lib/secrets/sealed-box.ts';
import { type KeyTable, tenantKeys, workspaceKeys } from './key-store.ts';
import { bridgeContext, checkContext, type MasterKeys } from './master-keys.ts';
import { type Resealing, resealAll } from './reseal-columns.ts';

/** What nodes listen to: keys have changed, look again. */
export const keyringTopic = 'keyring';

export interface Rotation extends Resealing {
  /** Tells every node that keys have changed. */
  notify(db: Db): Promise<void>;
  /** The master key that counts, and the one to take its place. */
  last: BoxKey;
  next: BoxKey;
  /** The next key is where programs will find it at their start. */
  promote(): void;
  /** Whether programs that start with the last key must still find the next one, until they are given it. */
  keep_bridge: boolean;
  say(line: string): void;
}

const prefixOf = (key: BoxKey) => `box1.${key.id}.`;
const tables = [workspaceKeys, tenantKeys];

/** The next key sealed with the last one, for every node to find. The moment it is there is when the rotation began. */
async function begin({ db, last, next }: Rotation): Promise<string> {
  const box = seal(last, bridgeContext, next.secret);
  return db.transaction(undefined, async (tx) => {
    const fresh = await tx.run(sql`
      insert into instance (name, value) values ('next_master_key', ${box}) on conflict do nothing`);
    // What an earlier one left behind is not the beginning of this one.
    if (fresh) await tx.run(sql`delete from instance where name = 'key_rotation_began'`);
    await tx.run(sql`
      insert into instance (name, value) values ('key_rotation_began', now()::text) on conflict do nothing`);
    const row = await tx.row<{ bridge: string; began: string }>(sql`
      select (select value from instance where name = 'next_master_key') as bridge,
             (select value from instance where name = 'key_rotation_began') as began`);
    if (boxKey(open(last, bridgeContext, row?.bridge ?? '')).id !== next.id)
      throw new Error('A rotation to another key was begun and is not finished: give that key again');
    return row?.began ?? '';
  });
}

/** Data keys are small: all of them are sealed with the next master key, also those that appear meanwhile. */
async function rewrapAll(db: Database, masters: MasterKeys, next: BoxKey, table: KeyTable): Promise<number> {
  let count = 0;
  for (;;) {
    const before = count;
    for (const { owner_id, wrapped } of await table.sealedOtherwise(db, prefixOf(next))) {
      // One that does not open was lost before; it must not keep the others from being saved.
      const secret = await masters.unwrap(table.wrapContext(owner_id), wrapped).catch((error: Error) => {
        if (!(error instanceof BoxError)) throw error;
      });
      if (!secret) continue;
      count += await table.rewrap(db, owner_id, wrapped, seal(next, table.wrapContext(owner_id), secret));
    }
    if (count === before) return count;
  }
}

/** Every owner gets a new data key; the old one is retired and still opens. */
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
 * Replaces the master key and all data keys while the program runs. Every step is whole by itself and can be repeated:
 * after a kill at any moment everything opens, and running it again goes on from there.
 */
export async function rotateKeys(rotation: Rotation): Promise<void> {
  const { db, masters, keyrings, next, notify, say } = rotation;
  const lookAgain = async () => {
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
  await lookAgain();
  say(`Sealed ${await rewrap()} data keys with the new master key`);
  const check = seal(next, checkContext, 'atrium');
  await db.run(sql`update instance set value = ${check} where name = 'master_key_check'`);

  let replaced = 0;
  for (const table of tables) replaced += await replaceDataKeys(rotation, table, began);
  await lookAgain();
  say(`Made ${replaced} new data keys; the old ones are retired`);
  const { boxes, unreadable } = await resealAll(rotation);
  say(
    `Sealed ${boxes} values anew${unreadable ? `; ${unreadable} could not be opened and were left as they are` : ''}`,
  );

  // A node that had not heard yet may have made a key in between.
  await rewrap();
  rotation.promote();
  await db.run(sql`
    delete from instance where name = 'key_rotation_began' or (name = 'next_master_key' and not ${rotation.keep_bridge})`);
  await lookAgain();
}
