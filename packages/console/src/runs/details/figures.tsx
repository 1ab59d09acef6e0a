import type { ReactNode } from 'react';

/** Figures of a step side by side. What has none is left out. */
export function Figures({ entries }: { entries: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2 border-y border-line px-4 py-2.5 text-dense">
      {entries
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt className="text-caption text-text-2">{name}</dt>
            <dd className="num font-medium">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
