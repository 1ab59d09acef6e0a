import type { SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { insertDocuments, type NewDocument } from '../documents/document-store.ts';
import type { KbQueue, KbRef, QueuedTraining } from '../ports.ts';
import { markBusy } from '../store.ts';
import { insertTrainings, replaceTrainings } from './ingestion-run-store.ts';

/** The trainings count as done when nothing was left to train for so long. */
export const settleAfterMs = 2000;

/** Queues trainings in the caller's transaction; returns the ids of their runs. */
export interface StartTrainings {
  /** Trains documents again; a training of them that runs no longer counts. */
  startAgain(tx: Db, place: KbRef, settings: SparseKbSettings, ids: readonly string[]): Promise<string[]>;
  /** Inserts documents and trains them. */
  startNew(tx: Db, place: KbRef, settings: SparseKbSettings, documents: readonly NewDocument[]): Promise<string[]>;
}

export function makeStartTrainings(queue: KbQueue): StartTrainings {
  async function enqueue(tx: Db, place: KbRef, settings: SparseKbSettings, runs: readonly QueuedTraining[]) {
    if (runs.length === 0) return [];
    await queue.train(tx, place, runs, effective(settings).batch_size);
    await queue.settle(tx, place, settleAfterMs);
    // Last, because every training that ends updates this row too and would wait for the lock.
    await markBusy(tx, place.workspace_id, place.kb_id);
    return runs.map(({ id }) => id);
  }
  return {
    async startAgain(tx, place, settings, ids) {
      const runs = ids.map((document_id) => ({ id: newId(), document_id }));
      const queued = await replaceTrainings(tx, place.workspace_id, place.kb_id, runs);
      return enqueue(tx, place, settings, queued);
    },

    async startNew(tx, place, settings, documents) {
      const { workspace_id, kb_id } = place;
      const rows = documents.map((document) => ({ ...document, status: 'training' as const, current_run: newId() }));
      const runs = rows.map(({ current_run: id, id: document_id, file_id, size }) => ({
        id,
        document_id,
        bytes: file_id === null ? null : size,
      }));
      await insertDocuments(tx, workspace_id, kb_id, rows);
      await insertTrainings(tx, workspace_id, kb_id, runs);
      return enqueue(tx, place, settings, runs);
    },
  };
}
