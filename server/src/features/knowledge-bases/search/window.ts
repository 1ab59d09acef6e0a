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
    content += part.start <= end ? part.content.slice(end - part.start) : `\n\n${part.content}`;
    end = part.end;
  }
  return { content, start: first.start, end };
}
