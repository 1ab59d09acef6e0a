import type { ItemOf } from '@atrium/sdk';

export type Hit = ItemOf<'knowledgeBases.search'>;
export type BarName = 'words' | 'meaning' | 'joined' | 'reranked';

/** One bar of a hit: its score, how long the bar is (0 to 1), and its place in that order. */
interface Bar {
  score: number;
  share: number;
  place: number;
}
/** `undefined`: the hit was not found in that way, or that way was not used. */
export type Bars = Record<BarName, Bar | undefined>;

const placeIn = (score: number, scores: readonly number[]) => 1 + scores.filter((other) => other > score).length;

/** The four bars of each hit. Words and meaning have their places from the server; the others are counted here. */
export function barsOf(hits: readonly Hit[]): Bars[] {
  const explained = hits.map(({ explain }) => explain);
  const mostOf = (scores: readonly (number | undefined)[]) => Math.max(0, ...scores.map((score) => score ?? 0));
  const [words, meaning] = [
    mostOf(explained.map((each) => each?.bm25?.score)),
    mostOf(explained.map((each) => each?.vector?.score)),
  ];
  const joined = explained.flatMap((each) => each?.scaled ?? []);
  const reranked = explained.flatMap((each) => each?.rerank ?? []);
  const clamp = (share: number) => Math.max(0, Math.min(1, share));
  return explained.map((each) => {
    const ranked = (part: { rank: number; score: number } | null | undefined, most: number): Bar | undefined =>
      part ? { score: part.score, share: clamp(most > 0 ? part.score / most : 0), place: part.rank } : undefined;
    return {
      words: ranked(each?.bm25, words),
      meaning: ranked(each?.vector, meaning),
      joined: each ? { score: each.scaled, share: clamp(each.scaled), place: placeIn(each.scaled, joined) } : undefined,
      reranked:
        each?.rerank == null
          ? undefined
          : { score: each.rerank, share: clamp(each.rerank), place: placeIn(each.rerank, reranked) },
    };
  });
}
