import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob } from '../../lib/define-job.ts';
import { deleteExpired, findExpired } from './expire-store.ts';
import { lockLinking } from './link-store.ts';
import { recordSystemChange } from './system-changes.ts';

const batch = 1000;

/** Deletes the oldest part of each chain, and says in the log where the rest begins. Answers whether there may be more. */
async function expirePart(db: Database, days: number): Promise<boolean> {
  return db.transaction(undefined, async (tx) => {
    await lockLinking(tx);
    const parts = await findExpired(tx, days, batch);
    for (const part of parts) {
      await deleteExpired(tx, part);
      const { chain_id, tenant_id, position, hash, count } = part;
      await recordSystemChange(tx, {
        ...{ tenant_id, workspace_id: null, operation: 'audit.expire', target: { kind: 'audit_chain', id: chain_id } },
        after: { deleted: count, position, hash: hash.toString('hex') },
      });
    }
    return parts.some(({ count }) => count === batch);
  });
}

/** Deletes entries that are older than the given days; 0 keeps them for ever. */
export const auditJobs = ({ db, days, onCommit }: { db: Database; days: number; onCommit(): void }) => [
  defineJob({
    job: 'audit.expire',
    payload: z.object({}),
    attempts: 1,
    alone: true,
    schedule: '29 2 * * *',
    handler: async ({ log, signal }) => {
      if (days === 0) return;
      let parts = 1;
      while (!signal.aborted && (await expirePart(db, days))) parts += 1;
      onCommit();
      log.debug('audit.expired', { parts });
    },
  }),
];
