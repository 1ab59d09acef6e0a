import { omit } from '../../../lib/omit.ts';
import { required } from '../../../lib/required.ts';
import { type Frequencies, likeness, noteTerms, sumOf, unit, type Weights } from './term-vectors.ts';

/** A topic while conversations are sorted under it. */
export interface SortedTopic {
  id: string;
  /** How many conversations it has had. */
  size: number;
  weights: Weights;
  /** Those that came to it in this pass. */
  joined: string[];
  /** Topics that have become part of it in this pass. */
  swallowed: string[];
}

export interface NewConversation {
  id: string;
  weights: Weights;
}

/** From how alike on a conversation belongs to a topic, two small ones are one, and two topics are one. */
const belongs = 0.24;
const together = 0.16;
const same = 0.34;
/** After so many conversations it is known half as well as can be which words tell them apart; before, less is joined. */
const caution = 30;
/** From this size on a topic stands, and its name with it. */
export const settledTopicSize = 5;

interface Cluster extends SortedTopic {
  unit: Weights;
  isNew: boolean;
}

function swallow(one: Cluster, other: Cluster, frequencies: Frequencies): void {
  one.size += other.size;
  one.weights = sumOf(one.weights, other.weights);
  one.unit = unit(one.weights, frequencies);
  one.joined.push(...other.joined);
  one.swallowed.push(...other.swallowed, ...(other.isNew ? [] : [other.id]));
}

/** Of two that become one, the name of the larger stays; of two as large, that of the older. */
const goesFirst = (one: Cluster, other: Cluster) =>
  Number(one.isNew) - Number(other.isNew) || other.size - one.size || (one.id < other.id ? -1 : 1);

/** Joins the two that are most alike, again and again, until none are alike enough. */
function joinAlike(clusters: Cluster[], threshold: number, frequencies: Frequencies): Cluster[] {
  const left = clusters.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const table = left.map((one, at) => left.slice(0, at).map((other) => likeness(one.unit, other.unit)));
  for (;;) {
    let best = { at: 0, with: 0, value: threshold };
    for (let at = 1; at < left.length; at++)
      for (let by = 0; by < at; by++) {
        const value = table[at]?.[by] ?? 0;
        if (value > best.value) best = { at, with: by, value };
      }
    if (best.at === 0) return left;
    const [keep, gone] = [required(left[best.with]), required(left[best.at])].toSorted(goesFirst) as [Cluster, Cluster];
    swallow(keep, gone, frequencies);
    left[best.with] = keep;
    left.splice(best.at, 1);
    table.splice(best.at, 1);
    for (const row of table) if (row.length > best.at) row.splice(best.at, 1);
    for (let at = 0; at < left.length; at++) {
      if (at === best.with) continue;
      const [row, column] = at > best.with ? [at, best.with] : [best.with, at];
      required(table[row])[column] = likeness(keep.unit, required(left[at]).unit);
    }
  }
}

/**
 * Sorts conversations under topics, those there are or new ones. Nothing is left to chance: the same conversations in
 * the same order give the same topics. A topic that stands is never taken apart, so its name stays.
 */
export function assignTopics(
  topics: readonly Pick<SortedTopic, 'id' | 'size' | 'weights'>[],
  conversations: readonly NewConversation[],
  frequencies: Frequencies,
  newId: (conversation_id: string) => string,
): SortedTopic[] {
  for (const { weights } of conversations) noteTerms(frequencies, weights);
  const known: Cluster[] = topics.map((topic) => ({
    ...{ ...topic, joined: [], swallowed: [], isNew: false },
    unit: unit(topic.weights, frequencies),
  }));
  const careful = 1 + caution / (caution + frequencies.conversations);
  const standing = known.filter(({ size }) => size >= settledTopicSize);
  const loose = known.filter(({ size }) => size < settledTopicSize);
  for (const { id, weights } of conversations) {
    const own: Cluster = {
      ...{ id: newId(id), size: 1, weights, joined: [id], swallowed: [], isNew: true },
      unit: unit(weights, frequencies),
    };
    let best: { topic: Cluster | undefined; value: number } = { topic: undefined, value: belongs * careful };
    for (const topic of standing) {
      const value = likeness(own.unit, topic.unit);
      if (value > best.value) best = { topic, value };
    }
    if (best.topic) swallow(best.topic, own, frequencies);
    else loose.push(own);
  }
  const newTopics = joinAlike(loose, together * careful, frequencies);
  return joinAlike([...standing, ...newTopics], same * careful, frequencies).map((topic) =>
    omit(topic, ['unit', 'isNew']),
  );
}
