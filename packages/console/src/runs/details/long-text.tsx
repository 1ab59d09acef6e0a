import { useState } from 'react';
import { traceTexts } from '../../text/traces.ts';
import { cx } from '../../ui/cx.ts';
import { WithHidden } from './hidden-values.tsx';

const words = traceTexts.details;
const mostCharacters = 1200;

/** A text as it was sent. A long one is cut, says so and opens whole. */
export function LongText({ text, mono = false }: { text: string; mono?: boolean }) {
  const [whole, setWhole] = useState(false);
  const isLong = text.length > mostCharacters * 1.2;
  return (
    <>
      <p
        dir="auto"
        className={cx('break-words whitespace-pre-wrap', mono ? 'font-mono text-code' : 'text-dense leading-5')}
      >
        <WithHidden text={isLong && !whole ? `${text.slice(0, mostCharacters)}…` : text} />
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={whole}
          className="mt-1 text-dense font-medium text-accent"
          onClick={() => setWhole(!whole)}
        >
          {whole ? words.showLess : words.showAll}
        </button>
      )}
    </>
  );
}

/** A value as JSON; words as they are. */
export function Json({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <p className="text-dense text-text-2">{words.none}</p>;
  return (
    <LongText
      text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      mono={typeof value !== 'string'}
    />
  );
}
