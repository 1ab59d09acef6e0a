import { useState } from 'react';
import { t } from '../text/en.ts';

const mostCharacters = 600;

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values exactly as they will be sent, by name where they have names. */
export function Values({ label, value }: { label: string; value: unknown }) {
  if (value === null || value === undefined) return null;
  const entries = isRecord(value) ? Object.entries(value) : [[label, value] as const];
  return entries.map(([name, entry]) => (
    <ValueRow key={name} name={name}>
      <LongText text={asText(entry) ?? ''} mono={typeof entry !== 'string'} />
    </ValueRow>
  ));
}

export const ValueRow = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <>
    <dt className="break-words text-text-3">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
);

/** Nothing is left out unseen: a long text says so and opens whole. */
function LongText({ text, mono }: { text: string; mono: boolean }) {
  const [whole, setWhole] = useState(false);
  const isLong = text.length > mostCharacters;
  return (
    <>
      <span
        className={mono ? 'font-mono text-code break-words whitespace-pre-wrap' : 'break-words whitespace-pre-wrap'}
        dir="auto"
      >
        {isLong && !whole ? `${text.slice(0, mostCharacters)}…` : text}
      </span>
      {isLong && (
        <button type="button" className="ml-2 text-dense font-medium text-accent" onClick={() => setWhole(!whole)}>
          {whole ? t.inbox.showLess : t.inbox.showAll}
        </button>
      )}
    </>
  );
}
