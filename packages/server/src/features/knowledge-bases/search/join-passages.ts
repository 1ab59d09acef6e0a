/** White space of this length, so that positions in the joined text stay right. */
const blank = (length: number) => (length < 2 ? ' '.repeat(length) : '\n'.repeat(length));

/** Joins neighbouring passages of one text; overlaps appear once. */
export function joinPassages(parts: readonly { start: number; end: number; content: string }[]): {
  content: string;
  start: number;
  end: number;
} {
  const [first, ...rest] = parts.toSorted((a, b) => a.start - b.start);
  if (!first) return { content: '', start: 0, end: 0 };
  let { content, end } = first;
  for (const part of rest) {
    if (part.end <= end) continue;
    content += blank(Math.max(0, part.start - end)) + part.content.slice(Math.max(0, end - part.start));
    end = part.end;
  }
  return { content, start: first.start, end };
}
