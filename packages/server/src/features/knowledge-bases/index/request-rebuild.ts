import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { findQueuedReindex, insertRun } from '../ingest/ingestion-run-store.ts';
import type { KbQueue, KbRef } from '../ports.ts';

/** Queues a rebuild of the index; returns the id of its run. */
export async function requestRebuild(tx: Db, queue: KbQueue, { workspace_id, kb_id }: KbRef): Promise<string> {
  const id = newId();
  await insertRun(tx, workspace_id, kb_id, { id, kind: 'reindex' });
  await queue.rebuild(tx, { workspace_id, kb_id }, id);
  return id;
}

/** Queues a rebuild and then a sync, unless a rebuild waits already. */
export const requestRebuildOnce = (db: Database, queue: KbQueue, place: KbRef): Promise<void> =>
  db.transaction(undefined, async (tx) => {
    if (await findQueuedReindex(tx, place.workspace_id, place.kb_id)) return;
    await requestRebuild(tx, queue, place);
    await queue.sync(tx, place);
  });
