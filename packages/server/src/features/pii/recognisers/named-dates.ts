import type { Span } from '../ports.ts';
import { isDay, isYear } from './calendar.ts';
import { months, ordinaryMonths } from './months.ts';

const words = /[\p{L}\p{M}]+/gu;
const ordinal = '(?:st|nd|rd|th|er|re|ère|º|ª|°|\\.)?';
/** `3rd of `, `12 de `, `3. `, `21-`, and the first day of a range, `3–5 `. */
const dayBefore = new RegExp(
  `(?<![\\p{N}\\p{L}_]|[.,:/]|\\d-)(?:(\\d{1,2})${ordinal}\\s?(?:[-/&]|to|bis|and|und|et|y|e)\\s?)?(\\d{1,2})${ordinal}(?:\\s{1,2}(?:of |de |d'|di |do |van |день )?|-|/|(?<=\\.))$`,
  'iu',
);
const yearAfter =
  /^(?:\.?(?:,?\s{1,2}|\s?,|-|\/)(?:de |del |of |di |do |des Jahres )?)(\d{4}|['’]\d{2}|(?<=[-/])\d{2})(?![\p{N}\p{L}_]|[.,:/-]\d)/iu;
const dayAfter = /^\.?(?:\s{1,2}|-)(?:the )?(\d{1,2})(st|nd|rd|th)?(?![\p{N}\p{L}_]|[.:/-]\d|,\d{3})/iu;
const yearAfterDay = /^(?:,\s{0,2}|\s{1,2}|-)(\d{4}|['’]\d{2})(?![\p{N}\p{L}_]|[.:/-]\d|,\d{3})/iu;

interface Found {
  start: number;
  end: number;
  year: boolean;
  ordinal: boolean;
}

const yearOf = (text: string | undefined) => (text?.length === 4 ? Number(text) : undefined);

/** Day first: 5 May 2021, 5 May. */
function dayFirst(text: string, start: number, end: number, month: number): Found | undefined {
  const lead = dayBefore.exec(text.slice(Math.max(0, start - 24), start));
  if (!lead) return undefined;
  const tail = yearAfter.exec(text.slice(end, end + 28));
  const year = yearOf(tail?.[1]);
  const known = tail && (year === undefined || isYear(year)) ? tail : undefined;
  if (!isDay(Number(lead[2]), month, known ? year : undefined)) return undefined;
  return {
    start: start - lead[0].length,
    end: end + (known?.[0].length ?? 0),
    year: !!known,
    ordinal: /\d(?:st|nd|rd|th)/.test(lead[0]),
  };
}

/** Month first: May 5, 2021; May 5; May 2021; May-21. */
function monthFirst(text: string, start: number, end: number, month: number): Found | undefined {
  const rest = text.slice(end, end + 28);
  const day = dayAfter.exec(rest);
  if (day && isDay(Number(day[1]), month)) {
    const tail = yearAfterDay.exec(rest.slice(day[0].length));
    const year = yearOf(tail?.[1]);
    const known = tail && (year === undefined || isYear(year)) ? tail : undefined;
    return { start, end: end + day[0].length + (known?.[0].length ?? 0), year: !!known, ordinal: !!day[2] };
  }
  const tail = yearAfter.exec(rest);
  const year = yearOf(tail?.[1]);
  if (!tail || (year !== undefined && !isYear(year))) return undefined;
  return { start, end: end + tail[0].length, year: true, ordinal: false };
}

export function namedDates(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: word, index: start } of text.matchAll(words)) {
    if (word.length < 3 || word.length > 14) continue;
    const name = word.toLowerCase();
    const month = months.get(name);
    if (!month) continue;
    const end = start + word.length;
    const found = dayFirst(text, start, end, month) ?? monthFirst(text, start, end, month);
    if (!found) continue;
    const english = (name === 'may' || name === 'march') && word !== name;
    const hyphened = text[start - 1] === '-' || text[end] === '-';
    if (ordinaryMonths.has(name) && !found.year && !found.ordinal && !english && !hyphened) continue;
    spans.push({ entity: 'DATE_TIME', start: found.start, end: found.end, score: 0.85 });
  }
  return spans;
}
