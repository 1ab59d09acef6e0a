import type { UiPart } from '../thread/message-types.ts';

/** A source of an answer: a passage of a document, or a page of the web. */
export interface Source {
  /** The number by which the text cites it. */
  number: number;
  title: string;
  quote: string | undefined;
  page: number | undefined;
  url: string | undefined;
  /** Where it stands, for passages of knowledge bases. */
  place: { kb_id: string; document_id: string; start: number; end: number } | undefined;
}

const isSource = ({ type }: UiPart) => type === 'source-url' || type === 'source-document';
const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
const count = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** The sources of a message, in the order of their numbers. */
export function sourcesOf(parts: readonly UiPart[]): Source[] {
  const sources = parts.filter(isSource).map((part, index): Source => {
    const about = ((part['providerMetadata'] as { atrium?: Record<string, unknown> })?.atrium ?? {}) as Record<
      string,
      unknown
    >;
    const [kb_id, document_id] = [text(about['kb_id']), text(about['document_id'])];
    const [start, end] = [count(about['start']), count(about['end'])];
    return {
      number: count(about['number']) ?? index + 1,
      title: text(part['title']) ?? text(part['url']) ?? '',
      quote: text(about['quote']),
      page: count(about['page']),
      url: text(part['url']),
      place: kb_id && document_id && start !== undefined ? { kb_id, document_id, start, end: end ?? start } : undefined,
    };
  });
  return sources.toSorted((a, b) => a.number - b.number);
}

const mark =
  /[[【](?:\^|sources?\s{0,3}|src\s{0,3})?(\d{1,3}(?:\s{0,3}[,;]\s{0,3}\d{1,3}){0,20})(?:[†:][^\]】\n]{0,100})?[\]】](?!\()/gi;

/** A text cut at its marks such as [2], [1, 3] or 【2】: words, and the numbers of a mark. Marks of no source stay words. */
export function splitCitations(words: string, known: ReadonlySet<number>): (string | number[])[] {
  const pieces: (string | number[])[] = [];
  let at = 0;
  for (const match of words.matchAll(mark)) {
    const numbers = (match[1] ?? '')
      .split(/[,;]/)
      .map(Number)
      .filter((number) => known.has(number));
    if (numbers.length === 0) continue;
    if (match.index > at) pieces.push(words.slice(at, match.index));
    pieces.push(numbers);
    at = match.index + match[0].length;
  }
  if (at < words.length) pieces.push(words.slice(at));
  return pieces;
}

/** The numbers that a text cites. */
export const citedNumbers = (words: string): Set<number> =>
  new Set([...words.matchAll(mark)].flatMap(([, list = '']) => list.split(/[,;]/).map(Number)));
