import { countrySpecs, isValidIBAN } from 'ibantools';
import type { Recogniser, Span } from '../ports.ts';
import { glued } from '../surroundings.ts';

/** A country and two check digits, then letters and digits with single separators. */
const head = /[A-Za-z]{2}\d[ -]?\d/g;
const rest = /(?:[ -]?[A-Za-z0-9]|\r?\n[A-Za-z0-9])/y;

const lengths = new Map(
  Object.entries(countrySpecs).flatMap(([country, { chars }]) => (chars ? [[country, chars] as const] : [])),
);

/** The end of a number with this many letters and digits; undefined when the text is too short. */
function endAfter(text: string, start: number, count: number): number | undefined {
  let end = start;
  for (let read = 0; read < count; read++) {
    rest.lastIndex = end;
    if (!rest.test(text)) return undefined;
    end = rest.lastIndex;
  }
  return end;
}

/** Forms that forget the space write `IBANDE89…`. */
const free = (text: string, start: number) =>
  !glued(text, start - 1) || /(?:^|[^A-Za-z])iban$/i.test(text.slice(Math.max(0, start - 5), start));

export const iban: Recogniser = {
  entities: ['IBAN_CODE'],
  find(text) {
    const spans: Span[] = [];
    for (const { 0: match, index: start } of text.matchAll(head)) {
      const length = lengths.get(match.slice(0, 2).toUpperCase());
      if (!length || !free(text, start)) continue;
      const end = endAfter(text, start, length);
      if (!end || glued(text, end)) continue;
      if (!isValidIBAN(text.slice(start, end).replace(/[\s-]/g, '').toUpperCase())) continue;
      spans.push({ entity: 'IBAN_CODE', start, end, score: 1 });
    }
    return spans;
  },
};
