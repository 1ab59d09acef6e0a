import type { Database } from '../../db/database.ts';
import { BoxError, boxKey, sealingKeyId } from '../../lib/secrets/sealed-box.ts';
import { tenantKeys, workspaceKeys } from './key-store.ts';
import type { MasterKeys } from './master-keys.ts';
import { firstRowPosition, type SealedColumn } from './sealed-column-store.ts';
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
  /** Boxes that no known key opens; they stay as they are. */
  unreadable: number;
  /** Ids of the keys that boxes were still sealed with at the last look. */
  in_use: Set<string>;
}

/** Walks over a column once. Boxes that nodes write meanwhile are sealed with the current key already. */
async function resealColumn({ db, keyrings }: Resealing, column: SealedColumn, result: Resealed): Promise<void> {
  const keyring = keyrings[column.owner];
  for (let after = firstRowPosition, page = await column.page(db, after, pageSize); page.length > 0; ) {
    for (const at of page) {
      after = at.place;
      const used = sealingKeyId(at.box) ?? '';
      try {
        if (used === (await keyring.currentId(at.owner_id))) continue;
        const plain = await keyring.open(at.owner_id, column.purpose(at.id), at.box);
        const box = await keyring.seal(at.owner_id, column.purpose(at.id), plain);
        if (await column.replace(db, at, box)) result.boxes++;
        else result.in_use.add(used);
      } catch (error) {
        if (!(error instanceof BoxError)) throw error;
        result.unreadable++;
        result.in_use.add(used);
      }
    }
    page = await column.page(db, after, pageSize);
  }
}

/** Seals every box again that is not sealed with its owner's current key. Can be stopped at any point and repeated. */
export async function resealAll(resealing: Resealing): Promise<Resealed> {
  const result: Resealed = { boxes: 0, unreadable: 0, in_use: new Set() };
  for (const column of resealing.columns) await resealColumn(resealing, column, result);
  return result;
}

/** Removes keys that were retired long ago and that no box needs; returns how many. */
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
    // A key that can't be opened may still be needed, once its master key is restored.
    if (!secret || in_use.has(boxKey(secret).id)) continue;
    await table.remove(db, owner_id, wrapped);
    removed++;
  }
  for (const keyring of Object.values(keyrings)) keyring.forget();
  return removed;
}
