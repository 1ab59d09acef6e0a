import type { Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { markBusy } from './base-store.ts';
import type { KbPlace } from './index/sync.ts';
import type { KbQueue } from './queue.ts';
import { beginTrainings } from './run-store.ts';
import type { SparseKbSettings } from './settings/keys.ts';
import { effective } from './settings/settings.ts';

/** A burst is over when nothing was left to train for so long. */
export const settleAfter = 2000;

export type Begin = ReturnType<typeof makeBegin>;

/** Has documents trained; each training is a run whose id is answered. In the caller's transaction. */
export const makeBegin =
  (queue: KbQueue) =>
  async (tx: Db, place: KbPlace, settings: SparseKbSettings, document_ids: readonly string[]): Promise<string[]> => {
    const { workspace_id, kb_id } = place;
    const made = document_ids.map((document_id) => ({ id: newId(), document_id }));
    if (made.length === 0) return [];
    const begun = await beginTrainings(tx, workspace_id, kb_id, made);
    await queue.train(tx, place, begun, effective(settings).batch_size);
    await queue.settle(tx, place, settleAfter);
    // Last: whoever has just trained something waits for this row.
    await markBusy(tx, workspace_id, kb_id);
    return made.map(({ id }) => id);
  };
