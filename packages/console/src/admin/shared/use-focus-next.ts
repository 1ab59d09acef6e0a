import { type RefObject, useEffect, useRef } from 'react';

const isDialogOpen = () => document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;

/** After a row was deleted, the next one gets the focus that the dialog could not give back. */
export function useFocusNext(body: RefObject<HTMLElement | null>, keys: readonly string[]): void {
  const before = useRef(keys);
  const timer = useRef<ReturnType<typeof setInterval>>(undefined);
  const all = keys.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys as one text tell whether they changed.
  useEffect(() => {
    const gone = before.current.findIndex((key) => !keys.includes(key));
    before.current = keys;
    if (gone < 0 || keys.length === 0) return;
    clearInterval(timer.current);
    // The list may be new before the dialog that asked has closed, and a slow machine takes its time for it.
    timer.current = setInterval(() => {
      if (isDialogOpen()) return;
      clearInterval(timer.current);
      const { activeElement } = document;
      if (activeElement && activeElement !== document.body && activeElement.tagName !== 'H1') return;
      const rows = body.current?.children ?? [];
      rows[Math.min(gone, rows.length - 1)]?.querySelector<HTMLElement>('button, a')?.focus();
    }, 50);
  }, [all]);
  useEffect(() => () => clearInterval(timer.current), []);
}
