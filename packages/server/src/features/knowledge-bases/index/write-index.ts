import type { Database, Db } from '../../../db/database.ts';
import { IndexMissing, type RetrievalIndex } from '../../../drivers/search-index/driver.ts';
import type { JobContext } from '../../../lib/define-job.ts';
import { newId } from '../../../lib/ids.ts';
import type { KbRef } from '../ports.ts';
import { findBase } from '../store.ts';
import * as store from './index-writer-store.ts';

/** Another job writes to the index now; this one must store nothing. */
export class IndexTaken extends Error {
  constructor() {
    super('Another job writes to the index');
  }
}

/** What a job may do with an index while it is its only writer. */
export interface IndexWriter {
  /** The index, each write to which first asks whether this process still has the job. */
  index: RetrievalIndex;
  /** All or nothing, and nothing when another job has become the writer. */
  store<T>(work: (tx: Db) => Promise<T>): Promise<T>;
}

export type WriteIndex = (
  place: KbRef,
  context: JobContext,
  work: (writer: IndexWriter) => Promise<void>,
) => Promise<void>;

/** Asks before each write; reads go through. */
function guardWrites(index: RetrievalIndex, { requireLease, signal }: JobContext): RetrievalIndex {
  const guarded =
    <A extends unknown[], T>(write: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      signal.throwIfAborted();
      await requireLease?.();
      return write(...given);
    };
  return {
    ...index,
    create: guarded(index.create),
    add: guarded(index.add),
    remove: guarded(index.remove),
    removeRows: guarded(index.removeRows),
    removeOutdated: guarded(index.removeOutdated),
    move: guarded(index.move),
    tend: guarded(index.tend),
    purge: guarded(index.purge),
    purgeAll: guarded(index.purgeAll),
    writeModel: guarded(index.writeModel),
    drop: guarded(index.drop),
    dropAll: guarded(index.dropAll),
  };
}

/**
 * Lets one job at a time write to the index of a knowledge base. A write of a stopped process can't be called back: when
 * it goes on, it goes on. So when the last writer has not come to its end, the index continues under a new name; a late
 * write lands under the old name, which no search reads, and the database takes nothing from that writer any more.
 */
export const makeWriteIndex =
  ({ db, index }: { db: Database; index: RetrievalIndex }): WriteIndex =>
  async (place, context, work) => {
    const claimed = await db.transaction(undefined, (tx) => store.claimIndex(tx, place));
    if (!claimed) return;
    const { generation } = claimed;
    const writer: IndexWriter = {
      index: guardWrites(index, context),
      store: (own) =>
        db.transaction(undefined, async (tx) => {
          if (!(await store.isIndexWriter(tx, place, generation))) throw new IndexTaken();
          return own(tx);
        }),
    };
    if (claimed.unfinished) await moveIndex(db, place, writer);
    try {
      await work(writer);
    } finally {
      await store.endIndexWriting(db, place, generation);
    }
  };

async function moveIndex(db: Database, place: KbRef, { index, store: storeFenced }: IndexWriter): Promise<void> {
  const name = (await findBase(db, place.workspace_id, place.kb_id))?.index_name;
  if (!name) return;
  const moved = newId();
  try {
    await index.copyAll({ ...place, name }, moved);
  } catch (error) {
    // The job itself finds that the index is lost, and has it rebuilt.
    if (error instanceof IndexMissing) return;
    throw error;
  }
  await storeFenced((tx) => store.renameIndex(tx, place, name, moved));
  await index.dropAll(place, moved);
}
