import type { SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { insertDocuments, type NewDocument } from '../documents/document-store.ts';
import type { KbRef } from '../index/sync-index.ts';
import type { KbQueue } from '../ports.ts';
import { markBusy } from '../store.ts';
import { beginTrainings, insertTrainings, type QueuedTraining } from './ingestion-run-store.ts';

/** A burst is over when nothing was left to train for so long. */
export const settleAfterMs = 2000;

export type Begin = ReturnType<typeof makeStartTrainings>;

/** Has documents trained; each training is a run whose id is answered. In the caller's transaction. */
export function makeStartTrainings(queue: KbQueue) {
  async function go(tx: Db, place: KbRef, settings: SparseKbSettings, runs: readonly QueuedTraining[]) {
    if (runs.length === 0) return [];
    await queue.train(tx, place, runs, effective(settings).batch_size);
    await queue.settle(tx, place, settleAfterMs);
    // Last: whoever has just trained something waits for this row.
    await markBusy(tx, place.workspace_id, place.kb_id);
    return runs.map(({ id }) => id);
  }
  return {
    async again(tx: Db, place: KbRef, settings: SparseKbSettings, ids: readonly string[]): Promise<string[]> {
      const made = ids.map((document_id) => ({ id: newId(), document_id }));
      const begun = await beginTrainings(tx, place.workspace_id, place.kb_id, made);
      return go(tx, place, settings, begun);
    },

    /** Documents that were not there before. */
    async anew(tx: Db, place: KbRef, settings: SparseKbSettings, documents: readonly NewDocument[]): Promise<string[]> {
      const { workspace_id, kb_id } = place;
      const made = documents.map((one) => ({ ...one, status: 'training' as const, current_run: newId() }));
      const runs = made.map(({ current_run: id, id: document_id, file_id, size }) => ({
        id,
        document_id,
        bytes: file_id === null ? null : size,
      }));
      await insertDocuments(tx, workspace_id, kb_id, made);
      await insertTrainings(tx, workspace_id, kb_id, runs);
      return go(tx, place, settings, runs);
    },
  };
}
