import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface Tab {
  label: string;
  /** A whole address, such as `/w/…/agents/…/build`. */
  to: string;
  count?: number | undefined;
  beside?: ReactNode;
  /** Current at this address alone, not at those below it. */
  exact?: boolean;
}

/** Tabs are links: each has an address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav
      aria-label={label}
      className="flex h-10 flex-none gap-5 overflow-x-auto border-b border-line px-5 max-narrow:px-3"
    >
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          {...(tab.exact && { activeOptions: { exact: true, includeSearch: false } })}
          className="-mb-px flex items-center gap-1.5 border-b-2 border-transparent text-label font-medium whitespace-nowrap text-text-2 hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && <span className="num text-text-3">{tab.count}</span>}
          {tab.beside}
        </Link>
      ))}
    </nav>
  );
}
