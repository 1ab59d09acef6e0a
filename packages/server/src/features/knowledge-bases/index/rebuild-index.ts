import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { Database } from '../../../db/database.ts';
import type { JobContext } from '../../../lib/define-job.ts';
import { newId } from '../../../lib/ids.ts';
import type { Embedders } from '../../embeddings/service.ts';
import type { KbAnonymizers } from '../anonymizers.ts';
import { embedChunks } from '../ingest/embed-chunks.ts';
import * as runs from '../ingest/ingestion-run-store.ts';
import { bytesOf } from '../ingest/training-store.ts';
import type { KbRef } from '../ports.ts';
import type { LearnFromIndex } from '../ranking/learning/learn-from-index.ts';
import { type BaseRow, findBase, setEmbeddingHealth, setIndex } from '../store.ts';
import * as store from './index-store.ts';
import { indexText } from './index-text.ts';
import { addRows, makeFindSpec } from './sync-index.ts';
import type { IndexWriter, WriteIndex } from './write-index.ts';

const chunksAtOnce = 2000;

export type IndexRebuild = (place: KbRef, run_id: string, context: JobContext) => Promise<void>;

/**
 * Builds a new index from the database while the old one is searched, and then replaces the old one. Passages that the
 * current embedding model has not embedded are embedded first.
 */
export function makeIndexRebuild({
  db,
  writeIndex,
  embedders,
  anonymizers,
  learn,
}: {
  db: Database;
  writeIndex: WriteIndex;
  embedders: Embedders;
  anonymizers: KbAnonymizers;
  learn: LearnFromIndex;
}): IndexRebuild {
  async function embedMissing(base: BaseRow, step: (done: number) => Promise<unknown>, signal: AbortSignal) {
    const { group_id: workspace_id, id: kb_id, tenant_id } = base;
    const settings = effective(base.settings);
    if (embedders.effectiveNames(settings.embedding_model).length === 0) return null;
    const embedder = await embedders.resolve({ tenant_id, workspace_id }, settings.embedding_model);
    if ('reason' in embedder) {
      await setEmbeddingHealth(db, workspace_id, kb_id, { error: embedder.reason, detected: null });
      return null;
    }
    const total = Math.max(1, await store.countLive(db, workspace_id, kb_id));
    let after: string | undefined;
    let done = 0;
    for (;;) {
      const chunks = await store.findUnembeddedChunks(
        db,
        workspace_id,
        kb_id,
        embedder.name,
        after,
        settings.batch_size * 8,
      );
      if (chunks.length === 0) break;
      after = chunks.at(-1)?.id;
      const { vectors, error, detected } = await embedChunks(embedder, chunks.map(indexText), {
        batch: settings.batch_size,
        dimension: settings.embedding_dimension,
        anonymizer: anonymizers.embedding(settings),
        signal,
      });
      const rows = chunks.flatMap(({ id }, at) => (vectors[at] ? [{ id, bytes: bytesOf(vectors[at]) }] : []));
      await store.setEmbeddings(db, workspace_id, kb_id, embedder.name, rows);
      await setEmbeddingHealth(db, workspace_id, kb_id, { error, detected });
      if (error !== null) break;
      done += chunks.length;
      await step(done / total);
    }
    return embedder.name;
  }

  return (place, run_id, context) =>
    writeIndex(place, context, (writer) => build(writer, place, run_id, context.signal));

  async function build(
    { index, store: storeFenced }: IndexWriter,
    { workspace_id, kb_id }: KbRef,
    run_id: string,
    signal: AbortSignal,
  ): Promise<void> {
    const base = await findBase(db, workspace_id, kb_id);
    if (!base) return;
    const step = (stage: string, progress: number) =>
      runs.stepRun(db, workspace_id, kb_id, run_id, { stage, progress });
    await step('embed', 0);
    const model = await embedMissing(base, (done) => step('embed', Math.min(49, Math.floor(50 * done))), signal);
    const dimension = model === null ? null : await store.dimensionOf(db, workspace_id, kb_id, model);
    const language = (await store.mainLanguage(db, workspace_id, kb_id)) ?? 'en';
    const total = Math.max(1, await store.countLive(db, workspace_id, kb_id));
    const at = { workspace_id, kb_id, name: newId() };
    await index.create(at, { language, dimension });
    const findSpec = makeFindSpec(db, at, { language, dimension });
    const placed = new Map<string, number | null>();
    const moved: { document_id: string; rights_id: number | null }[] = [];
    let after: string | undefined;
    let done = 0;
    for (;;) {
      signal.throwIfAborted();
      const chunks = await store.liveChunks(db, workspace_id, kb_id, { after, most: chunksAtOnce });
      if (chunks.length === 0) break;
      after = chunks.at(-1)?.id;
      // A document whose rights change meanwhile is moved by the next sync, which has to know where it is.
      for (const { document_id, rights_id, index_rights_id } of chunks) {
        if (placed.has(document_id)) continue;
        placed.set(document_id, rights_id);
        if (rights_id !== index_rights_id) moved.push({ document_id, rights_id });
      }
      const documentOf = (chunk: (typeof chunks)[number]) => ({
        ...chunk,
        rights_id: placed.get(chunk.document_id) ?? null,
      });
      await addRows(index, at, chunks, documentOf, model, findSpec);
      done += chunks.length;
      await step('index', 50 + Math.min(45, Math.floor((45 * done) / total)));
    }
    if (done > 0) await index.tend(at, 'fully');
    if (done > 0) await learn(at, language, undefined, signal);
    await storeFenced(async (tx) => {
      await setIndex(tx, workspace_id, kb_id, { name: at.name, language, model, dimension });
      if (moved.length) await store.setIndexRights(tx, workspace_id, kb_id, moved);
    });
    await index.dropAll({ workspace_id, kb_id }, at.name);
    await runs.endRun(db, workspace_id, kb_id, run_id, null);
  }
}
