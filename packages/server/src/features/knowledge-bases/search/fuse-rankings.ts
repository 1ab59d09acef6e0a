import type { IndexHit } from '../../../drivers/search-index/driver.ts';

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
