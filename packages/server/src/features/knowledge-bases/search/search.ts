import { unavailable } from '@atrium/contract/errors.ts';
import type { SearchHit } from '@atrium/contract/knowledge-bases/schema.ts';
import type { KbSettings, SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import type { Database } from '../../../db/database.ts';
import {
  type IndexFilter,
  type IndexHit,
  IndexMissing,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Embedders } from '../../embeddings/service.ts';
import type { Anonymizer } from '../../model-calls/ports.ts';
import type { KbAnonymizers } from '../anonymizers.ts';
import { type FoundChunk, findChunksAtPositions, findLiveChunks } from '../documents/chunk-store.ts';
import { folderOf } from '../documents/folder-path.ts';
import type { KnowledgeBases } from '../service.ts';
import { type BaseRow, setIndexDamaged } from '../store.ts';
import { citeHit } from './cite-hit.ts';
import { fuse } from './fuse-rankings.ts';
import { joined } from './join-passages.ts';
import type { Rerankers } from './rerank.ts';
import { makeQuestions } from './rewrite-question.ts';
import { scored } from './score-hits.ts';

export type KbSearch = ReturnType<typeof makeSearch>;

export interface Wanted {
  query: string;
  prefix?: string | undefined;
  document_ids?: readonly string[] | undefined;
  top_k?: number | undefined;
  explain?: boolean | undefined;
  /** In place of those of the base. */
  settings_?: SparseKbSettings | undefined;
}

/** Asked for beyond what is wanted: some may be of documents that are just gone. */
const spare = 10;

export function makeSearch(deps: {
  db: Database;
  bases: KnowledgeBases;
  index: RetrievalIndex;
  embedders: Embedders;
  rerankers(scope: Scope, anonymizer: Anonymizer): Rerankers;
  anonymizers: KbAnonymizers;
}) {
  const { db, index } = deps;
  const { vectorOf, picturesFor } = makeQuestions(deps);

  async function ranked(
    scope: Scope,
    base: BaseRow,
    settings: KbSettings,
    wanted: Wanted,
    top_k: number,
    anonymizer: Anonymizer,
  ) {
    const at = { workspace_id: base.group_id, kb_id: base.id, name: base.index_name as string };
    const prefix = wanted.prefix === undefined ? undefined : folderOf(wanted.prefix);
    const filter: IndexFilter = {
      ...(prefix !== undefined && { path: prefix }),
      ...(wanted.document_ids?.length && { document_ids: wanted.document_ids }),
    };
    const { retrieval_method: method } = settings;
    const notes: string[] = [];
    const made: Awaited<ReturnType<typeof vectorOf>> =
      method === 'full_text' ? {} : await vectorOf(scope, base, settings, wanted.query, anonymizer);
    if (made.note !== undefined) notes.push(made.note);
    const seen =
      method === 'full_text' ? {} : await picturesFor(scope, settings, at, wanted.query, filter, top_k, anonymizer);
    if (seen.note !== undefined) notes.push(seen.note);
    const byWords = method !== 'semantic' || made.vector === undefined;
    const limit = top_k + spare;
    const [words, vectors] = await Promise.all([
      byWords ? index.searchText(at, wanted.query, limit, filter) : undefined,
      made.vector ? index.searchVector(at, made.vector, limit, filter) : undefined,
    ]);
    const ids = [...new Set([...(words ?? []), ...(vectors ?? []), ...(seen.found ?? [])].map(({ id }) => id))];
    const chunks = new Map(
      (await findLiveChunks(db, base.group_id, base.id, ids, prefix)).map((chunk) => [chunk.id, chunk] as const),
    );
    const counted = (hits: readonly IndexHit[] | undefined) => hits?.filter(({ id }) => chunks.has(id)).slice(0, top_k);
    return {
      fused: fuse(counted(words), counted(vectors), settings, counted(seen.found)).slice(0, top_k),
      chunks,
      notes,
    };
  }

  /** A hit with its neighbours, by where they stand in its document. */
  async function widened(base: BaseRow, settings: KbSettings, chunks: readonly FoundChunk[]) {
    const [before = 0, after = 0] = settings.retrieval_top_k_window;
    const own = new Map(chunks.map(({ id, content, start, end }) => [id, { content, start, end }]));
    if (before + after === 0) return own;
    const near = await findChunksAtPositions(
      db,
      base.group_id,
      base.id,
      chunks.map((one) => ({ ...one, from: one.position - before, to: one.position + after })),
    );
    for (const { id, document_id, position } of chunks) {
      const parts = near.filter(
        (one) =>
          one.document_id === document_id && one.position >= position - before && one.position <= position + after,
      );
      own.set(id, joined(parts));
    }
    return own;
  }

  async function once(scope: Scope, base: BaseRow, wanted: Wanted, anonymizer: Anonymizer): Promise<SearchHit[]> {
    const own = effective(base.settings);
    const trial = wanted.settings_?.pii_anonimization ?? [];
    // Settings on trial can anonymize more than the knowledge base does, never less.
    const settings = { ...own, ...wanted.settings_, pii_anonimization: [...own.pii_anonimization, ...trial] };
    const top_k = wanted.top_k ?? settings.retrieval_top_k;
    const found = await ranked(scope, base, settings, wanted, top_k, deps.anonymizers.embedding(settings, anonymizer));
    const rerankers = deps.rerankers(scope, deps.anonymizers.reranking(settings, anonymizer));
    const { all, notes } = await scored(rerankers, settings, found, wanted.query, scope.signal);
    const shown = wanted.explain ? all : all.filter(({ kept }) => kept);
    const chunks = shown.map(({ id }) => found.chunks.get(id) as FoundChunk);
    const wide = await widened(base, settings, chunks);
    return shown.map((own, at): SearchHit => {
      const chunk = chunks[at] as FoundChunk;
      const { content, start, end } = wide.get(own.id) as { content: string; start: number; end: number };
      const { source, title, url } = citeHit(chunk, settings);
      return {
        score: own.rerank ?? own.scaled,
        content,
        source,
        citation: {
          title,
          url,
          kb_id: base.id,
          document_id: chunk.document_id,
          chunk_id: own.id,
          page: chunk.page,
          end_page: chunk.end_page,
          start,
          end,
          headings: chunk.headings,
        },
        images: chunk.images.flatMap(({ at: where, ...image }) => (where >= start && where <= end ? [image] : [])),
        document_source: chunk.document,
        explain: wanted.explain
          ? {
              method: settings.retrieval_method,
              notes,
              bm25: own.bm25,
              vector: own.vector,
              fused: own.fused,
              scaled: own.scaled,
              rerank: own.rerank,
              threshold: settings.threshold_enabled ? settings.threshold : null,
              reranker_threshold:
                settings.reranking_enabled && settings.reranker_threshold_enabled ? settings.reranker_threshold : null,
              kept: own.kept,
            }
          : null,
      };
    });
  }

  /** Passages for a question, the best first. What the anonymizer hides does not reach an embedding model or a reranker. */
  return async (scope: Scope, kb_id: string, wanted: Wanted, anonymizer: Anonymizer): Promise<SearchHit[]> => {
    for (let attempt = 0; ; attempt++) {
      const base = await deps.bases.find(scope, kb_id);
      if (base.index_name === null) return [];
      try {
        const found = await once(scope, base, wanted, anonymizer);
        if (base.index_damaged) await setIndexDamaged(db, base, false);
        return found;
      } catch (error) {
        if (!(error instanceof IndexMissing)) throw error;
        // A new index may have taken the place of the one that was being read.
        if (attempt === 0) continue;
        await setIndexDamaged(db, base, true);
        throw unavailable(
          'The index of this knowledge base is missing or damaged: build it anew with POST …/reindex',
          'index_unavailable',
        );
      }
    }
  };
}
