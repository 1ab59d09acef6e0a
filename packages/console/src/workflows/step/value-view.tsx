import { useState } from 'react';
import { t } from '../../text/en.ts';
import { flowTexts } from '../../text/workflow-editor.ts';

const most = 800;
const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''));
const isBox = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as text. Nothing is left out unseen: a long one says so and opens whole. */
export function ValueText({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false);
  if (value === null || value === undefined || value === '')
    return <span className="text-text-3">{flowTexts.thisRun.nothing}</span>;
  const text = textOf(value);
  const isLong = text.length > most;
  return (
    <>
      <span
        dir="auto"
        className={
          typeof value === 'string'
            ? 'break-words whitespace-pre-wrap'
            : 'font-mono text-code break-all whitespace-pre-wrap'
        }
      >
        {isLong && !whole ? `${text.slice(0, most)}…` : text}
      </span>
      {isLong && (
        <button type="button" className="ml-2 text-dense font-medium text-accent" onClick={() => setWhole(!whole)}>
          {whole ? t.inbox.showLess : t.inbox.showAll}
        </button>
      )}
    </>
  );
}

/** Values by their names. */
export function ValueRows({ label, values }: { label: string; values: unknown }) {
  const entries = isBox(values) ? Object.entries(values) : [[label, values] as const];
  if (entries.length === 0) return <ValueText value={null} />;
  return (
    <dl className="divide-y divide-line rounded-3 border border-line text-dense">
      {entries.map(([name, value]) => (
        <div key={name} className="grid grid-cols-[minmax(70px,max-content)_minmax(0,1fr)] gap-3 px-3 py-2">
          <dt className="max-w-32 font-mono text-code break-words text-text-3">{name}</dt>
          <dd className="min-w-0">
            <ValueText value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
