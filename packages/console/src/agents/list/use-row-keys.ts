import type { RefObject } from 'react';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';

/** J and K move along the first links of a list's rows; Enter opens what has the focus by itself. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const move = (step: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[at === -1 ? 0 : Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
  };
  useShortcuts([
    { keys: 'j', label: t.ui.next, onPress: () => move(1) },
    { keys: 'k', label: t.ui.previous, onPress: () => move(-1) },
  ]);
}
