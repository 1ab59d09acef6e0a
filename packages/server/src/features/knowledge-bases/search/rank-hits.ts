import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { Reranker } from '../../../drivers/rerankers/driver.ts';
import type { IndexHit } from '../../../drivers/search-index/driver.ts';
import type { FoundChunk } from '../documents/chunk-store.ts';

export interface Weights {
  fts_weight: number;
  semantic_weight: number;
  rrf_k: number;
}

interface Part {
  rank: number;
  score: number;
}

export interface Fused {
  id: string;
  bm25: Part | null;
  vector: Part | null;
  fused: number;
  /** The same, scaled so that 1 is the best possible score of the methods in use. */
  scaled: number;
}

/** Fuses two rankings by reciprocal rank. A method that was not used is undefined; one without hits is empty. */
export function fuse(
  words: readonly IndexHit[] | undefined,
  vectors: readonly IndexHit[] | undefined,
  weights: Weights,
  /** Hits of the picture index; their ids never occur in `words` or `vectors`. */
  pictures: readonly IndexHit[] = [],
): Fused[] {
  const { fts_weight, semantic_weight, rrf_k } = weights;
  const both = words !== undefined && vectors !== undefined;
  // A single method has the full weight, even if its weight is 0.
  const [forWords, forVectors] = both ? [fts_weight, semantic_weight] : [1, 1];
  const best = ((words ? forWords : 0) + (vectors ? forVectors : 0)) / (rrf_k + 1);
  const found = new Map<string, Fused>();
  const of = (id: string) => found.get(id) ?? { id, bm25: null, vector: null, fused: 0, scaled: 0 };
  words?.forEach(({ id, score }, index) => {
    const own = of(id);
    found.set(id, { ...own, bm25: { rank: index + 1, score }, fused: own.fused + forWords / (rrf_k + index + 1) });
  });
  vectors?.forEach(({ id, score }, index) => {
    const own = of(id);
    found.set(id, { ...own, vector: { rank: index + 1, score }, fused: own.fused + forVectors / (rrf_k + index + 1) });
  });
  // Pictures are found by vectors; without a word ranking they count as much as the vectors of texts.
  const forPictures = words === undefined ? forVectors : semantic_weight || 1;
  pictures.forEach(({ id, score }, index) => {
    const fused = forPictures / (rrf_k + index + 1);
    found.set(id, { ...of(id), vector: { rank: index + 1, score }, fused });
  });
  return [...found.values()]
    .filter(({ fused }) => fused > 0)
    .map((own) => ({ ...own, scaled: own.fused / best }))
    .sort((a, b) => b.fused - a.fused || (a.bm25?.rank ?? 1e9) - (b.bm25?.rank ?? 1e9) || (a.id < b.id ? -1 : 1));
}

export interface Rerankers {
  /** Finds a reranker by its name: hosted, llm, or provider/model. Undefined when it is not configured. */
  named(name: string, hosted_model: string): Promise<Reranker | undefined>;
}

/** Scores passages with the first reranker that answers. If none does, the order stays and notes say why. */
async function rerank(
  rerankers: Rerankers,
  settings: KbSettings,
  query: string,
  passages: readonly string[],
  signal: AbortSignal,
): Promise<{ scores: number[] | undefined; notes: string[] }> {
  const notes: string[] = [];
  for (const name of [...settings.rerankers, settings.reranker_type]) {
    const reranker = await rerankers.named(name, settings.hosted_model);
    if (!reranker) {
      notes.push(`The reranker ${name} is not configured`);
      continue;
    }
    try {
      return { scores: await reranker.rerank(query, passages, signal), notes };
    } catch {
      // The note says that it failed; the next reranker is tried.
      signal.throwIfAborted();
      notes.push(`The reranker ${name} failed`);
    }
  }
  return { scores: undefined, notes: [...notes, 'No reranker answered: the hits are in the order of the search'] };
}

interface Scored extends Fused {
  rerank: number | null;
  kept: boolean;
  /** The setting that dropped it; null when it is kept. */
  dropped_by: 'threshold' | 'reranker_top_k' | 'reranker_threshold' | null;
}

/** Applies the threshold, then reranks the best hits, then applies the threshold of the reranker. */
export async function scoreHits(
  rerankers: Rerankers,
  settings: KbSettings,
  found: { fused: readonly Fused[]; chunks: ReadonlyMap<string, FoundChunk>; notes: string[] },
  query: string,
  signal: AbortSignal,
) {
  const least = settings.threshold_enabled ? settings.threshold : undefined;
  const all = found.fused.map((own): Scored => {
    const kept = least === undefined || own.scaled >= least;
    return { ...own, rerank: null, kept, dropped_by: kept ? null : 'threshold' };
  });
  const above = all.filter(({ kept }) => kept);
  if (!settings.reranking_enabled || above.length === 0) return { all, notes: found.notes, warnings: [] };
  const best = above.slice(0, settings.reranker_top_k);
  const passages = best.map(({ id }) => found.chunks.get(id)?.content ?? '');
  const { scores, notes } = await rerank(rerankers, settings, query, passages, signal);
  const told = { all, notes: [...found.notes, ...notes], warnings: notes };
  if (!scores) return told;
  const lowest = settings.reranker_threshold_enabled ? settings.reranker_threshold : 0;
  best.forEach((own, index) => {
    own.rerank = scores[index] ?? 0;
  });
  for (const own of above) {
    if (own.rerank !== null && own.rerank >= lowest) continue;
    own.kept = false;
    own.dropped_by = own.rerank === null ? 'reranker_top_k' : 'reranker_threshold';
  }
  all.sort((a, b) => Number(b.kept) - Number(a.kept) || (b.rerank ?? -1) - (a.rerank ?? -1) || b.scaled - a.scaled);
  return told;
}
