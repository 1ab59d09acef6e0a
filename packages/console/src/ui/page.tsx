import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, CircleHelp } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { ui } from '../text/ui.ts';
import { cx } from './cx.ts';

interface PageProps {
  title: string;
  /** Shown beside the name, such as a status. */
  beside?: ReactNode;
  before?: ReactNode;
  crumb?: { label: string; to: string };
  actions?: ReactNode;
  tabs?: ReactNode;
  /** The guide of this page: a file of the project's docs, without its ending. */
  guide?: string;
  children: ReactNode;
  /** The page scrolls by itself; else its parts do. */
  scrolls?: boolean;
}

const addressOf = (guide: string): string => `/help/${guide}`;

/** A page with its name, actions and tabs. A new page gets the focus at its name. */
export function Page({ title, beside, before, crumb, actions, tabs, guide, children, scrolls = true }: PageProps) {
  useTitle(title);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <header className="flex min-h-13 flex-none flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-5 py-1.5 max-narrow:px-3">
        {crumb && crumb.label !== title && (
          <span className="flex items-center gap-2.5 font-medium max-phone:hidden">
            <Link to={crumb.to} className="text-text-3 hover:text-text">
              {crumb.label}
            </Link>
            <ChevronRight size={14} aria-hidden className="text-text-3" />
          </span>
        )}
        {crumb && (
          <Link
            to={crumb.to}
            aria-label={ui.backTo(crumb.label)}
            className="-ml-2 grid size-11 flex-none place-items-center rounded-2 text-text-2 hover:bg-sunken phone:hidden"
          >
            <ChevronLeft size={18} aria-hidden />
          </Link>
        )}
        {before}
        <PageName>{title}</PageName>
        {beside}
        {guide && (
          <Link
            to={addressOf(guide)}
            aria-label={ui.guide(title)}
            title={ui.guide(title)}
            className="grid size-7 flex-none place-items-center rounded-2 text-text-3 hover:bg-sunken hover:text-text pointer-coarse:size-11"
          >
            <CircleHelp size={16} aria-hidden />
          </Link>
        )}
        <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>
      </header>
      {tabs}
      <div className={cx('min-h-0 flex-1', scrolls ? 'overflow-y-auto' : 'flex')}>{children}</div>
    </div>
  );
}

/** The one h1 of a page. */
export function PageName({
  children,
  hidden,
  look = 'page',
}: {
  children: string;
  hidden?: boolean;
  look?: 'page' | 'title';
}) {
  const name = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A field of the page that took the focus by itself keeps it.
    if (document.activeElement === document.body || document.activeElement === null) name.current?.focus();
  }, []);
  return (
    <h1
      ref={name}
      tabIndex={-1}
      className={cx(
        'outline-none',
        look === 'title' ? 'text-title tracking-[-0.02em]' : 'truncate text-section',
        hidden && 'sr-only',
      )}
    >
      {children}
    </h1>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Atrium` : 'Atrium';
  }, [title]);
}
