import type { SearchHit } from '@atrium/contract/knowledge-bases/schema.ts';

/** A longer heading is a paragraph in the style of one. */
const mostLetters = 200;

const plain = (line: string) => line.replace(/^#+\s*/, '').trim();

/** The headings that a passage stands under, the outermost first, without those that are lines of it. */
export function headingsAbove({
  content,
  citation,
}: Pick<SearchHit, 'content'> & { citation: { headings: string[] } }) {
  const lines = new Set(content.split('\n').map(plain));
  return citation.headings
    .filter((heading) => !lines.has(plain(heading)))
    .map((heading) => (heading.length > mostLetters ? `${heading.slice(0, mostLetters).toWellFormed()}…` : heading))
    .join(' > ');
}
