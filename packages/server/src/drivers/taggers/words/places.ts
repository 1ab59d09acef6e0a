import type { TaggedSpan } from '../driver.ts';
import type { Lexicon } from './lexicon.ts';
import type { Token } from './tokens.ts';

const longest = 5;
const features = new Set(
  'river lake mountain mountains desert island islands valley bay sea ocean peninsula canyon falls forest beach coast hills county province'.split(
    ' ',
  ),
);
const featureFirst = new Set('mount lake river cape fort port gulf'.split(' '));
const directions = new Set(
  'north south east west northern southern eastern western central upper lower new'.split(' '),
);
/** In lower case these are food, dishes and scents. */
const smallThings = new Set('turkey china chad cologne java guinea champagne bologna panama jersey'.split(' '));
/** Words before an otherwise unknown capitalized word that mark it as a place. */
const placeBefore =
  /(?:^|[\s(])(?:in|near|around|throughout|(?:live[sd]?|living|based|born|located|moved?|moving|arrived|flights?|travel(?:l?ed|l?ing)?|trip|city|town|village|visit(?:ed|ing)?|from|headed|office|warehouse|delivered|shipped) (?:in|to|at|from|of|for)|visit|nach|aus|à|en) $/i;

/** The first words of all places, so that most words are skipped at once. */
const firstWords = new WeakMap<Lexicon, Set<string>>();
function beginnings(lexicon: Lexicon): Set<string> {
  let known = firstWords.get(lexicon);
  if (!known) {
    known = new Set([...lexicon.places].map((place) => /^[\p{L}\p{M}'-]+/u.exec(place)?.[0] ?? place));
    firstWords.set(lexicon, known);
  }
  return known;
}

export function findPlaces(text: string, tokens: readonly Token[], lexicon: Lexicon): TaggedSpan[] {
  const { places, firstNames, lastNames, ordinary, groups, organizations } = lexicon;
  const spans: TaggedSpan[] = [];
  const add = (from: Token, to: Token, score: number) =>
    spans.push({ entity: 'LOCATION', start: from.start, end: to.end, score });

  /** How many tokens from here are a listed place. */
  const listedFrom = (index: number): number => {
    let name = '';
    let best = 0;
    if (!beginnings(lexicon).has((tokens[index] as Token).lower)) return 0;
    for (let at = index; at < tokens.length && at - index < longest; at++) {
      const token = tokens[at] as Token;
      if (at > index && token.gap !== ' ' && token.gap !== '. ') break;
      name += at > index ? token.gap + token.lower : token.lower;
      if (places.has(name)) best = at - index + 1;
    }
    return best;
  };

  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    const next = tokens[index + 1];
    const follows = next && next.gap === ' ' && next.shape !== 'lower' ? next : undefined;
    const isTold = () => placeBefore.test(text.slice(Math.max(0, token.start - 24), token.start));
    const count = listedFrom(index);
    if (count) {
      const last = tokens[index + count - 1] as Token;
      const after = tokens[index + count];
      const ambiguous = count === 1 && (ordinary.has(token.lower) || groups.has(token.lower));
      const told = isTold();
      const named = count === 1 && firstNames.has(token.lower) && !told;
      const personal = named && (follows ? lastNames.has(follows.lower) : token.shape === 'lower');
      const ocean = after && after.gap === ' ' && after.shape !== 'lower' && features.has(after.lower) ? after : last;
      if (
        token.shape === 'lower'
          ? !ambiguous && !named && last.end - token.start > 3 && !smallThings.has(token.lower)
          : (!ambiguous || (told && !token.opens)) && !personal
      )
        add(token, ocean, token.shape === 'lower' ? 0.5 : named ? 0.55 : 0.75);
      index += count - 1;
      continue;
    }
    if (token.shape === 'lower') continue;
    if (featureFirst.has(token.lower) && follows && !ordinary.has(follows.lower)) {
      add(token, follows, 0.75);
      index++;
    } else if (directions.has(token.lower) && follows && places.has(follows.lower)) add(token, follows, 0.75);
    else if (follows && features.has(follows.lower) && !ordinary.has(token.lower) && !directions.has(token.lower))
      add(token, follows, 0.75);
    else if (token.shape === 'title' && token.text.length > 2 && !token.opens && isTold()) {
      const known =
        ordinary.has(token.lower) ||
        firstNames.has(token.lower) ||
        groups.has(token.lower) ||
        organizations.has(token.lower);
      if (!known && !follows) add(token, token, 0.45);
    }
  }
  return spans;
}
