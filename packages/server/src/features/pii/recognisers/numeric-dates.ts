import type { Span } from '../ports.ts';
import { alone, before, glued, near } from '../surroundings.ts';
import { isDay, isYear } from './calendar.ts';

/** Two or three numbers with the same separator between them, each number taken whole. */
const numbers = /(?<!\d)\d{1,4}([-/.])(?:(?<=\.) )?\d{1,4}(?:\1(?:(?<=\.) )?\d{1,4})?(?!\d)/g;
const compact = /(?<!\d)(\d{4})(\d{2})(\d{2})T[0-2]\d[0-5]\d(?:[0-5]\d)?(?:Z|[+-]\d{2}(?::?\d{2})?)?(?![\d:])/g;
const characters =
  /(?<!\d)(?:\d{2,4}\s?[年년]\s?(?:0?[1-9]|1[0-2])\s?[月월](?:\s?[0-3]?\d\s?[日일号號])?|(?:0?[1-9]|1[0-2])\s?[月월]\s?[0-3]?\d\s?[日일号號])/gu;

const saysDate =
  /\b(?:dates?|dated|dob|born|birth\w*|due|exp\w*|valid|thru|until|since|datum|geboren|gültig|ablauf|né|fecha|data|scad\w*|verval\w*)\b|\bon $/iu;
const saysOther =
  /(?:\bversion|\bver|\bv|\brelease|\bsection|\bsec|\bchapter|\bkapitel|\babschnitt|§|\bbuild|\brev|\bfig(?:ure)?|\btable|\bclause|\barticle|\bno)[.:]?\s{0,2}$/i;

const span = (start: number, length: number, score: number): Span => ({
  entity: 'DATE_TIME',
  start,
  end: start + length,
  score,
});

/** Reads a year of two digits in this century; the century matters for 29 February only. */
const fullYear = (text: string) => (text.length === 2 ? 2000 + Number(text) : Number(text));

/** The confidence that three numbers are a date; undefined when they are not. */
function ofThree(parts: readonly string[], separator: string, context: () => boolean): number | undefined {
  const [a, b, c] = parts as [string, string, string];
  if (a.length === 4) return b.length < 3 && c.length < 3 && isYear(+a) && isDay(+c, +b, +a) ? 0.85 : undefined;
  if (a.length > 2 || b.length > 2 || (c.length !== 4 && c.length !== 2)) return undefined;
  const year = fullYear(c);
  if (!isYear(year) || !(isDay(+a, +b, year) || isDay(+b, +a, year))) return undefined;
  if (c.length === 4) return 0.85;
  return separator === '-' && !context() ? undefined : 0.75;
}

/** A month and a year. With a year of two digits it may also be a fraction. */
function ofTwo(parts: readonly string[], separator: string, context: () => boolean): number | undefined {
  const [month, year] = parts as [string, string];
  if (separator === '.' || month.length > 2 || +month < 1 || +month > 12) return undefined;
  if (year.length === 4) return isYear(+year) && (separator === '/' || context()) ? 0.6 : undefined;
  return year.length === 2 && separator === '/' && context() ? 0.5 : undefined;
}

const saysDay =
  /\b(?:dates?|dated|dob|born|birthday|due|until|since|datum|geburtstag|geboren|né|née|fecha|data|am|vom|zum|bis|ab|seit|le|du|el|il|dal)[:]? $/iu;

/** A day and a month, `21/5` or `21.5.`, after a word that marks a date; two numbers are usually something else. */
function isDayAndMonth(
  text: string,
  start: number,
  end: number,
  [a, b]: readonly string[],
  separator: string,
): boolean {
  if (!(isDay(Number(a), Number(b)) || (separator === '/' && isDay(Number(b), Number(a))))) return false;
  const said = text.slice(Math.max(0, start - 20), start);
  if (separator === '.') return saysDay.test(said) && /^\.(?!\d)/.test(text.slice(end, end + 2));
  if (separator !== '/' || `${a}/${b}` === '24/7' || /^\s(?:of|cup|inch)/i.test(text.slice(end, end + 6))) return false;
  return saysDay.test(said) || /\bon $/i.test(said);
}

export function numericDates(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: value, 1: separator = '', index: start } of text.matchAll(numbers)) {
    const end = start + value.length;
    const parts = value.split(separator).map((part) => part.trim());
    if (parts.length < 2 || parts.length > 3 || parts.includes('')) continue;
    const afterTime = /^[Tt]\d\d:/.test(text.slice(end, end + 4));
    if (glued(text, start - 1) || (glued(text, end) && !afterTime)) continue;
    // With the same separator before it, it is part of a longer number.
    if (text[start - 1] === separator && glued(text, start - 2)) continue;
    if (text[end] === separator && glued(text, end + 1)) continue;
    if (separator !== '/' && saysOther.test(before(text, start, 16))) continue;
    const context = () => near(text, start, end, saysDate, 20, 0) || alone(text, start, end);
    const score = (parts.length === 3 ? ofThree : ofTwo)(parts, separator, context);
    if (score) spans.push(span(start, value.length, score));
    else if (parts.length === 2 && isDayAndMonth(text, start, end, parts, separator))
      spans.push(span(start, value.length + (separator === '.' ? 1 : 0), 0.6));
  }
  for (const { 0: value, 1: year, 2: month, 3: day, index } of text.matchAll(compact))
    if (!glued(text, index - 1) && isDay(Number(day), Number(month), Number(year)))
      spans.push(span(index, value.length, 0.85));
  for (const { 0: value, index } of text.matchAll(characters)) spans.push(span(index, value.length, 0.85));
  return spans;
}
