import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { Database } from '../../../db/database.ts';
import {
  type IndexFilter,
  type IndexHit,
  IndexMissing,
  type IndexName,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Embedders } from '../../embeddings/service.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';
import { pictureIndexName } from '../index/picture-index.ts';
import { type BaseRow, setEmbeddingHealth } from '../store.ts';

const timeout_ms = 10_000;

/** Embeds questions. When a model fails, the search goes by words only and a note says why. */
export function makeQuestionEmbedder({
  db,
  index,
  embedders,
}: {
  db: Database;
  index: RetrievalIndex;
  embedders: Embedders;
}) {
  /** The vector of the question, or a note why there is none. */
  async function vectorOf(
    scope: Scope,
    base: BaseRow,
    settings: KbSettings,
    query: string,
    anonymizer: Anonymizer,
  ): Promise<{ vector?: Float32Array; note?: string }> {
    if (base.index_dimension === null) return { note: 'It was searched by words: the index has no vectors' };
    const embedder = await embedders.resolve(scope, settings.embedding_model);
    if ('reason' in embedder) return { note: `It was searched by words: ${embedder.reason}` };
    if (embedder.name !== base.index_model)
      return { note: `It was searched by words: the index was not made by ${embedder.name}; reindex makes it so` };
    try {
      const signal = AbortSignal.any([scope.signal, AbortSignal.timeout(timeout_ms)]);
      const [vector] = await embedder.embed([query], anonymizer, signal);
      if (base.embedding_error !== null)
        await setEmbeddingHealth(db, base.group_id, base.id, { error: null, detected: vector?.length ?? null });
      return vector ? { vector } : {};
    } catch (error) {
      scope.signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : 'the embedding model failed';
      await setEmbeddingHealth(db, base.group_id, base.id, { error: reason, detected: null });
      return { note: `It was searched by words: ${reason}` };
    }
  }

  /** Most indexes have no pictures beside them. */
  const findPictures = (own: IndexName, vector: Float32Array, limit: number, filter: IndexFilter) =>
    index.searchVector(pictureIndexName(own), vector, limit, filter).catch((error: unknown): IndexHit[] => {
      if (error instanceof IndexMissing) return [];
      throw error;
    });

  /** Finds pictures that fit the question, if a multimodal model is configured. */
  async function picturesFor(
    scope: Scope,
    settings: KbSettings,
    searchAll: (search: (own: IndexName) => Promise<IndexHit[]>) => Promise<IndexHit[]>,
    query: string,
    filter: IndexFilter,
    top_k: number,
    anonymizer: Anonymizer,
  ): Promise<{ found?: IndexHit[]; note?: string }> {
    if (settings.mm_embedding_model.length === 0) return {};
    const embedder = await embedders.resolvePictureModel(scope, settings.mm_embedding_model);
    if ('reason' in embedder) return { note: `Pictures were not searched: ${embedder.reason}` };
    try {
      const signal = AbortSignal.any([scope.signal, AbortSignal.timeout(timeout_ms)]);
      const vector = await embedder.embed(query, anonymizer, signal);
      return { found: await searchAll((own) => findPictures(own, vector, top_k, filter)) };
    } catch (error) {
      scope.signal.throwIfAborted();
      return { note: `Pictures were not searched: ${error instanceof Error ? error.message : 'the model failed'}` };
    }
  }

  return { vectorOf, picturesFor };
}
