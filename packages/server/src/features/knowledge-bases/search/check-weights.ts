import { invalid } from '@atrium/contract/errors.ts';
import type { Weights } from './rank-hits.ts';

/** Refuses weights by which no passage would have a score. */
export function checkWeights({ fts_weight, semantic_weight }: Pick<Weights, 'fts_weight' | 'semantic_weight'>): void {
  if (fts_weight + semantic_weight === 0)
    throw invalid(['body', 'settings_', 'fts_weight'], 'fts_weight and semantic_weight must not both be 0', 0);
}
