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
