import type { ReactNode } from 'react';

/** A part of the page with its title. */
export const Card = ({ title, beside, children }: { title: string; beside?: ReactNode; children: ReactNode }) => (
  <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-3 border border-line bg-surface p-4">
    <header className="flex flex-wrap items-center gap-2">
      <h2 className="mr-auto text-section">{title}</h2>
      {beside}
    </header>
    {children}
  </section>
);
