/** White space of this length, so that positions in the joined text stay right. Rows of a table are on lines of their own. */
const blank = (length: number, isRow: boolean) => (length < 2 && !isRow ? ' ' : '\n').repeat(length);

/** The length of the table header that a passage repeats before its own part of the text. */
const headerLength = ({ start, end, content }: { start: number; end: number; content: string }) =>
  Math.max(0, content.length - (end - start));

/** Joins neighbouring passages of one text; overlaps appear once, and the header of a table only at the beginning. */
export function joinPassages(parts: readonly { start: number; end: number; content: string; edited?: boolean }[]): {
  content: string;
  start: number;
  end: number;
} {
  const [first, ...rest] = parts.toSorted((a, b) => a.start - b.start);
  if (!first) return { content: '', start: 0, end: 0 };
  let { content, end } = first;
  // The length of an edited text says nothing of its place: what overlaps then stands twice.
  if (parts.some(({ edited }) => edited))
    return {
      content: [first, ...rest].map((part) => part.content).join('\n\n'),
      start: first.start,
      end: Math.max(...parts.map((part) => part.end)),
    };
  for (const part of rest) {
    if (part.end <= end) continue;
    const header = headerLength(part);
    content += blank(Math.max(0, part.start - end), header > 0);
    content += part.content.slice(header + Math.max(0, end - part.start));
    end = part.end;
  }
  return { content, start: first.start, end };
}
