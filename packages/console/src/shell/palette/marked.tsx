import type { MarkedText } from '@atrium/contract/search/schema.ts';
import type { ReactNode } from 'react';

/** A text with its found words marked. The text is what people wrote: it is shown as text only. */
export function Marked({ text, marks }: MarkedText) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of marks) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
