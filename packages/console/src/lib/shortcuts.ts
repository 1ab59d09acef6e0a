import { useEffect, useRef } from 'react';
import { create } from 'zustand';

export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export interface Shortcut {
  /** `mod+k`, `mod+shift+o`, `?`, `j`, or two keys one after another: `g c`. */
  keys: string;
  label: string;
  /** Works while a field has the focus. Keys with `mod` always do. */
  inFields?: boolean;
  /** Left to the browser while a field has the focus, as its own undo is. */
  outsideFields?: boolean;
  /** Works on every page, not only on the one that is open. */
  everywhere?: boolean;
  /** A key of the browser that the page answers elsewhere: it is listed, and not taken. */
  listed?: boolean;
  onPress: () => void;
}

interface Registry {
  active: readonly Shortcut[];
  /** The person's choice; keys with `mod` stay. */
  singleKeys: boolean;
  /** What sends a message; the other makes a new line. */
  sendKey: 'enter' | 'mod_enter';
}
type Keys = Pick<Registry, 'singleKeys' | 'sendKey'>;
const place = 'atrium.keys';

/** What the person chose, for the moments of the next load until the server has said it again. */
export function rememberKeys(keys: Keys): void {
  try {
    localStorage.setItem(place, JSON.stringify(keys));
  } catch {
    // The browser keeps nothing; the next page begins with the usual keys.
  }
}

function rememberedKeys(): Keys {
  try {
    const { singleKeys, sendKey } = JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<Keys>;
    return { singleKeys: singleKeys !== false, sendKey: sendKey === 'mod_enter' ? sendKey : 'enter' };
  } catch {
    return { singleKeys: true, sendKey: 'enter' };
  }
}

export const useShortcutRegistry = create<Registry>(() => ({ active: [], ...rememberedKeys() }));

/** The keys as people read them: "⌘K" or "Ctrl K". */
export const sayKeys = (keys: string) =>
  keys
    .split(' ')
    .map((key) =>
      key
        .split('+')
        .map((part) =>
          part === 'mod'
            ? isApple
              ? '⌘'
              : 'Ctrl '
            : part === 'shift'
              ? '⇧'
              : part === 'enter'
                ? '↵'
                : part.length === 1
                  ? part.toUpperCase()
                  : part,
        )
        .join(''),
    )
    .join(' then ');

/** Shortcuts of a page while it is shown; they are listed in the sheet behind `?`. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = shortcuts.map(({ keys }) => keys).join('|');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same keys stay registered; what they do is read when they are pressed.
  useEffect(() => {
    const mine = latest.current.map((shortcut) => ({
      ...shortcut,
      onPress: () => latest.current.find(({ keys }) => keys === shortcut.keys)?.onPress(),
    }));
    useShortcutRegistry.setState(({ active }) => ({ active: [...active, ...mine] }));
    return () =>
      useShortcutRegistry.setState(({ active }) => ({ active: active.filter((shortcut) => !mine.includes(shortcut)) }));
  }, [names]);
}

/** Whether what is typed belongs to the element. Radio buttons and boxes take no letters. */
const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(?:radio|checkbox)$/.test(target.type));

const pressedKeys = (event: KeyboardEvent) =>
  [
    (isApple ? event.metaKey : event.ctrlKey) && 'mod',
    event.shiftKey && /^[a-z]$/i.test(event.key) && 'shift',
    event.key === 'Enter' ? 'enter' : event.key.toLowerCase(),
  ]
    .filter(Boolean)
    .join('+');

/** Listens for all shortcuts. The one registered last wins, so that a dialog's come before a page's. */
export function listenForShortcuts(): () => void {
  let first: { key: string; at: number } | undefined;
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    // A button or a link that has the focus is pressed by it; with `mod` a link or an option opens a new tab.
    const pressedByEnter =
      event.ctrlKey || event.metaKey ? 'a, [role="option"]' : 'button, a, summary, [role="option"]';
    if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.closest(pressedByEnter)) return;
    const { active, singleKeys } = useShortcutRegistry.getState();
    const pressed = pressedKeys(event);
    const withFirst = first && event.timeStamp - first.at < 1200 ? `${first.key} ${pressed}` : undefined;
    const held = pressed.startsWith('mod+');
    const inField = isField(event.target);
    const allowed = (shortcut: Shortcut) =>
      (held && !(shortcut.outsideFields && inField)) || shortcut.inFields || (singleKeys && !inField);
    const found = active.findLast(
      (shortcut) => !shortcut.listed && (shortcut.keys === withFirst || shortcut.keys === pressed) && allowed(shortcut),
    );
    first = !isField(event.target) && !held ? { key: pressed, at: event.timeStamp } : undefined;
    if (!found) return;
    event.preventDefault();
    first = undefined;
    found.onPress();
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}
