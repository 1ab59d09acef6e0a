import type { ReactNode } from 'react';

/** Names and values, one line each. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="divide-y divide-line">
      {facts.map(([label, value]) => (
        <div key={label} className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 py-2 text-dense">
          <dt className="w-44 flex-none text-text-3">{label}</dt>
          <dd className="num min-w-0 flex-1 basis-40 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
