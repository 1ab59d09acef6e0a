/** White space of this length: between passages there is nothing else, and places in the text go on counting. */
const blank = (length: number) => (length < 2 ? ' '.repeat(length) : '\n'.repeat(length));

/** Passages of one text that follow each other, joined: what they share stands once. */
export function joined(parts: readonly { start: number; end: number; content: string }[]): {
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
