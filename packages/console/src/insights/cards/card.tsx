import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';

interface CardProps {
  title: string;
  beside?: ReactNode;
  /** Keeps room for what comes, such as `min-h-60`. */
  className?: string;
  children: ReactNode;
}

/** A part of the page with its title. */
export const Card = ({ title, beside, className, children }: CardProps) => (
  <section
    aria-label={title}
    className={cx('flex min-w-0 flex-col gap-3 rounded-3 border border-line bg-surface p-4', className)}
  >
    <header className="flex flex-wrap items-center gap-2">
      <h2 className="mr-auto text-section">{title}</h2>
      {beside}
    </header>
    {children}
  </section>
);
