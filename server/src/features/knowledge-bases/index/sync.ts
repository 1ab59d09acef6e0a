import type { Database } from '../../../db/database.ts';
import {
  IndexMissing,
  type IndexName,
  type IndexRow,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';
import { newId } from '../../../lib/ids.ts';
import { findBase, setIndex } from '../base-store.ts';
import { vectorOf } from '../ingest/training-store.ts';
import * as store from './index-store.ts';
import { indexText } from './index-text.ts';

const [documentsAtOnce, chunksAtOnce, changesAtOnce] = [500, 2000, 1000];

export interface KbPlace {
  workspace_id: string;
  kb_id: string;
}

/** A passage as the index takes it. A vector that another model made has no place in it. */
export const rowOf = (
  chunk: store.ChunkToIndex,
  document: { name: string; prefix: string },
  model: string | null,
): IndexRow => ({
  id: chunk.id,
  document_id: chunk.document_id,
  run_id: chunk.run_id,
  path: document.prefix,
  text: indexText({ ...chunk, name: document.name }),
  vector: chunk.embedding && chunk.embedding_model === model ? vectorOf(chunk.embedding) : null,
});

/**
 * Brings the index up to what the database says: documents that wait, that are gone, that were moved. One at a time for
 * each base. Every step can be done again: what the index may already hold is taken out before it is put in.
 */
export function makeIndexSync(deps: {
  db: Database;
  index: RetrievalIndex;
  /** Asks for an index built anew. */
  rebuild(place: KbPlace): Promise<void>;
}) {
  const { db, index } = deps;

  /** The first documents decide what the index is like; when that no longer fits, it is built anew. */
  async function create({ workspace_id, kb_id }: KbPlace): Promise<string> {
    const base = await findBase(db, workspace_id, kb_id);
    const language = (await store.mainLanguage(db, workspace_id, kb_id)) ?? 'en';
    const [one] = await store.takeWaiting(db, workspace_id, kb_id, 1);
    const [sample] = one ? await store.chunksOf(db, workspace_id, kb_id, [one], { after: undefined, most: 1 }) : [];
    const model = sample?.embedding_model ?? null;
    const dimension = sample?.embedding ? sample.embedding.length / 4 : null;
    const name = newId();
    await index.create({ workspace_id, kb_id, name }, { language, dimension });
    await setIndex(db, workspace_id, kb_id, { name, language, model, dimension });
    if (base?.index_name) await index.drop({ workspace_id, kb_id, name: base.index_name });
    return name;
  }

  /** True while there may be more. */
  async function applyChanges(at: IndexName): Promise<boolean> {
    const { workspace_id, kb_id } = at;
    const changes = await store.takeChanges(db, workspace_id, kb_id, changesAtOnce);
    const removed = changes.filter(({ change }) => change === 'removed').map(({ document_id }) => document_id);
    if (removed.length) {
      await index.remove(at, removed);
      await store.dropChange(db, workspace_id, kb_id, removed, 'removed');
    }
    const moved = Map.groupBy(
      changes.filter(({ change }) => change === 'moved'),
      ({ prefix }) => prefix,
    );
    for (const [prefix, those] of moved) {
      const ids = those.map(({ document_id }) => document_id);
      if (prefix !== null) await index.move(at, ids, prefix);
      await store.dropChange(db, workspace_id, kb_id, ids, 'moved');
    }
    if (changes.length) await index.tend(at, 'replacing');
    return changes.length === changesAtOnce;
  }

  /** True while there may be more. */
  async function addSome(at: IndexName, model: string | null): Promise<boolean> {
    const { workspace_id, kb_id } = at;
    const waiting = await store.takeWaiting(db, workspace_id, kb_id, documentsAtOnce);
    if (waiting.length === 0) return false;
    const again = waiting.filter(({ indexed }) => indexed);
    await index.remove(
      at,
      again.filter(({ live_run }) => live_run === null).map(({ document_id }) => document_id),
    );
    await index.removeOutdated(
      at,
      again.flatMap(({ document_id, live_run }) => (live_run === null ? [] : [{ document_id, run_id: live_run }])),
    );
    const documents = new Map(waiting.map((one) => [one.document_id, one]));
    let after: string | undefined;
    for (;;) {
      const chunks = await store.chunksOf(db, workspace_id, kb_id, waiting, { after, most: chunksAtOnce });
      const rows = chunks.map((chunk) => rowOf(chunk, documents.get(chunk.document_id) as store.Waiting, model));
      await index.add(at, rows);
      if (chunks.length < chunksAtOnce) break;
      after = chunks.at(-1)?.id;
    }
    // In order before the old ones go, so that there is always something in order.
    await index.tend(at, waiting.some(({ live_run }) => live_run !== null) ? 'replacing' : undefined);
    await db.transaction(undefined, (tx) => store.markTrained(tx, workspace_id, kb_id, waiting));
    const replaced = waiting.filter(({ live_run }) => live_run !== null);
    await index.removeOutdated(
      at,
      replaced.map(({ document_id, run_id }) => ({ document_id, run_id })),
    );
    return waiting.length === documentsAtOnce;
  }

  return async (place: KbPlace): Promise<void> => {
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
