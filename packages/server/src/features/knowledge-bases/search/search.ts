import { unavailable } from '@atrium/contract/errors.ts';
import type { SearchHit } from '@atrium/contract/knowledge-bases/schema.ts';
import type { KbSettings, SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { Database } from '../../../db/database.ts';
import {
  byScore,
  type IndexFilter,
  type IndexHit,
  IndexMissing,
  type IndexName,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Embedders } from '../../embeddings/service.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';
import { noteUsedRights } from '../../ownership/service.ts';
import type { KbAnonymizers } from '../anonymizers.ts';
import { type FoundChunk, findChunksAtPositions, findLiveChunks } from '../documents/chunk-store.ts';
import { normalizeFolder } from '../documents/folder-path.ts';
import { ignoreMissing, rightsIndexName } from '../index/rights-index.ts';
import { explainWords } from '../ranking/rank-candidates.ts';
import type { Visibility } from '../rights/visible.ts';
import type { KnowledgeBases } from '../service.ts';
import { type BaseRow, setIndexDamaged } from '../store.ts';
import { checkWeights } from './check-weights.ts';
import { citeHit } from './cite-hit.ts';
import { makeQuestionEmbedder } from './embed-question.ts';
import { type FoundPassages, makeFindPassages } from './find-passages.ts';
import { joinPassages } from './join-passages.ts';
import { freshnessOf, makeJoin } from './join-rankings.ts';
import { markWords } from './mark-store.ts';
import { type Rerankers, scoreHits } from './rank-hits.ts';

export interface SearchRequest {
  query: string;
  prefix?: string | undefined;
  document_ids?: readonly string[] | undefined;
  top_k?: number | undefined;
  explain?: boolean | undefined;
  /** Used instead of the settings of the knowledge base. */
  settings_?: SparseKbSettings | undefined;
  /** Searches documents for everybody only, whatever else the caller may see. */
  unrestricted_only?: boolean | undefined;
}

/**
 * Finds the passages that answer a question, best first. Values that the anonymizer hides do not reach an embedding model
 * or a reranker.
 */
export type KbSearch = (
  scope: Scope,
  kb_id: string,
  request: SearchRequest,
  anonymizer: Anonymizer,
) => Promise<SearchHit[]>;

/** The nearest vectors that are compared by their scores. */
const vectorCandidates = 100;
/** Stands in the note of a model that failed when learned vectors took its place. */
const byLearned = 'by words and by vectors learned from this knowledge base';
const nothingFound: FoundPassages = { words: undefined, vectors: undefined, scored: new Map(), terms: [] };

/** Requested from the index beyond `top_k`, because some hits may belong to documents that were just deleted. */
const spare = 10;

export function makeKbSearch(deps: {
  db: Database;
  bases: KnowledgeBases;
  index: RetrievalIndex;
  embedders: Embedders;
  rerankers(scope: Scope, anonymizer: Anonymizer): Rerankers;
  anonymizers: KbAnonymizers;
  visibility: Pick<Visibility, 'forSearch' | 'rightsOf'>;
}): KbSearch {
  const { db, index } = deps;
  const { vectorOf, picturesFor } = makeQuestionEmbedder(deps);
  const findPassages = makeFindPassages(deps);

  /** A run remembers the sets of rights that it has used, so that its readers need them too. */
  async function noteRights(scope: Scope, kb_id: string, hits: readonly SearchHit[]): Promise<void> {
    const run_id = scope.within?.run_id;
    if (run_id === undefined || hits.length === 0) return;
    const documents = hits.map(({ citation: { document_id } }) => ({ kb_id, document_id }));
    const rights = await deps.visibility.rightsOf(scope.workspace_id, documents);
    const used = [...new Set(rights.values())].filter((id) => id !== null);
    if (used.length) await noteUsedRights(db, scope.workspace_id, run_id, used);
  }

  async function rankPassages(
    scope: Scope,
    base: BaseRow,
    at: IndexName,
    settings: KbSettings,
    request: SearchRequest,
    top_k: number,
    anonymizer: Anonymizer,
    visible: readonly number[],
  ) {
    const prefix = request.prefix === undefined ? undefined : normalizeFolder(request.prefix);
    const filter: IndexFilter = {
      ...(prefix !== undefined && { path: prefix }),
      ...(request.document_ids?.length && { document_ids: request.document_ids }),
    };
    const { retrieval_method: method } = settings;
    const limit = top_k + spare;
    /** Searches the index for everybody and those of the rights that the caller has, and joins what they find. */
    const searchAll = async (search: (own: IndexName) => Promise<IndexHit[]>) => {
      const lists = [null, ...visible].map((rights_id) =>
        ignoreMissing(rights_id, search(rightsIndexName(at, rights_id))),
      );
      const found = (await Promise.all(lists)).flatMap((hits) => hits ?? []);
      return visible.length ? found.sort(byScore) : found;
    };
    const notes: string[] = [];
    const embedded: Awaited<ReturnType<typeof vectorOf>> =
      method === 'full_text' ? {} : await vectorOf(scope, base, settings, request.query, anonymizer);
    const pictures =
      method === 'full_text'
        ? {}
        : await picturesFor(scope, settings, searchAll, request.query, filter, top_k, anonymizer);
    const { vector } = embedded;
    const [found, byModel] = await Promise.all([
      method === 'semantic' && vector
        ? nothingFound
        : findPassages(at, request.query, settings, {
            ...{ language: base.index_language, filter, visible, limit, embedded: vector !== undefined },
          }),
      vector
        ? searchAll((own) => index.searchVector(own, vector, Math.max(limit, vectorCandidates), filter))
        : undefined,
    ]);
    const hasModel = deps.embedders.effectiveNames(settings.embedding_model).length > 0;
    const failed =
      found.note === undefined ? embedded.note : hasModel ? embedded.note?.replace('by words', byLearned) : undefined;
    notes.push(...[failed ?? found.note, pictures.note].flatMap((note) => note ?? []));
    const lists = { words: found.words, vectors: byModel ?? found.vectors, pictures: pictures.found };
    const { ids, join } = makeJoin(lists, found.scored, settings, { limit, top_k, learned: byModel === undefined });
    const chunks = new Map(
      (await findLiveChunks(db, base.group_id, base.id, ids, { prefix, visible })).map(
        (chunk) => [chunk.id, chunk] as const,
      ),
    );
    return {
      fused: join(chunks),
      chunks,
      notes,
      scored: found.scored,
      terms: found.terms,
      learned: found.vectors !== undefined,
    };
  }

  /** Adds the neighbouring passages that the settings ask for. */
  async function addNeighbours(base: BaseRow, settings: KbSettings, chunks: readonly FoundChunk[]) {
    const [before = 0, after = 0] = settings.retrieval_top_k_window;
    const texts = new Map(chunks.map(({ id, content, start, end }) => [id, { content, start, end }]));
    if (before + after === 0) return texts;
    const ofDocument = chunks.filter(({ added }) => !added);
    const near = await findChunksAtPositions(
      db,
      base.group_id,
      base.id,
      ofDocument.map((chunk) => ({ ...chunk, from: chunk.position - before, to: chunk.position + after })),
    );
    for (const { id, document_id, position } of ofDocument) {
      const parts = near.filter(
        (chunk) =>
          chunk.document_id === document_id &&
          chunk.position >= position - before &&
          chunk.position <= position + after,
      );
      texts.set(id, joinPassages(parts));
    }
    return texts;
  }

  async function searchOnce(
    scope: Scope,
    base: BaseRow,
    at: IndexName,
    request: SearchRequest,
    anonymizer: Anonymizer,
    visible: readonly number[],
  ): Promise<SearchHit[]> {
    const own = effective(base.settings);
    const trial = request.settings_?.pii_anonimization ?? [];
    // Settings on trial can anonymize more than the knowledge base does, never less.
    const tried = { ...own, ...request.settings_ };
    if (request.settings_) checkWeights(tried);
    const settings = { ...tried, pii_anonimization: [...own.pii_anonimization, ...trial] };
    const top_k = request.top_k ?? settings.retrieval_top_k;
    const embedding = deps.anonymizers.embedding(settings, anonymizer);
    const found = await rankPassages(scope, base, at, settings, request, top_k, embedding, visible);
    const rerankers = deps.rerankers(scope, deps.anonymizers.reranking(settings, anonymizer));
    const { all, notes, warnings } = await scoreHits(rerankers, settings, found, request.query, scope.signal);
    const shown = request.explain ? all : all.filter(({ kept }) => kept);
    const hits = shown.flatMap((hit) => {
      const chunk = found.chunks.get(hit.id);
      return chunk ? [{ ...hit, chunk }] : [];
    });
    const texts = await addNeighbours(
      base,
      settings,
      hits.map(({ chunk }) => chunk),
    );
    const contents = hits.map(({ id, chunk }) => (texts.get(id) ?? chunk).content);
    const marks = request.explain ? await markWords(db, contents, request.query, base.index_language) : [];
    return hits.map(({ chunk, ...hit }, place): SearchHit => {
      const { content, start, end } = texts.get(hit.id) ?? chunk;
      const { source, title, url } = citeHit(chunk, settings);
      return {
        score: hit.rerank ?? hit.scaled,
        content,
        source,
        citation: {
          title,
          url,
          kb_id: base.id,
          document_id: chunk.document_id,
          chunk_id: hit.id,
          page: chunk.page,
          end_page: chunk.end_page,
          start,
          end,
          headings: chunk.headings,
        },
        images: chunk.images.flatMap(({ at: where, type = 'image/png', ...image }) =>
          where >= start && where <= end ? [{ type, ...image }] : [],
        ),
        document_source: chunk.document,
        warnings,
        explain: request.explain
          ? {
              method: settings.retrieval_method,
              notes,
              bm25: hit.bm25,
              vector: hit.vector,
              fused: hit.fused,
              scaled: hit.scaled,
              rerank: hit.rerank,
              threshold: settings.threshold_enabled ? settings.threshold : null,
              reranker_threshold:
                settings.reranking_enabled && settings.reranker_threshold_enabled ? settings.reranker_threshold : null,
              kept: hit.kept,
              dropped_by: hit.dropped_by,
              marks: marks[place] ?? [],
              vectors: hit.vector === null ? null : found.learned ? 'learned' : 'model',
              words: explainWords(found.scored.get(hit.id)),
              freshness: freshnessOf(chunk.document.updated_at),
              terms: found.terms,
            }
          : null,
      };
    });
  }

  return async (scope, kb_id, request, anonymizer) => {
    for (let failed: string | undefined; ; ) {
      const [base, visible] = await Promise.all([
        deps.bases.find(scope, kb_id),
        request.unrestricted_only ? [] : deps.visibility.forSearch(scope, kb_id),
      ]);
      if (base.index_name === null) return [];
      const at = { workspace_id: base.group_id, kb_id, name: base.index_name };
      try {
        const hits = await searchOnce(scope, base, at, request, anonymizer, visible);
        if (base.index_damaged) await setIndexDamaged(db, base, false);
        if (visible.length) await noteRights(scope, kb_id, hits);
        return hits;
      } catch (error) {
        if (!(error instanceof IndexMissing)) throw error;
        // Rebuilds and new writers replace the index by one of another name, so it is lost only when the same one fails twice.
        if (base.index_name !== failed) {
          failed = base.index_name;
          continue;
        }
        await setIndexDamaged(db, base, true);
        throw unavailable(
          'The index of this knowledge base is missing or damaged: build it anew with POST …/reindex',
          'index_unavailable',
        );
      }
    }
  };
}
