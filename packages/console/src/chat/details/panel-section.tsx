import { type ReactNode, useId } from 'react';

/** A part of the details with its name. */
export function PanelSection({ title, beside, children }: { title: string; beside?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="px-4 py-4">
      <div className="mb-2 flex items-baseline justify-between gap-2">
        <h2 id={id} className="text-label font-semibold">
          {title}
        </h2>
        {beside && <span className="num text-caption text-text-3">{beside}</span>}
      </div>
      {children}
    </section>
  );
}
