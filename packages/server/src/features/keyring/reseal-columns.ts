import type { Database } from '../../db/database.ts';
import { BoxError, boxKey, sealingKeyId } from '../../lib/secrets/sealed-box.ts';
import { tenantKeys, workspaceKeys } from './key-store.ts';
import type { MasterKeys } from './master-keys.ts';
import { firstRowPosition, type SealedColumn } from './sealed-column.ts';
import type { Keyring } from './service.ts';

const pageSize = 200;

export interface Resealing {
  db: Database;
  masters: MasterKeys;
  keyrings: Record<SealedColumn['owner'], Keyring>;
  columns: readonly SealedColumn[];
}

interface Resealed {
  boxes: number;
  /** Boxes that no key of ours opens; they are left as they are. */
  unreadable: number;
  /** Names of keys that boxes were still sealed with when they were looked at last. */
  in_use: Set<string>;
}

/** One walk over a column. What others write meanwhile is theirs: their boxes are sealed with the current key. */
async function resealColumn({ db, keyrings }: Resealing, column: SealedColumn, told: Resealed): Promise<void> {
  const keyring = keyrings[column.owner];
  for (let after = firstRowPosition, page = await column.page(db, after, pageSize); page.length > 0; ) {
    for (const at of page) {
      after = at.place;
      const used = sealingKeyId(at.box) ?? '';
      try {
        if (used === (await keyring.currentId(at.owner_id))) continue;
        const plain = await keyring.open(at.owner_id, column.purpose(at.id), at.box);
        const box = await keyring.seal(at.owner_id, column.purpose(at.id), plain);
        if (await column.replace(db, at, box)) told.boxes++;
        else told.in_use.add(used);
      } catch (error) {
        if (!(error instanceof BoxError)) throw error;
        told.unreadable++;
        told.in_use.add(used);
      }
    }
    page = await column.page(db, after, pageSize);
  }
}

/** Seals anew whatever is not sealed with its owner's current key. Can be stopped anywhere and begun again. */
export async function resealAll(resealing: Resealing): Promise<Resealed> {
  const told: Resealed = { boxes: 0, unreadable: 0, in_use: new Set() };
  for (const column of resealing.columns) await resealColumn(resealing, column, told);
  return told;
}

/** Removes keys that were retired long ago and that no box needs. How many. */
export async function removeRetiredKeys(resealing: Resealing): Promise<number> {
  const { db, masters, keyrings } = resealing;
  const old = [
    ...(await workspaceKeys.longRetired(db)).map((key) => ({ ...key, table: workspaceKeys })),
    ...(await tenantKeys.longRetired(db)).map((key) => ({ ...key, table: tenantKeys })),
  ];
  if (old.length === 0) return 0;
  const { in_use } = await resealAll(resealing);
  let removed = 0;
  for (const { table, owner_id, wrapped } of old) {
    const secret = await masters.unwrap(table.wrapContext(owner_id), wrapped).catch((error: Error) => {
      if (!(error instanceof BoxError)) throw error;
    });
    // One that can't be opened is of no use, but nobody can say what it was for.
    if (!secret || in_use.has(boxKey(secret).id)) continue;
    await table.remove(db, owner_id, wrapped);
    removed++;
  }
  for (const keyring of Object.values(keyrings)) keyring.forget();
  return removed;
}
