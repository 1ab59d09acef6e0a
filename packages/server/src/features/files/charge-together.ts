import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import { type ByteAccount, chargeUploads, type FullAccount } from './quota-store.ts';

interface Waiting {
  upload: string;
  amount: number;
  resolve(full: FullAccount | undefined): void;
  reject(error: unknown): void;
}

/** So many uploads one statement charges. */
const mostAtOnce = 100;

/**
 * Charges uploads. Those that come to the same accounts while a charge is under way are charged together: each charge
 * waits for the disk with the accounts locked, so that many small files would wait for one another.
 */
export function makeChargeTogether(db: Database) {
  const waiting = new Map<string, Waiting[]>();

  async function chargeAll(key: string, scope: Scope, accounts: readonly ByteAccount[]): Promise<void> {
    for (let own = waiting.get(key); own?.length; own = waiting.get(key)) {
      const batch = own.splice(0, mostAtOnce);
      try {
        const full = await chargeUploads(db, scope, batch, accounts);
        for (const { upload, resolve } of batch) resolve(full.get(upload));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    waiting.delete(key);
  }

  return (
    scope: Scope,
    upload: string,
    accounts: readonly ByteAccount[],
    amount: number,
  ): Promise<FullAccount | undefined> => {
    const key = JSON.stringify([scope.tenant_id, scope.workspace_id, accounts]);
    return new Promise((resolve, reject) => {
      const others = waiting.get(key);
      const own = { upload, amount, resolve, reject };
      if (others) {
        others.push(own);
        return;
      }
      waiting.set(key, [own]);
      void chargeAll(key, scope, accounts);
    });
  };
}
