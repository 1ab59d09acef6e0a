import { required } from '../../lib/required.ts';
import { cutBefore } from '../../lib/text/cut-text.ts';

/** A piece of a text, with its position. */
export interface TextPassage {
  content: string;
  offset: number;
}

const longest = 1200;

/** Words for comparison: without case and accents, reduced to a stem. */
const stem = (word: string) => (word.length > 4 ? word.replace(/(?:ies|es|s|ing|ed)$/, '') : word);
const termsIn = (text: string): string[] =>
  (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(stem);

/** Splits a text at its paragraphs, and long paragraphs further. */
export function splitPassages(text: string): TextPassage[] {
  const passages: TextPassage[] = [];
  let offset = 0;
  for (const part of text.split(/(\n[^\S\n]*\n)/)) {
    for (let at = 0; at < part.length; ) {
      const end = cutBefore(part, at + longest);
      const content = part.slice(at, end).trim();
      if (content) passages.push({ content, offset: offset + at });
      at = Math.max(end, at + 1);
    }
    offset += part.length;
  }
  return passages;
}

/** The passages with the most words of the query, weighted by rarity; passages without any are left out. */
export function rankPassages<P extends TextPassage>(query: string, passages: readonly P[], most: number): P[] {
  const asked = [...new Set(termsIn(query))];
  const held = passages.map(({ content }) => new Set(termsIn(content)));
  const weight = new Map(
    asked.map((term) => {
      const count = held.filter((terms) => terms.has(term)).length;
      return [term, Math.log(1 + passages.length / (1 + count))];
    }),
  );
  return passages
    .map((passage, index) => {
      const terms = required(held[index]);
      return { passage, score: asked.reduce((sum, term) => sum + (terms.has(term) ? (weight.get(term) ?? 0) : 0), 0) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ passage }) => passage);
}
