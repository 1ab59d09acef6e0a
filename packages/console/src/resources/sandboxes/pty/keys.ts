import type { KeyboardEvent } from 'react';

const arrows: Readonly<Record<string, string>> = {
  ...{ ArrowUp: 'A', ArrowDown: 'B', ArrowRight: 'C', ArrowLeft: 'D', Home: 'H', End: 'F' },
};
const named: Readonly<Record<string, string>> = {
  ...{ Enter: '\r', Backspace: '\u007f', Tab: '\t', Escape: '\u001b', Delete: '\u001b[3~', Insert: '\u001b[2~' },
  ...{ PageUp: '\u001b[5~', PageDown: '\u001b[6~', F1: '\u001bOP', F2: '\u001bOQ', F3: '\u001bOR', F4: '\u001bOS' },
  ...{ F5: '\u001b[15~', F6: '\u001b[17~', F7: '\u001b[18~', F8: '\u001b[19~', F9: '\u001b[20~', F10: '\u001b[21~' },
};

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>;

/**
 * What a terminal sends for a key; nothing for letters, which the text field takes, for keys of the browser, and for
 * Shift Tab, by which the keyboard leaves the terminal.
 */
export function sequenceOf({ key, ctrlKey, altKey, metaKey, shiftKey }: Key, hasApplicationKeys: boolean): string {
  if (metaKey || (shiftKey && (key === 'Tab' || ctrlKey))) return '';
  const arrow = arrows[key];
  if (arrow !== undefined) {
    if (ctrlKey || altKey) return `\u001b[1;${ctrlKey ? 5 : 3}${arrow}`;
    return `\u001b${hasApplicationKeys ? 'O' : '['}${arrow}`;
  }
  const start = altKey ? '\u001b' : '';
  if (named[key] !== undefined) return start + named[key];
  if (key.length !== 1) return '';
  if (ctrlKey && /^[a-z@[\\\]^_]$/i.test(key)) return start + String.fromCharCode(key.toUpperCase().charCodeAt(0) & 31);
  return altKey && !ctrlKey ? start + key : '';
}
