import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AuditReport, ChainFault } from '@atrium/contract/audit/schema.ts';
import type { Database, Db } from '../../db/database.ts';
import { chainOf, hashLink } from './chain.ts';
import * as store from './verify-store.ts';

const batch = 500;
const mostFaults = 100;

interface Verification {
  tx: Db;
  faults: ChainFault[];
  entries: number;
}

function addFault({ faults }: Verification, fault: ChainFault): void {
  if (faults.length < mostFaults) faults.push(fault);
}

/** Each link is computed from the stored hash before it, so that one altered row is one fault. */
async function verifyLinks(verification: Verification, chain: store.StoredChain): Promise<void> {
  const { chain_id, deleted_position, deleted_hash } = chain;
  let [position, hash] = [deleted_position, deleted_hash];
  for (;;) {
    const links = await store.listLinks(verification.tx, chain_id, position, batch);
    for (const link of links) {
      const at = { chain_id, position: link.position, entry_id: link.row_id };
      for (position += 1; position < link.position; position++) {
        addFault(verification, { chain_id, position, entry_id: null, problem: 'deleted' });
        if (verification.faults.length >= mostFaults) position = link.position - 1;
      }
      const { row } = link;
      if (!row) addFault(verification, { ...at, problem: 'deleted' });
      else if (chainOf(row) !== chain_id || !hashLink(hash, row, link.position).equals(link.hash))
        addFault(verification, { ...at, problem: 'altered' });
      hash = link.hash;
      verification.entries += 1;
    }
    if (links.length < batch) break;
    await yieldToEventLoop();
  }
  if (position !== chain.position || !hash.equals(chain.hash))
    addFault(verification, { chain_id, position: chain.position, entry_id: null, problem: 'end_removed' });
}

/** Retention writes where it stopped into the log itself; a beginning that went without that was removed by hand. */
async function verifyBeginning(verification: Verification, chain: store.StoredChain): Promise<void> {
  const { chain_id, tenant_id, deleted_position: position, deleted_hash } = chain;
  if (position === 0) return;
  const checkpoint = await store.findCheckpoint(verification.tx, tenant_id, chain_id);
  if (checkpoint?.after.position !== position || checkpoint.after.hash !== deleted_hash.toString('hex'))
    addFault(verification, { chain_id, position, entry_id: null, problem: 'beginning_removed' });
}

/** Computes the chains again: all there are, those of a tenant, or one. */
export function verifyChains(db: Database, tenant_id?: string, chain_id?: string): Promise<AuditReport> {
  return db.transaction(undefined, async (tx) => {
    await store.readAtOneMoment(tx);
    const verification: Verification = { tx, faults: [], entries: 0 };
    const chains = await store.listChains(tx, tenant_id, chain_id);
    for (const chain of chains) {
      await verifyBeginning(verification, chain);
      await verifyLinks(verification, chain);
    }
    if (tenant_id === undefined)
      for (const orphaned of await store.listOrphanedChains(tx))
        addFault(verification, { ...orphaned, entry_id: null, problem: 'end_removed' });
    for (const row of await store.listUnlinkedRows(tx, tenant_id, chain_id, mostFaults))
      addFault(verification, { chain_id: row.chain_id, position: null, entry_id: row.id, problem: 'inserted' });
    return {
      ...{ ok: verification.faults.length === 0, entries: verification.entries, faults: verification.faults },
      chains: chains.map((chain) => ({
        ...{ chain_id: chain.chain_id, position: chain.position, hash: chain.hash.toString('hex') },
      })),
    };
  });
}
