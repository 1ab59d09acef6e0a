const titleOf = (name: string) => name.replace(/\.[a-z0-9]{1,8}$/i, '').replaceAll(/[_-]+/g, ' ');

/** A short first line with a blank line below it is the title of a text, also where the format does not say so. */
const titleLine = /^\s*(\S[^\n]{0,200})\n[^\S\n]*\n\s*\S/;

/** The text of a passage that is indexed and embedded: title, headings, context, content and questions. */
export function indexText(chunk: {
  name: string;
  headings: readonly string[];
  context: string;
  content: string;
  questions: readonly string[];
}): string {
  const title = titleOf(chunk.name);
  const above = chunk.headings.filter((heading) => !chunk.content.includes(heading));
  return [title, ...above, chunk.context, chunk.content, ...chunk.questions].filter((text) => text !== '').join('\n');
}

/** The headings of a passage and the title of its text, which holds for all passages. `opening`: how the text begins. */
export function headingsWithTitle(chunk: { headings: readonly string[]; opening: string }): readonly string[] {
  const line = titleLine.exec(chunk.opening)?.[1]?.replace(/^#+\s*/, '');
  return line === undefined || chunk.headings.includes(line) ? chunk.headings : [...chunk.headings, line];
}

/** The title and headings of a passage, a field of their own in the search. */
export const headingText = (chunk: { name: string; headings: readonly string[] }): string =>
  [titleOf(chunk.name), ...chunk.headings].join('\n');
