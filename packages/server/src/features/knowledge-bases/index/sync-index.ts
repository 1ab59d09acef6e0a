import type { Database } from '../../../db/database.ts';
import {
  IndexMissing,
  type IndexName,
  type IndexRow,
  type IndexSpec,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';
import type { JobContext } from '../../../lib/define-job.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import { vectorOf } from '../ingest/training-store.ts';
import type { KbRef } from '../ports.ts';
import { addChangedPassages } from '../ranking/learning/changed-passages-store.ts';
import type { LearnFromIndex } from '../ranking/learning/learn-from-index.ts';
import { findBase, setIndex } from '../store.ts';
import * as store from './index-store.ts';
import { headingsWithTitle, headingText, indexText } from './index-text.ts';
import { addPictures, forTextAndPictureIndex } from './picture-index.ts';
import { purgeSmallIndexes } from './purge-index.ts';
import { addToRightsIndex, forIndexesOf, ignoreMissing, rightsIndexName } from './rights-index.ts';
import type { IndexWriter, WriteIndex } from './write-index.ts';

const [documentsAtOnce, chunksAtOnce, changesAtOnce] = [500, 2000, 1000];

const idsOf = (documents: readonly { document_id: string }[]) => documents.map(({ document_id }) => document_id);

/** A passage as a row of the index, without the vector if another model made it. */
const rowOf = (
  { headings, ...chunk }: store.ChunkToIndex,
  { name, prefix }: { name: string; prefix: string },
  model: string | null,
): IndexRow => {
  const titled = { ...chunk, name, headings: headingsWithTitle({ ...chunk, headings }) };
  return {
    id: chunk.id,
    document_id: chunk.document_id,
    run_id: chunk.run_id,
    path: prefix,
    text: indexText(titled),
    heading: headingText(titled),
    vector: chunk.embedding && (chunk.seen_by ?? model) === chunk.embedding_model ? vectorOf(chunk.embedding) : null,
  };
};

/**
 * Adds passages of text to the text index and pictures to the picture index of the rights of their document. Returns the
 * rights of the indexes that it added to.
 */
export async function addRows<C extends store.ChunkToIndex>(
  index: RetrievalIndex,
  at: IndexName,
  chunks: readonly C[],
  documentOf: (chunk: C) => { name: string; prefix: string; rights_id: number | null },
  model: string | null,
  findSpec: (rights_id: number) => Promise<IndexSpec>,
): Promise<(number | null)[]> {
  const rows = (of: readonly C[]) => of.map((chunk) => rowOf(chunk, documentOf(chunk), model));
  const groups = Map.groupBy(chunks, (chunk) => documentOf(chunk).rights_id);
  for (const [rights_id, own] of groups) {
    const texts = rows(own.filter(({ seen_by }) => seen_by === null));
    await addToRightsIndex(index, at, rights_id, texts, findSpec);
    const pictures = rows(own.filter(({ seen_by }) => seen_by !== null));
    await addPictures(index, rightsIndexName(at, rights_id), pictures);
  }
  return [...groups.keys()];
}

/** How the index of a set of rights is made: with the language of its own documents, and vectors as the main index has. */
export const makeFindSpec =
  (db: Database, { workspace_id, kb_id }: KbRef, main: IndexSpec) =>
  async (rights_id: number): Promise<IndexSpec> => ({
    ...main,
    language: (await store.mainLanguage(db, workspace_id, kb_id, rights_id)) ?? main.language,
  });

export type IndexSync = (place: KbRef, context: JobContext) => Promise<void>;

/**
 * Brings the index up to date with the database: new, removed and moved documents. Runs one at a time for each knowledge
 * base. Every step can be repeated after a crash: rows that the index may hold already are removed before they are added.
 */
export function makeIndexSync(deps: {
  db: Database;
  writeIndex: WriteIndex;
  /** Queues a rebuild of the index. */
  rebuild(place: KbRef): Promise<void>;
  /** Queues a job that rewrites the indexes of the knowledge base. */
  purgeLater(place: KbRef): Promise<void>;
  learn: LearnFromIndex;
}): IndexSync {
  return (place, context) => deps.writeIndex(place, context, (writer) => syncIndex(deps, writer, place, context));
}

async function syncIndex(
  deps: {
    db: Database;
    rebuild(place: KbRef): Promise<void>;
    purgeLater(place: KbRef): Promise<void>;
    learn: LearnFromIndex;
  },
  { index, store: storeFenced }: IndexWriter,
  place: KbRef,
  { log, signal }: JobContext,
): Promise<void> {
  const { db } = deps;

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
    await storeFenced((tx) => setIndex(tx, workspace_id, kb_id, { name, language, model, dimension }));
    const old = base?.index_name;
    if (old) await forTextAndPictureIndex({ workspace_id, kb_id, name: old }, (own) => index.drop(own));
    return name;
  }

  /** Takes the words of removed passages out of the files: at once where that is quick, else by a job. */
  async function purge(at: IndexName, removed: readonly { index_rights_id: number | null }[]): Promise<boolean> {
    const isDone = await purgeSmallIndexes(index, at, removed);
    if (!isDone) await deps.purgeLater(place);
    return isDone;
  }

  /** Removes and moves rows; true while there may be more changes. */
  async function applyChanges(at: IndexName, facts: IndexSpec & { model: string | null }): Promise<boolean> {
    const { workspace_id, kb_id } = at;
    const changes = await store.listIndexChanges(db, workspace_id, kb_id, changesAtOnce);
    const removed = changes.filter(({ change }) => change === 'removed');
    let isPurged = false;
    if (removed.length) {
      await forIndexesOf(at, removed, (name, own) => index.remove(name, idsOf(own)));
      isPurged = await purge(at, removed);
      await storeFenced((tx) => store.dropChanges(tx, workspace_id, kb_id, removed));
    }
    const moved = Map.groupBy(
      changes.filter(({ change }) => change === 'moved'),
      ({ prefix }) => prefix,
    );
    for (const [prefix, group] of moved) {
      if (prefix !== null) await forIndexesOf(at, group, (name, own) => index.move(name, idsOf(own), prefix));
      await storeFenced((tx) => store.dropChanges(tx, workspace_id, kb_id, group));
    }
    const others = changes.filter(({ change }) => change === 'rights');
    // What was learned from documents for everybody must not stay when they are that no more.
    if (others.some(({ index_rights_id }) => index_rights_id === null)) await index.writeModel(at, null);
    const rights = others.length ? await moveToRights(at, facts, others) : [];
    const touched = [...changes.map(({ index_rights_id }) => index_rights_id), ...rights];
    await tendAll(at, touched);
    // Changes of restricted documents alone have no effect on what is learned, not even on when.
    const anew = isPurged && removed.some(({ index_rights_id }) => index_rights_id === null);
    if (touched.includes(null)) await deps.learn(at, facts.language, log, signal, { anew });
    return changes.length === changesAtOnce;
  }

  /** Follows passages that were switched off or on, edited, added or deleted by hand; true while there may be more. */
  async function applyPassageChanges(at: IndexName, { model, ...spec }: IndexSpec & { model: string | null }) {
    const { workspace_id, kb_id } = at;
    const changes = await store.listPassageChanges(db, workspace_id, kb_id, changesAtOnce);
    if (changes.length === 0) return false;
    const ids = changes.map(({ chunk_id }) => chunk_id);
    await forIndexesOf(at, changes, (name, own) =>
      index.removeRows(
        name,
        own.map(({ chunk_id }) => chunk_id),
      ),
    );
    const chunks = await store.findChunksToIndex(db, workspace_id, kb_id, ids);
    const documentOf = (chunk: (typeof chunks)[number]) => ({ ...chunk, rights_id: chunk.index_rights_id });
    await addRows(index, at, chunks, documentOf, model, makeFindSpec(db, at, spec));
    await purge(at, changes);
    await tendAll(at, [null, ...changes.map(({ index_rights_id }) => index_rights_id)]);
    const open = changes.filter(({ index_rights_id }) => index_rights_id === null);
    await storeFenced(async (tx) => {
      await store.dropPassageChanges(tx, workspace_id, kb_id, changes);
      await addChangedPassages(tx, at, open.length);
    });
    if (open.length) await deps.learn(at, spec.language, log, signal);
    return changes.length === changesAtOnce;
  }

  /** Moves the passages of documents whose rights have changed. They are in both indexes for a moment, never in none. */
  async function moveToRights(
    at: IndexName,
    facts: IndexSpec & { model: string | null },
    changes: readonly store.IndexChange[],
  ) {
    const { workspace_id, kb_id } = at;
    const documents = await store.findDocumentsToMove(db, workspace_id, kb_id, idsOf(changes));
    const target = documents.map((document) => ({ ...document, index_rights_id: document.rights_id }));
    await forIndexesOf(at, target, (name, own) => index.remove(name, idsOf(own)));
    const live = target.filter(({ live_run }) => live_run !== null);
    await addPassages(at, facts, live);
    await storeFenced((tx) => store.setIndexRights(tx, workspace_id, kb_id, target));
    await forIndexesOf(at, documents, (name, own) => index.remove(name, idsOf(own)));
    await storeFenced((tx) => store.dropChanges(tx, workspace_id, kb_id, changes));
    return target.map(({ rights_id }) => rights_id);
  }

  /**
   * Adds the passages of trainings to the indexes of their documents; returns the rights of these indexes, and how many
   * passages for everybody take the place of others.
   */
  async function addPassages(
    at: IndexName,
    { model, ...spec }: IndexSpec & { model: string | null },
    waiting: readonly store.DocumentToIndex[],
  ) {
    const documents = new Map(
      waiting.map((document) => [document.document_id, { ...document, rights_id: document.index_rights_id }]),
    );
    const { workspace_id, kb_id } = at;
    const findSpec = makeFindSpec(db, at, spec);
    const documentOf = ({ document_id }: store.ChunkToIndex) => required(documents.get(document_id));
    const isReplaced = ({ live_run, rights_id }: ReturnType<typeof documentOf>) =>
      live_run !== null && rights_id === null;
    const rights = new Set<number | null>();
    let [after, replaced]: [string | undefined, number] = [undefined, 0];
    for (;;) {
      const chunks = await store.chunksOf(db, workspace_id, kb_id, waiting, { after, most: chunksAtOnce });
      for (const id of await addRows(index, at, chunks, documentOf, model, findSpec)) rights.add(id);
      replaced += chunks.filter((chunk) => isReplaced(documentOf(chunk))).length;
      if (chunks.length < chunksAtOnce) return { rights: [...rights], replaced };
      after = chunks.at(-1)?.id;
    }
  }

  async function tendAll(
    at: IndexName,
    rights: readonly (number | null)[],
    how: 'replacing' | undefined = 'replacing',
  ) {
    for (const rights_id of new Set(rights))
      await ignoreMissing(rights_id, index.tend(rightsIndexName(at, rights_id), how));
  }

  /** Adds the passages of waiting documents; true while there may be more documents. */
  async function addDocuments(at: IndexName, facts: IndexSpec & { model: string | null }): Promise<boolean> {
    const { workspace_id, kb_id } = at;
    const waiting = await store.claimDocumentsToIndex(db, workspace_id, kb_id, documentsAtOnce);
    if (waiting.length === 0) return false;
    const again = waiting.filter(({ indexed }) => indexed);
    await forIndexesOf(at, again, async (name, own) => {
      await index.remove(name, idsOf(own.filter(({ live_run }) => live_run === null)));
      const live = own.flatMap(({ document_id, live_run }) =>
        live_run === null ? [] : [{ document_id, run_id: live_run }],
      );
      await index.removeOutdated(name, live);
    });
    const { rights, replaced: changed } = await addPassages(at, facts, waiting);
    // Before the old rows are removed, so that searches always have sorted rows.
    await tendAll(at, [null, ...rights], waiting.some(({ live_run }) => live_run !== null) ? 'replacing' : undefined);
    await storeFenced(async (tx) => {
      await store.markTrained(tx, workspace_id, kb_id, waiting);
      await addChangedPassages(tx, at, changed);
    });
    const replaced = waiting.filter(({ live_run }) => live_run !== null);
    await forIndexesOf(at, replaced, (name, own) =>
      index.removeOutdated(
        name,
        own.map(({ document_id, run_id }) => ({ document_id, run_id })),
      ),
    );
    // The words of the trainings before are still in the files.
    if (replaced.length) await deps.purgeLater(place);
    return waiting.length === documentsAtOnce;
  }

  const { workspace_id, kb_id } = place;
  const base = await findBase(db, workspace_id, kb_id);
  if (!base) return;
  try {
    const name = base.index_name ?? (await create(place));
    const at = { workspace_id, kb_id, name };
    const own = base.index_name === null ? ((await findBase(db, workspace_id, kb_id)) ?? base) : base;
    const facts = { model: own.index_model, language: own.index_language, dimension: own.index_dimension };
    while (await applyChanges(at, facts));
    while (await applyPassageChanges(at, facts));
    while (await addDocuments(at, facts));
  } catch (error) {
    // The index is lost: it is rebuilt from the database, unless another job has moved it away meanwhile.
    if (!(error instanceof IndexMissing)) throw error;
    await storeFenced(async () => {});
    await deps.rebuild(place);
  }
}
