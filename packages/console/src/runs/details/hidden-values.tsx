import { Fragment } from 'react';

const placeholder = /<([A-Z][A-Z0-9_]*_\d+)>/g;

/** The placeholders in a text, each once. */
export const hiddenIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(placeholder)].map(([, name]) => name ?? ''));

/** A text whose placeholders for hidden values stand out. */
export function WithHidden({ text }: { text: string }) {
  return text.split(placeholder).map((part, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their places.
      <span key={index} className="rounded-1 bg-info-soft px-1 font-mono text-[0.9em] text-info">
        {part}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their places.
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
