import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';

interface RowProps {
  icon: ReactNode;
  title: ReactNode;
  /** The whole row opens it. */
  onOpen: () => void;
  isOpen?: boolean;
  chips?: ReactNode;
  children?: ReactNode;
  /** At the end of the row, above the part that opens it. */
  end?: ReactNode;
  before?: ReactNode;
}

/** A row of a list. Its name is the button that opens it, as large as the row. */
export function Row({ icon, title, onOpen, isOpen, chips, children, end, before }: RowProps) {
  return (
    <li
      className={cx(
        'relative flex min-h-15 items-center gap-3 px-3.5 py-2 hover:bg-bg',
        isOpen && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      {before && <span className="relative z-10 flex">{before}</span>}
      <span aria-hidden className="grid size-8 flex-none place-items-center rounded-2 bg-sunken text-text-2">
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <button
            type="button"
            data-row-link
            aria-current={isOpen || undefined}
            onClick={onOpen}
            className="min-w-0 truncate text-left font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-2 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {title}
          </button>
          {chips}
        </p>
        {children && <div className="text-dense text-text-2">{children}</div>}
      </div>
      {end && <span className="relative z-10 flex flex-none items-center gap-2">{end}</span>}
    </li>
  );
}
