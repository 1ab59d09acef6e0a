/** The text of a passage that is indexed and embedded: title, headings, context, content and questions. */
export function indexText(chunk: {
  name: string;
  headings: readonly string[];
  context: string;
  content: string;
  questions: readonly string[];
}): string {
  const title = chunk.name.replace(/\.[a-z0-9]{1,8}$/i, '').replaceAll(/[_-]+/g, ' ');
  const above = chunk.headings.filter((heading) => !chunk.content.includes(heading));
  return [title, ...above, chunk.context, chunk.content, ...chunk.questions].filter((text) => text !== '').join('\n');
}
