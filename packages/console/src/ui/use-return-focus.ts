import { useRef } from 'react';

/** The button of a menu for an item of it, which is gone when the layer closes; else the element itself. */
function lastingOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element;
}

/**
 * Gives the focus back to what had it before a layer opened. Our layers have no button of their own that Radix knows, so it
 * would leave the focus nowhere.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(undefined);
  if (opener.current === undefined) opener.current = lastingOf(document.activeElement);
  return (event: Event) => {
    event.preventDefault();
    const { activeElement } = document;
    // A page that has given the focus to something else already knows better.
    if (activeElement && activeElement !== document.body && !activeElement.closest('[role="dialog"]')) return;
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
    else document.querySelector<HTMLElement>('h1[tabindex]')?.focus();
  };
}
