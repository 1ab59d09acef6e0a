import type { TaggedSpan, Tagger } from './driver.ts';
import { findAddresses } from './words/addresses.ts';
import { findGroups } from './words/groups.ts';
import { type Lexicon, loadLexicon } from './words/lexicon.ts';
import { findPeople } from './words/people.ts';
import { findPlaces } from './words/places.ts';
import { tokensOf } from './words/tokens.ts';

/** Long texts are read in parts of about this many characters, and other requests run in between. */
const part = 8_000;

/** Splits at the end of a line, a sentence or a word, so that no name is split. */
function* partsOf(text: string): Generator<{ from: number; text: string }> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + part);
    if (to < text.length) {
      const window = text.slice(to - 2000, to);
      const cut = Math.max(window.lastIndexOf('\n\n'), window.lastIndexOf('. '), 0) || window.lastIndexOf(' ');
      if (cut > 0) to = to - 2000 + cut + 1;
    }
    yield { from, text: text.slice(from, to) };
    from = to;
  }
}

/** Drops persons inside of places, such as Victor Hugo in rue Victor Hugo, also when places are not asked for. */
function withoutInner(text: string, people: readonly TaggedSpan[], places: readonly TaggedSpan[]): TaggedSpan[] {
  const longer = new Map<number, TaggedSpan>();
  for (const place of places) for (let at = place.start; at < place.end; at++) longer.set(at, place);
  return people.filter(({ start, end }) => {
    const place = longer.get(start);
    return !place || end > place.end || !text.slice(place.start, place.end).includes(' ');
  });
}

function tagPart(text: string, lexicon: Lexicon): TaggedSpan[] {
  const tokens = tokensOf(text);
  const places = [...findAddresses(text), ...findPlaces(text, tokens, lexicon)];
  const people = findPeople(text, tokens, lexicon);
  return [...withoutInner(text, people, places), ...places, ...findGroups(tokens, lexicon)];
}

/**
 * Finds names by word lists and the phrases around them. No model, no network; best in English, other languages by
 * their lists.
 */
export function makeWordTagger(): Tagger {
  let lexicon: Lexicon | undefined;
  return {
    async tag(text) {
      lexicon ??= loadLexicon();
      const spans: TaggedSpan[] = [];
      for (const { from, text: some } of partsOf(text)) {
        if (from) await new Promise(setImmediate);
        for (const span of tagPart(some, lexicon))
          spans.push({ ...span, start: span.start + from, end: span.end + from });
      }
      return spans;
    },
  };
}
