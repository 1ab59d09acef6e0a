import { required } from '../../../lib/required.ts';
import type { Words } from './extract-terms.ts';
import { type Frequencies, rarity } from './term-vectors.ts';

export interface Labels {
  /** One or two words. */
  short: string;
  /** A phrase. */
  medium: string;
  /** A sentence. */
  long: string;
}

interface Candidate {
  terms: string[];
  surface: string;
  count: number;
  strength: number;
}

/** A word that is only written with a capital may be a person's name; it is used when this many conversations have it. */
const knownByMany = 3;
/** A word is named together with its neighbour when it mostly stands next to it. */
const mostly = 0.5;

function strongest(kind: 'words' | 'pairs', members: readonly Words[], frequencies: Frequencies): Candidate[] {
  const found = new Map<string, { count: number; surfaces: Map<string, number>; capital: boolean }>();
  for (const member of members)
    for (const [key, { surface, capital }] of Object.entries(member[kind])) {
      const own = found.get(key) ?? { count: 0, surfaces: new Map(), capital: true };
      own.count += 1;
      own.surfaces.set(surface, (own.surfaces.get(surface) ?? 0) + 1);
      own.capital &&= capital;
      found.set(key, own);
    }
  return [...found]
    .flatMap(([key, { count, surfaces, capital }]): Candidate[] => {
      const terms = key.split(' ');
      if (capital && terms.some((term) => (frequencies.terms.get(term) ?? 0) < knownByMany)) return [];
      const [surface] = required([...surfaces].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]);
      const rare = terms.reduce((sum, term) => sum + rarity(frequencies, term), 0);
      // Where all conversations are about the same, nothing is rare: a long word says more than a short one.
      return [{ terms, surface, count, strength: count * (rare + surface.length / 50) }];
    })
    .toSorted((a, b) => b.strength - a.strength || (a.surface < b.surface ? -1 : 1));
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Names for a topic, from the words that its conversations share and others do not have. Undefined when there are none.
 * `taken` are short names of other topics; words that `without` holds are not used.
 */
export function labelsOf(
  members: readonly Words[],
  frequencies: Frequencies,
  { taken, without }: { taken: ReadonlySet<string>; without: ReadonlySet<string> },
): Labels | undefined {
  const usable = ({ surface }: Candidate) => !surface.split(' ').some((word) => without.has(word));
  const pairs = strongest('pairs', members, frequencies).filter(usable);
  const chosen: Candidate[] = [];
  for (const word of strongest('words', members, frequencies).filter(usable)) {
    if (chosen.some(({ terms }) => terms.some((term) => word.terms.includes(term)))) continue;
    const together = pairs.find(
      ({ terms, count }) => count >= Math.max(2, word.count * mostly) && terms.includes(required(word.terms[0])),
    );
    const candidate = together ?? word;
    // The first gives the short name, and no two topics have the same.
    if (chosen.length === 0 && taken.has(sentence(candidate.surface))) continue;
    chosen.push(candidate);
    if (chosen.length === 3) break;
  }
  const [first, second, third] = chosen.map(({ surface }) => surface);
  if (first === undefined) return undefined;
  const list = third ? `${first}, ${second} and ${third}` : second ? `${first} and ${second}` : first;
  return {
    short: sentence(first),
    medium: sentence(second ? `${first} and ${second}` : first),
    long: `Conversations about ${list}.`,
  };
}
