import type { QuestionWords } from './question-words.ts';

/** Days from one on and before another, or a month of any year. */
export interface DateRange {
  from?: string | undefined;
  before?: string | undefined;
  month?: number | undefined;
  /** As an answer names it: `2026-03`, `>= 2026-06-02`. */
  label: string;
}

const monthNames = [
  'january januar janvier enero jan',
  'february februar fevrier febrero feb',
  'march marz mars marzo mar',
  'april avril abril apr',
  'may mai mayo',
  'june juni juin junio jun',
  'july juli juillet julio jul',
  'august aout agosto aug',
  'september septembre septiembre sept sep',
  'october oktober octobre octubre oct okt',
  'november novembre noviembre nov',
  'december dezember decembre diciembre dec dez',
].map((names) => names.split(' '));
const month = `(?:${monthNames.flat().join('|')})`;
const ordinal = '(?:st|nd|rd|th)?';
const which =
  '(?:first|second|third|fourth|last|1st|2nd|3rd|4th|[1-4]|erste[ns]?|zweite[ns]?|dritte[ns]?|vierte[ns]?|letzte[ns]?)';
const parts = `${which} (?:quarter|quartal|half|halbjahr) (?:of |des jahres |von )?\\d{4}|q[1-4] \\d{4}|h[12] \\d{4}`;
const day = `${parts}|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}\\.\\d{1,2}\\.\\d{4}|\\d{1,2}${ordinal} (?:of |de )?${month} (?:of |de |del )?\\d{4}|${month} \\d{1,2}${ordinal} \\d{4}|${month} (?:of |de |del )?\\d{4}|(?:19|20)\\d{2}`;
const the = '(?:the |dem |den |der |le |la |el )?';
/** A month alone needs a word before it: "may" is seldom a month. */
const patterns: readonly [kind: 'between' | 'after' | 'since' | 'before' | 'until' | 'in', RegExp][] = [
  [
    'between',
    new RegExp(
      `\\b(?:between|from|zwischen|von|vom|entre|del?|du) ${the}(${day}) (?:and|und|et|y|to|until|till|bis|au?|hasta) (?:zum )?${the}(${day})(?= |$)`,
    ),
  ],
  [
    'after',
    new RegExp(
      `\\b(?:after|later than|newer than|younger than|neuer als|junger als|nach|apres|despues del?) ${the}(${day})(?= |$)`,
    ),
  ],
  ['since', new RegExp(`\\b(?:since|starting|from|seit|ab|depuis|a partir d[eu]|desde) ${the}(${day})(?= |$)`)],
  ['before', new RegExp(`\\b(?:before|earlier than|older than|alter als|vor|avant|antes del?) ${the}(${day})(?= |$)`)],
  ['until', new RegExp(`\\b(?:until|till|up to|by|bis|bis zum|jusqu'(?:au?|en)|hasta) ${the}(${day})(?= |$)`)],
  ['in', new RegExp(`(?:\\b(?:in|on|during|of|im|am|in|wahrend|en|le|el|durante) ${the})?\\b(${day})(?= |$)`)],
  ['in', new RegExp(`\\b(?:in|during|im|en|durante) ${the}(?:month of |monat |mois d[e'] ?)?(${month})(?= |$)`)],
];

const iso = (year: number, of: number, on: number) => new Date(Date.UTC(year, of, on)).toISOString().slice(0, 10);

const places: readonly RegExp[] = [
  /^(?:first|1|erst)/,
  /^(?:second|2|zweit)/,
  /^(?:third|3|dritt)/,
  /^(?:fourth|4|viert)/,
];

/** A quarter or a half of a year. */
function spanOfPart(text: string): { from: string; before: string; label: string } | undefined {
  const words = text.split(' ');
  const year = Number(words.at(-1));
  const short = /^([qh])(\d)$/.exec(words[0] ?? '');
  const isHalf = short ? short[1] === 'h' : /^half/.test(words[1] ?? '') || words[1] === 'halbjahr';
  if (!short && !isHalf && !/^quart/.test(words[1] ?? '')) return undefined;
  const [all, months] = isHalf ? [2, 6] : [4, 3];
  const isLast = /^(?:last|letzt)/.test(words[0] ?? '');
  const part = short ? Number(short[2]) - 1 : isLast ? all - 1 : places.findIndex((own) => own.test(words[0] ?? ''));
  if (part < 0 || part >= all) return undefined;
  const label = `${year} ${isHalf ? 'H' : 'Q'}${part + 1}`;
  return { from: iso(year, part * months, 1), before: iso(year, (part + 1) * months, 1), label };
}

/** The first day of a date, a month or a year, and the first day after it. */
function spanOf(text: string): { from: string; before: string; label: string } | { month: number } | undefined {
  const part = spanOfPart(text);
  if (part) return part;
  const written = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  const words = text.split(' ').filter((word) => !/^(?:of|de|del)$/.test(word));
  const named = words.map((word) => monthNames.findIndex((names) => names.includes(word))).find((at) => at >= 0);
  const numbers = words.flatMap((word) => /^\d+/.exec(word)?.[0] ?? []).map(Number);
  const [year, of, on] = written
    ? [Number(written[1]), Number(written[2]) - 1, Number(written[3])]
    : dotted
      ? [Number(dotted[3]), Number(dotted[2]) - 1, Number(dotted[1])]
      : [numbers.find((one) => one > 31), named, numbers.find((one) => one <= 31)];
  if (year === undefined) return of === undefined ? undefined : { month: of + 1 };
  if (of === undefined) return { from: iso(year, 0, 1), before: iso(year + 1, 0, 1), label: String(year) };
  if (of < 0 || of > 11 || (on !== undefined && (on < 1 || on > 31))) return undefined;
  if (on === undefined)
    return { from: iso(year, of, 1), before: iso(year, of + 1, 1), label: iso(year, of, 1).slice(0, 7) };
  return { from: iso(year, of, on), before: iso(year, of, on + 1), label: iso(year, of, on) };
}

/** Reads the next time that a question names and where it stands; undefined when there is none. */
export function takeDateRange(words: QuestionWords): { range: DateRange; from: number; to: number } | undefined {
  for (const [kind, pattern] of patterns) {
    const found = words.find(pattern);
    const first = spanOf(found?.groups[1] ?? '');
    if (!found || !first) continue;
    const range = ((): DateRange | undefined => {
      if ('month' in first) return { month: first.month, label: String(first.month).padStart(2, '0') };
      const { from, before, label } = first;
      if (kind === 'after') return { from: before, label: `> ${label}` };
      if (kind === 'since') return { from, label: `>= ${label}` };
      if (kind === 'before') return { before: from, label: `< ${label}` };
      if (kind === 'until') return { before, label: `<= ${label}` };
      if (kind === 'in') return { from, before, label };
      const last = spanOf(found.groups[2] ?? '');
      return last && 'before' in last ? { from, before: last.before, label: `${label} – ${last.label}` } : undefined;
    })();
    if (!range) continue;
    words.use(found.from, found.to);
    return { range, from: found.from, to: found.to };
  }
  return undefined;
}
