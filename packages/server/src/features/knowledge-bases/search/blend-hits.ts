import type { IndexHit } from '../../../drivers/search-index/driver.ts';
import type { Fused } from './rank-hits.ts';

/** What is added to the fused score of a passage, with its weight: proximity and freshness, from 0 to 1 each. */
export interface Signal {
  weight: number;
  valueFor(id: string): number;
}

interface BlendWeights {
  fts_weight: number;
  semantic_weight: number;
}

/** Scores between 0 and 1. Words: the best has 1. Learned vectors: as they are. Others: from the least to the best. */
function normalize(hits: readonly IndexHit[], by: 'best' | 'range' | 'none'): Map<string, number> {
  const scores = hits.map(({ score }) => score);
  const best = Math.max(...scores);
  const least = by === 'range' && hits.length > 1 ? Math.min(...scores) : 0;
  const range = by === 'none' ? 1 : best - least;
  return new Map(hits.map(({ id, score }) => [id, range > 0 ? Math.max(0, (score - least) / range) : 1]));
}

/** Fuses two rankings by the weighted sum of their normalised scores, plus signals. A method not used is undefined. */
export function blend(
  words: readonly IndexHit[] | undefined,
  vectors: readonly IndexHit[] | undefined,
  { fts_weight, semantic_weight }: BlendWeights,
  more: {
    /** Whether the vectors are learned from the knowledge base: their cosines use the whole range from 0 to 1. */
    learned: boolean;
    pictures?: readonly IndexHit[] | undefined;
    signals?: readonly Signal[];
  },
): Fused[] {
  const both = words !== undefined && vectors !== undefined;
  // A single method has the full weight, even if its weight is 0.
  const [forWords, forVectors] = both ? [fts_weight, semantic_weight] : [1, 1];
  const { learned, pictures = [], signals = [] } = more;
  const forPictures = words === undefined ? forVectors : semantic_weight || 1;
  const best =
    (words ? forWords : 0) + (vectors ? forVectors : 0) + signals.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Map<string, Fused>();
  const of = (id: string) => found.get(id) ?? { id, bm25: null, vector: null, fused: 0, scaled: 0 };
  const add = (
    hits: readonly IndexHit[],
    weight: number,
    key: 'bm25' | 'vector',
    by: Parameters<typeof normalize>[1],
  ) => {
    const shares = normalize(hits, by);
    hits.forEach(({ id, score }, at) => {
      const own = of(id);
      const fused = own.fused + weight * (shares.get(id) ?? 0);
      found.set(id, { ...own, [key]: { rank: at + 1, score }, fused });
    });
  };
  if (words) add(words, forWords, 'bm25', 'best');
  if (vectors) add(vectors, forVectors, 'vector', learned ? 'none' : 'range');
  add(pictures, forPictures, 'vector', 'best');
  return [...found.values()]
    .filter(({ fused }) => fused > 0)
    .map((own) => {
      const fused = own.fused + signals.reduce((sum, { weight, valueFor }) => sum + weight * valueFor(own.id), 0);
      return { ...own, fused, scaled: Math.min(1, fused / best) };
    })
    .sort((a, b) => b.fused - a.fused || (a.bm25?.rank ?? 1e9) - (b.bm25?.rank ?? 1e9) || (a.id < b.id ? -1 : 1));
}
