import type { Database } from '../../../db/database.ts';
import {
  IndexMissing,
  type IndexName,
  type IndexRow,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';
import { newId } from '../../../lib/ids.ts';
import { vectorOf } from '../ingest/training-store.ts';
import { findBase, setIndex } from '../store.ts';
import * as store from './index-store.ts';
import { indexText } from './index-text.ts';
import { addPictures, forTextAndPictureIndex } from './picture-index.ts';

const [documentsAtOnce, chunksAtOnce, changesAtOnce] = [500, 2000, 1000];

export interface KbRef {
  workspace_id: string;
  kb_id: string;
}

/** A passage as the index takes it. A vector that another model made has no place in it. */
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

/** Passages of text go into the one index, pictures into the other. */
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

/**
 * Brings the index up to what the database says: documents that wait, that are gone, that were moved. One at a time for
 * each base. Every step can be done again: what the index may already hold is taken out before it is put in.
 */
export function makeIndexSync(deps: {
  db: Database;
  index: RetrievalIndex;
  /** Asks for an index built anew. */
  rebuild(place: KbRef): Promise<void>;
}) {
  const { db, index } = deps;

  /** The first documents decide what the index is like; when that no longer fits, it is built anew. */
  async function create({ workspace_id, kb_id }: KbRef): Promise<string> {
    const base = await findBase(db, workspace_id, kb_id);
    const language = (await store.mainLanguage(db, workspace_id, kb_id)) ?? 'en';
    const [one] = await store.claimDocumentsToIndex(db, workspace_id, kb_id, 1);
    const some = one ? await store.chunksOf(db, workspace_id, kb_id, [one], { after: undefined, most: 50 }) : [];
    const sample = some.find(({ seen_by }) => seen_by === null);
    const model = sample?.embedding_model ?? null;
    const dimension = sample?.embedding ? sample.embedding.length / 4 : null;
    const name = newId();
    await index.create({ workspace_id, kb_id, name }, { language, dimension });
    await setIndex(db, workspace_id, kb_id, { name, language, model, dimension });
    const old = base?.index_name;
    if (old) await forTextAndPictureIndex({ workspace_id, kb_id, name: old }, (own) => index.drop(own));
    return name;
  }

  /** True while there may be more. */
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
    for (const [prefix, those] of moved) {
      const ids = those.map(({ document_id }) => document_id);
      if (prefix !== null) await forTextAndPictureIndex(at, (own) => index.move(own, ids, prefix));
      await store.dropChange(db, workspace_id, kb_id, ids, 'moved');
    }
    if (changes.length) await index.tend(at, 'replacing');
    return changes.length === changesAtOnce;
  }

  /** True while there may be more. */
  async function addSome(at: IndexName, model: string | null): Promise<boolean> {
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
    const documents = new Map(waiting.map((one) => [one.document_id, one]));
    let after: string | undefined;
    for (;;) {
      const chunks = await store.chunksOf(db, workspace_id, kb_id, waiting, { after, most: chunksAtOnce });
      await addRows(index, at, chunks, (chunk) => documents.get(chunk.document_id) as store.Waiting, model);
      if (chunks.length < chunksAtOnce) break;
      after = chunks.at(-1)?.id;
    }
    // In order before the old ones go, so that there is always something in order.
    await index.tend(at, waiting.some(({ live_run }) => live_run !== null) ? 'replacing' : undefined);
    await db.transaction(undefined, (tx) => store.markTrained(tx, workspace_id, kb_id, waiting));
    const replaced = waiting.filter(({ live_run }) => live_run !== null);
    const now = replaced.map(({ document_id, run_id }) => ({ document_id, run_id }));
    if (now.length) await forTextAndPictureIndex(at, (own) => index.removeOutdated(own, now));
    return waiting.length === documentsAtOnce;
  }

  return async (place: KbRef): Promise<void> => {
    const { workspace_id, kb_id } = place;
    const base = await findBase(db, workspace_id, kb_id);
    if (!base) return;
    try {
      const name = base.index_name ?? (await create(place));
      const at = { workspace_id, kb_id, name };
      while (await applyChanges(at));
      const model =
        base.index_name === null ? ((await findBase(db, workspace_id, kb_id))?.index_model ?? null) : base.index_model;
      while (await addSome(at, model));
    } catch (error) {
      // It was lost: what is in the database is enough to make it again.
      if (!(error instanceof IndexMissing)) throw error;
      await deps.rebuild(place);
    }
  };
}
