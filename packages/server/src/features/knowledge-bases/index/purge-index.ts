import type { Database } from '../../../db/database.ts';
import { IndexMissing, type IndexName, type RetrievalIndex } from '../../../drivers/search-index/driver.ts';
import type { JobContext } from '../../../lib/define-job.ts';
import type { KbRef } from '../ports.ts';
import type { LearnFromIndex } from '../ranking/learning/learn-from-index.ts';
import { findBase } from '../store.ts';
import { forIndexesOf } from './rights-index.ts';
import type { WriteIndex } from './write-index.ts';

/** An index of so many passages is rewritten with each deletion, which takes about a second; a larger one by a job. */
const mostAtOnce = 2000;

/** Rewrites the indexes that passages were removed from; false when one of them is too large to do so at once. */
export async function purgeSmallIndexes(
  index: RetrievalIndex,
  at: IndexName,
  removed: readonly { index_rights_id: number | null }[],
): Promise<boolean> {
  let isDone = true;
  await forIndexesOf(at, removed, async (name) => {
    isDone = (await index.purge(name, mostAtOnce)) && isDone;
  });
  return isDone;
}

export type PurgeIndexes = (place: KbRef, context: JobContext) => Promise<void>;

/** Rewrites all indexes of a knowledge base, and learns its search model anew: both keep words of removed passages. */
export const makePurgeIndexes =
  ({ db, writeIndex, learn }: { db: Database; writeIndex: WriteIndex; learn: LearnFromIndex }): PurgeIndexes =>
  (place, context) =>
    writeIndex(place, context, async ({ index }) => {
      const base = await findBase(db, place.workspace_id, place.kb_id);
      if (!base?.index_name) return;
      const at = { ...place, name: base.index_name };
      try {
        await index.purgeAll(at);
      } catch (error) {
        // A lost index is rebuilt from the database, without these words.
        if (!(error instanceof IndexMissing)) throw error;
        return;
      }
      await learn(at, base.index_language, context.log, context.signal, { anew: true });
    });
