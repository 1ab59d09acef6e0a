import { cutBefore } from '../../lib/text/cut-text.ts';

/** A piece of a text, and where in it it stands. */
export interface TextPassage {
  content: string;
  offset: number;
}

const longest = 1200;

/** Words as they are compared: without case and accents; plurals and the like count as their stem. */
const stem = (word: string) => (word.length > 4 ? word.replace(/(?:ies|es|s|ing|ed)$/, '') : word);
const termsIn = (text: string): string[] =>
  (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(stem);

/** A text cut at its paragraphs; a long one also within. */
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

/** Those with the most of the words asked for, the rare ones counting more. Those with none of them are left out. */
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
      const terms = held[index] as Set<string>;
      return { passage, score: asked.reduce((sum, term) => sum + (terms.has(term) ? (weight.get(term) ?? 0) : 0), 0) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ passage }) => passage);
}
