import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { IndexHit } from '../../../drivers/search-index/driver.ts';
import type { FoundChunk } from '../documents/chunk-store.ts';
import { proximityOf, type RankedCandidate } from '../ranking/rank-candidates.ts';
import { blend, type Signal } from './blend-hits.ts';
import { type Fused, fuse } from './rank-hits.ts';

type Chunks = ReadonlyMap<string, FoundChunk>;

interface Rankings {
  words: readonly IndexHit[] | undefined;
  vectors: readonly IndexHit[] | undefined;
  pictures: readonly IndexHit[] | undefined;
}

const [day, halfLifeDays] = [86_400_000, 180];

/** How new a document is, from 0 to 1: it halves every 180 days. Counted in whole days, so that answers of one day agree. */
export function freshnessOf(changed_at: string, now = Date.now()): number {
  const age = Math.floor(Math.max(0, now - Date.parse(changed_at)) / day);
  return 0.5 ** (age / halfLifeDays);
}

/** Passages of equal score in an order that does not depend on ids, which differ from one training to the next. */
const byPlace = (chunks: Chunks) => (a: Fused, b: Fused) => {
  const [one, other] = [chunks.get(a.id), chunks.get(b.id)];
  if (b.fused !== a.fused || !one || !other) return b.fused - a.fused;
  const [name, otherName] = [one.document.name, other.document.name];
  return name === otherName ? one.position - other.position : name < otherName ? -1 : 1;
};

/** Joins rankings as the settings say. `ids`: the passages to look up before, of which only live ones are joined. */
export function makeJoin(
  lists: Rankings,
  scored: ReadonlyMap<string, RankedCandidate>,
  settings: KbSettings,
  { limit, top_k, learned }: { limit: number; top_k: number; learned: boolean },
): { ids: string[]; join(chunks: Chunks): Fused[] } {
  const { proximity_weight, freshness_weight } = settings;
  const signalsOf = (chunks?: Chunks): Signal[] =>
    [
      { weight: proximity_weight, valueFor: (id: string) => proximityOf(scored.get(id)) },
      {
        weight: freshness_weight,
        valueFor: (id: string) => freshnessOf(chunks?.get(id)?.document.updated_at ?? new Date().toISOString()),
      },
    ].filter(({ weight }) => weight > 0);
  const only = (hits: readonly IndexHit[] | undefined, chunks: Chunks) => hits?.filter(({ id }) => chunks.has(id));

  if (settings.fusion === 'rrf') {
    const best = (hits: readonly IndexHit[] | undefined) => hits?.slice(0, limit);
    const [words, vectors, pictures] = [best(lists.words), best(lists.vectors), best(lists.pictures)];
    const ids = [...new Set([words, vectors, pictures].flatMap((hits) => hits?.map(({ id }) => id) ?? []))];
    return {
      ids,
      join(chunks) {
        const live = (hits: readonly IndexHit[] | undefined) => only(hits, chunks)?.slice(0, top_k);
        const fused = fuse(live(words), live(vectors), settings, live(pictures));
        return addSignals(fused, signalsOf(chunks)).sort(byPlace(chunks)).slice(0, top_k);
      },
    };
  }
  const joined = (chunks?: Chunks) => {
    const of = (hits: readonly IndexHit[] | undefined) => (chunks ? only(hits, chunks) : hits);
    const more = { learned, pictures: of(lists.pictures), signals: signalsOf(chunks) };
    return blend(of(lists.words), of(lists.vectors), settings, more);
  };
  // A fresh document can come from further down.
  const looked = freshness_weight > 0 ? 4 * limit : limit;
  return {
    ids: joined()
      .slice(0, looked)
      .map(({ id }) => id),
    join: (chunks) => joined(chunks).sort(byPlace(chunks)).slice(0, top_k),
  };
}

/** Adds signals to scores of ranks: both are brought to the scale from 0 to 1 first. */
function addSignals(fused: readonly Fused[], signals: readonly Signal[]): Fused[] {
  if (signals.length === 0) return [...fused];
  const best = 1 + signals.reduce((sum, { weight }) => sum + weight, 0);
  return fused.map((own) => {
    const score = own.scaled + signals.reduce((sum, { weight, valueFor }) => sum + weight * valueFor(own.id), 0);
    return { ...own, fused: score, scaled: score / best };
  });
}
