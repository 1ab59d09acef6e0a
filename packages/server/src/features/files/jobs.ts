import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { BlobName, BlobStore } from '../../drivers/blobs/driver.ts';
import { defineJob } from '../../lib/define-job.ts';
import { abandonedUploads } from './quota-store.ts';
import type { Quotas } from './quotas.ts';
import type { ResumableUploads } from './resumable/resumable-uploads.ts';
import { findOrphans } from './store.ts';

/** Longer than any upload waits between its bytes and its row. */
const graceMs = 3_600_000;
const batchSize = 500;

async function* inBatches(names: AsyncIterable<BlobName>): AsyncGenerator<BlobName[]> {
  let batch: BlobName[] = [];
  for await (const name of names) {
    batch.push(name);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length) yield batch;
}

export function makeFileJobs(deps: {
  db: Database;
  blobs: BlobStore;
  quotas: Pick<Quotas, 'release'>;
  /** Those of these blobs that are no files and that nothing refers to. */
  findOtherOrphans(names: readonly BlobName[]): Promise<BlobName[]>;
  /** The ids of those of these blobs that are no files and that something refers to. */
  findUsed(names: readonly BlobName[]): Promise<string[]>;
  uploads: Pick<ResumableUploads, 'removeExpired'>;
}) {
  const { db, blobs, quotas, findOtherOrphans, findUsed } = deps;
  return {
    /** Bytes that a crash left behind: half written, or whole without the row that would make them a file. */
    sweep: defineJob({
      job: 'files.sweep',
      payload: z.object({}),
      attempts: 1,
      schedule: '43 * * * *',
      handler: async ({ log, signal }) => {
        const before = new Date(Date.now() - graceMs);
        for (const { workspace_id, id } of await abandonedUploads(db, before)) await quotas.release(workspace_id, id);
        await deps.uploads.removeExpired();
        const partial = await blobs.removePartial(before);
        let orphans = 0;
        for await (const batch of inBatches(blobs.list(before))) {
          if (signal.aborted) return;
          const used = new Set(await findUsed(batch));
          for (const { workspace_id, id } of [...(await findOrphans(db, batch)), ...(await findOtherOrphans(batch))]) {
            if (used.has(id)) continue;
            await blobs.delete(workspace_id, id);
            orphans++;
          }
        }
        if (partial + orphans > 0) log.info('Removed files that nothing refers to', { partial, orphans });
      },
    }),

    /** Enqueued by the transaction that deletes a workspace. */
    removeWorkspace: defineJob({
      job: 'files.remove-workspace',
      payload: z.object({ workspace_id: z.guid() }),
      attempts: 25,
      handler: (_, { workspace_id }) => blobs.deleteWorkspace(workspace_id),
    }),
  };
}
