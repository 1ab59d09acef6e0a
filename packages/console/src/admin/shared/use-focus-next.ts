import { type RefObject, useEffect, useRef } from 'react';

/** After a row was deleted, the next one gets the focus that the dialog could not give back. */
export function useFocusNext(body: RefObject<HTMLElement | null>, keys: readonly string[]): void {
  const before = useRef(keys);
  const all = keys.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys as one text tell whether they changed.
  useEffect(() => {
    const gone = before.current.findIndex((key) => !keys.includes(key));
    before.current = keys;
    if (gone < 0 || keys.length === 0) return;
    // The dialog that asked is closed a moment later.
    const timer = setTimeout(() => {
      const { activeElement } = document;
      if (activeElement && activeElement !== document.body && activeElement.tagName !== 'H1') return;
      const row = body.current?.children[Math.min(gone, keys.length - 1)];
      row?.querySelector<HTMLElement>('button, a')?.focus();
    }, 200);
    return () => clearTimeout(timer);
  }, [all]);
}
