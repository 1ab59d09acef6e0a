/**
 * What is marked with `data-autofocus` gets the focus, else the first field, else the layer itself. The button that closes it
 * does not: its tooltip would take the first Escape.
 */
export function focusOnOpen(event: Event): void {
  const layer = event.currentTarget as HTMLElement | null;
  const target =
    layer?.querySelector<HTMLElement>('[data-autofocus]') ??
    layer?.querySelector<HTMLElement>(
      'input:not([hidden]):not(:disabled), textarea:not(:disabled), select:not(:disabled)',
    ) ??
    layer;
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/**
 * Whether a page that has just loaded may take the focus: not from an open layer above it, such as the palette, where a
 * person may be typing. The layer would take it back and select what stands in its field, so that the next letter replaces it.
 */
export const pageMayFocus = (): boolean => !document.activeElement?.closest('[role="dialog"][data-state="open"]');
