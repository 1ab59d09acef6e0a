import type { ToolSource } from '@atrium/contract/tools/tool-result.ts';
import { splitSentences } from '../../../lib/text/split-sentences.ts';
import { stripMarkdown } from '../../../lib/text/strip-markdown.ts';
import { folded, termsOf } from '../../../lib/text/terms.ts';

/** A source that a tool has found in this run, and the text that the model read of it. */
export interface RetrievedSource {
  id: string;
  source: ToolSource;
  passage: string;
}

const longestPassage = 20_000;
const agreement = new Set(['yes', 'no', 'ja', 'nein', 'oui', 'non', 'si', 'sim', 'tak', 'nie']);

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** The text in a tool's output that a source is quoted from: the longest that has the quote in it. */
export function passageOf(output: unknown, { quote, title }: ToolSource): string {
  const texts = stringsIn(output);
  const holding = quote === null ? texts : texts.filter((text) => text.includes(quote));
  return holding.reduce((longest, text) => (text.length > longest.length ? text : longest), quote ?? title);
}

/** The numbers in marks such as [2], [1, 3], [^2] or 【2】. */
function numbersIn(answer: string): Set<number> {
  const marks = answer.matchAll(
    /[[【](?:\^|sources?\s{0,3}|src\s{0,3})?(\d{1,3}(?:\s{0,3}[,;]\s{0,3}\d{1,3}){0,20})(?:[†:][^\]】\n]{0,100})?[\]】](?!\()/gi,
  );
  return new Set([...marks].flatMap(([, list = '']) => list.split(/[,;]/).map(Number)));
}

/** Quotes of the built-in model. Links and brackets in them cite nothing: the title behind a quote does. */
const quotedLines = /^- “[\s\S]{0,4000}?” (?=\[)/gm;

/** The texts in brackets, and those after a word such as "Source:". */
const marksIn = (answer: string) =>
  [
    ...answer.matchAll(/[[【(]([^[\]【】()\n]{2,300})[\]】)]|\b(?:sources?|quellen?|fuentes?)\s?:\s?([^\n]{2,300})/gi),
  ].map(([, inside, after]) => folded(inside ?? after ?? ''));

/** Whether a sentence of the answer stands on the passage: most of its words, and some that the question did not have. */
function restsOn(sentence: ReadonlySet<string>, asked: ReadonlySet<string>, passage: ReadonlySet<string>): boolean {
  const shared = sentence.intersection(passage);
  if (shared.size < Math.min(3, sentence.size) || shared.size < 0.4 * sentence.size) return false;
  const fresh = sentence.difference(asked);
  return shared.intersection(fresh).size >= Math.ceil(fresh.size / 3);
}

/** Four words in a row that the answer has from the passage, and not all from the question. */
function quotes(answer: readonly string[], asked: ReadonlySet<string>, passage: readonly string[]): boolean {
  const rows = new Set(passage.map((_, at) => passage.slice(at, at + 4).join(' ')));
  return answer.some((_, at) => {
    const row = answer.slice(at, at + 4);
    return row.length === 4 && row.some((term) => !asked.has(term)) && rows.has(row.join(' '));
  });
}

/**
 * Those of the retrieved sources that the answer used. If it cites any, by number in the order in which they were found, by
 * address or by title in brackets, these are it. Else a source counts when a sentence of the answer rests on its passage.
 */
export function usedSources(
  answer: string,
  question: string,
  retrieved: readonly RetrievedSource[],
): RetrievedSource[] {
  if (retrieved.length === 0 || !answer.trim()) return [];
  const asked = new Set(termsOf(question));
  const sentences = splitSentences(answer)
    .map((sentence) => new Set(termsOf(sentence).filter((term) => !agreement.has(term))))
    .filter(({ size }) => size > 0);
  const terms = termsOf(answer);
  const overlapping = new Set(
    retrieved.filter(({ passage }) => {
      const read = termsOf(passage.slice(0, longestPassage));
      const words = new Set(read);
      return quotes(terms, asked, read) || sentences.some((sentence) => restsOn(sentence, asked, words));
    }),
  );
  const own = answer.replace(quotedLines, '');
  const [numbers, marks] = [numbersIn(own), marksIn(own)];
  const names = [...new Set(retrieved.map(({ source }) => folded(source.title.trim())))].filter(
    ({ length }) => length > 2,
  );
  const isNamed = ({ source: { title } }: RetrievedSource) => {
    const name = folded(title.trim());
    // "Access keys.md" does not cite "keys.md", when both were found.
    const longer = names.filter((other) => other.length > name.length && other.includes(name));
    return (
      name.length > 2 &&
      marks.some((mark) => longer.reduce((left, other) => left.replaceAll(other, ' '), mark).includes(name))
    );
  };
  const named = retrieved.filter(isNamed);
  const cited = retrieved.filter((found, at) => {
    const { url, title } = found.source;
    if (numbers.has(at + 1) || (url !== null && own.includes(url.replace(/\/$/, '')))) return true;
    if (!named.includes(found)) return false;
    // Of several passages of one document, a title cites those that the answer rests on.
    const same = named.filter(({ source }) => source.title === title);
    return overlapping.has(found) || (found === same[0] && !same.some((other) => overlapping.has(other)));
  });
  return cited.length > 0 ? cited : retrieved.filter((found) => overlapping.has(found));
}

/** A source as it is shown: its title and quote are text, not Markdown. */
export const plainSource = (source: ToolSource): ToolSource => ({
  ...source,
  title: stripMarkdown(source.title) || source.title,
  quote: source.quote === null ? null : stripMarkdown(source.quote) || null,
});
