import type { Database } from '../../../db/database.ts';
import {
  IndexMissing,
  type IndexName,
  type IndexRow,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import { vectorOf } from '../ingest/training-store.ts';
import type { KbRef } from '../ports.ts';
import { findBase, setIndex } from '../store.ts';
import * as store from './index-store.ts';
import { indexText } from './index-text.ts';
import { addPictures, forTextAndPictureIndex } from './picture-index.ts';

const [documentsAtOnce, chunksAtOnce, changesAtOnce] = [500, 2000, 1000];

/** A passage as a row of the index, without the vector if another model made it. */
const rowOf = (
  chunk: store.ChunkToIndex,
  document: { name: string; prefix: string },
  model: string | null,
): IndexRow => ({
  id: chunk.id,
  document_id: chunk.document_id,
  run_id: chunk.run_id,
  path: document.prefix,
  text: indexText({ ...chunk, name: document.name }),
  vector: chunk.embedding && (chunk.seen_by ?? model) === chunk.embedding_model ? vectorOf(chunk.embedding) : null,
});

/** Adds passages of text to the text index and pictures to the picture index. */
export async function addRows<C extends store.ChunkToIndex>(
  index: RetrievalIndex,
  at: IndexName,
  chunks: readonly C[],
  documentOf: (chunk: C) => { name: string; prefix: string },
  model: string | null,
): Promise<void> {
  const rows = (of: readonly C[]) => of.map((chunk) => rowOf(chunk, documentOf(chunk), model));
  await index.add(at, rows(chunks.filter(({ seen_by }) => seen_by === null)));
  await addPictures(index, at, rows(chunks.filter(({ seen_by }) => seen_by !== null)));
}

export type IndexSync = (place: KbRef) => Promise<void>;

/**
 * Brings the index up to date with the database: new, removed and moved documents. Runs one at a time for each knowledge
 * base. Every step can be repeated after a crash: rows that the index may hold already are removed before they are added.
 */
export function makeIndexSync(deps: {
  db: Database;
  index: RetrievalIndex;
  /** Queues a rebuild of the index. */
  rebuild(place: KbRef): Promise<void>;
}): IndexSync {
  const { db, index } = deps;

  /** The first documents decide language and vector length of the index; when these change, it is rebuilt. */
  async function create({ workspace_id, kb_id }: KbRef): Promise<string> {
    const base = await findBase(db, workspace_id, kb_id);
    const language = (await store.mainLanguage(db, workspace_id, kb_id)) ?? 'en';
    const first = await store.claimDocumentsToIndex(db, workspace_id, kb_id, 1);
    const chunks = await store.chunksOf(db, workspace_id, kb_id, first, { after: undefined, most: 50 });
    const sample = chunks.find(({ seen_by }) => seen_by === null);
    const model = sample?.embedding_model ?? null;
    const dimension = sample?.embedding ? sample.embedding.length / 4 : null;
    const name = newId();
    await index.create({ workspace_id, kb_id, name }, { language, dimension });
    await setIndex(db, workspace_id, kb_id, { name, language, model, dimension });
    const old = base?.index_name;
    if (old) await forTextAndPictureIndex({ workspace_id, kb_id, name: old }, (own) => index.drop(own));
    return name;
  }

  /** Removes and moves rows; true while there may be more changes. */
  async function applyChanges(at: IndexName): Promise<boolean> {
    const { workspace_id, kb_id } = at;
    const changes = await store.listIndexChanges(db, workspace_id, kb_id, changesAtOnce);
    const removed = changes.filter(({ change }) => change === 'removed').map(({ document_id }) => document_id);
    if (removed.length) {
      await forTextAndPictureIndex(at, (own) => index.remove(own, removed));
      await store.dropChange(db, workspace_id, kb_id, removed, 'removed');
    }
    const moved = Map.groupBy(
      changes.filter(({ change }) => change === 'moved'),
      ({ prefix }) => prefix,
    );
    for (const [prefix, group] of moved) {
      const ids = group.map(({ document_id }) => document_id);
      if (prefix !== null) await forTextAndPictureIndex(at, (own) => index.move(own, ids, prefix));
      await store.dropChange(db, workspace_id, kb_id, ids, 'moved');
    }
    if (changes.length) await index.tend(at, 'replacing');
    return changes.length === changesAtOnce;
  }

  /** Adds the passages of waiting documents; true while there may be more documents. */
  async function addDocuments(at: IndexName, model: string | null): Promise<boolean> {
    const { workspace_id, kb_id } = at;
    const waiting = await store.claimDocumentsToIndex(db, workspace_id, kb_id, documentsAtOnce);
    if (waiting.length === 0) return false;
    const again = waiting.filter(({ indexed }) => indexed);
    const unfinished = again.filter(({ live_run }) => live_run === null).map(({ document_id }) => document_id);
    const live = again.flatMap(({ document_id, live_run }) =>
      live_run === null ? [] : [{ document_id, run_id: live_run }],
    );
    if (again.length)
      await forTextAndPictureIndex(at, async (own) => {
        await index.remove(own, unfinished);
        await index.removeOutdated(own, live);
      });
    const documents = new Map(waiting.map((document) => [document.document_id, document]));
    let after: string | undefined;
    for (;;) {
      const chunks = await store.chunksOf(db, workspace_id, kb_id, waiting, { after, most: chunksAtOnce });
      await addRows(index, at, chunks, (chunk) => required(documents.get(chunk.document_id)), model);
      if (chunks.length < chunksAtOnce) break;
      after = chunks.at(-1)?.id;
    }
    // Before the old rows are removed, so that searches always have sorted rows.
    await index.tend(at, waiting.some(({ live_run }) => live_run !== null) ? 'replacing' : undefined);
    await db.transaction(undefined, (tx) => store.markTrained(tx, workspace_id, kb_id, waiting));
    const replaced = waiting.filter(({ live_run }) => live_run !== null);
    const now = replaced.map(({ document_id, run_id }) => ({ document_id, run_id }));
    if (now.length) await forTextAndPictureIndex(at, (own) => index.removeOutdated(own, now));
    return waiting.length === documentsAtOnce;
  }

  return async (place) => {
    const { workspace_id, kb_id } = place;
    const base = await findBase(db, workspace_id, kb_id);
    if (!base) return;
    try {
      const name = base.index_name ?? (await create(place));
      const at = { workspace_id, kb_id, name };
      while (await applyChanges(at));
      const model =
        base.index_name === null ? ((await findBase(db, workspace_id, kb_id))?.index_model ?? null) : base.index_model;
      while (await addDocuments(at, model));
    } catch (error) {
      // The index is lost: it is rebuilt from the database.
      if (!(error instanceof IndexMissing)) throw error;
      await deps.rebuild(place);
    }
  };
}
