import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { sayNumber } from '../lib/numbers.ts';

export interface Tab {
  label: string;
  /** A whole address, such as `/w/…/agents/…/build`. */
  to: string;
  count?: number | undefined;
  beside?: ReactNode;
  /** Current at this address alone, not at those below it. */
  exact?: boolean;
}

/** Scrolls a bar that is wider than the window to one of its tabs, with a part of its neighbours. */
function showInside(bar: HTMLElement, tab: Element): void {
  const [around, inside] = [bar.getBoundingClientRect(), tab.getBoundingClientRect()];
  if (inside.left >= around.left && inside.right <= around.right) return;
  bar.scrollLeft += inside.left - around.left - (around.width - inside.width) / 2;
}

/** Tabs are links: each has an address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const bar = useRef<HTMLElement>(null);
  const address = useLocation({ select: ({ pathname }) => pathname });
  const labels = tabs.map((tab) => tab.label).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address or other tabs change which one is current, and where.
  useEffect(() => {
    const current = bar.current?.querySelector('[aria-current="page"]');
    if (bar.current && current) showInside(bar.current, current);
  }, [address, labels]);
  return (
    <nav
      ref={bar}
      aria-label={label}
      className="flex h-10 flex-none pointer-coarse:h-11 gap-5 overflow-x-auto border-b border-line px-5 max-narrow:px-3"
    >
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          {...(tab.exact && { activeOptions: { exact: true, includeSearch: false } })}
          className="-mb-px flex items-center justify-center pointer-coarse:min-w-11 gap-1.5 border-b-2 border-transparent text-label font-medium whitespace-nowrap text-text-2 hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && <span className="num text-text-3">{sayNumber(tab.count)}</span>}
          {tab.beside}
        </Link>
      ))}
    </nav>
  );
}
