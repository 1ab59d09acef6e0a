import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { FoundChunk } from '../documents/chunk-store.ts';
import type { Fused } from './fuse-rankings.ts';
import { type Rerankers, rerank } from './rerank.ts';

interface Scored extends Fused {
  rerank: number | null;
  kept: boolean;
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
  const all = found.fused.map(
    (own): Scored => ({ ...own, rerank: null, kept: least === undefined || own.scaled >= least }),
  );
  const above = all.filter(({ kept }) => kept);
  if (!settings.reranking_enabled || above.length === 0) return { all, notes: found.notes };
  const best = above.slice(0, settings.reranker_top_k);
  const passages = best.map(({ id }) => found.chunks.get(id)?.content ?? '');
  const { scores, notes } = await rerank(rerankers, settings, query, passages, signal);
  if (!scores) return { all, notes: [...found.notes, ...notes] };
  const lowest = settings.reranker_threshold_enabled ? settings.reranker_threshold : 0;
  best.forEach((own, index) => {
    own.rerank = scores[index] ?? 0;
  });
  for (const own of all) own.kept &&= own.rerank !== null && own.rerank >= lowest;
  all.sort((a, b) => Number(b.kept) - Number(a.kept) || (b.rerank ?? -1) - (a.rerank ?? -1) || b.scaled - a.scaled);
  return { all, notes: [...found.notes, ...notes] };
}
