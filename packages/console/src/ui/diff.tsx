import { useMemo } from 'react';
import { compareWords } from '../lib/compare-words.ts';
import { t } from '../text/en.ts';

/** What was taken out of a text and what was put in. Colour does not speak alone: both have marks of their own. */
export function WordDiff({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => compareWords(before, after), [before, after]);
  let offset = 0;
  return (
    <p dir="auto" className="text-dense leading-5.5 break-words whitespace-pre-wrap">
      {parts.map(({ added, removed, value: text }) => {
        offset += text.length;
        if (!added && !removed) return <span key={`${offset}s`}>{text}</span>;
        return added ? (
          <ins key={`${offset}a`} className="rounded-1 bg-ok-soft text-ok">
            {text}
          </ins>
        ) : (
          <del key={`${offset}r`} className="rounded-1 bg-bad-soft text-bad">
            {text}
          </del>
        );
      })}
    </p>
  );
}

/** A value before and after. */
export function ValueDiff({ before, after }: { before: string; after: string }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-dense break-words">
      <span className="sr-only">{t.ui.before}</span>
      <del className="rounded-1 bg-bad-soft px-1 text-bad">{before}</del>
      <span aria-hidden className="text-text-3">
        →
      </span>
      <span className="sr-only">{t.ui.after}</span>
      <ins className="rounded-1 bg-ok-soft px-1 text-ok no-underline">{after}</ins>
    </p>
  );
}
