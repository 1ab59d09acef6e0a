import { piiEntities } from '@atrium/contract/settings/safety.ts';
import { type Placeholders, placeholderPattern, plainPlaceholder } from './placeholders.ts';

/** The values in the place of their placeholders. One that nobody gave out stays as it is. */
export const revealText = (text: string, placeholders: Placeholders): string =>
  // In one go: a value may itself look like a placeholder.
  text.replace(placeholderPattern, (placeholder) => {
    const value = placeholders.valueOf(plainPlaceholder(placeholder));
    if (value === undefined) return placeholder;
    return placeholder.startsWith('%') ? encodeURIComponent(value.toWellFormed()) : value;
  });

/** The same in everything that a JSON value holds. */
export function revealValue(value: unknown, placeholders: Placeholders): unknown {
  if (typeof value === 'string') return revealText(value, placeholders);
  if (Array.isArray(value)) return value.map((item) => revealValue(item, placeholders));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, own]) => [
    revealText(key, placeholders),
    revealValue(own, placeholders),
  ]);
  return Object.fromEntries(entries);
}

const openings = piiEntities.flatMap((entity) => [`<${entity}_`, `%3C${entity}_`]);
/** The longest placeholder there can be, without its last character. */
const longest = Math.max(...openings.map(({ length }) => length)) + 9 + 2;
const begun = /^(?:<|%3C)[A-Z_]+_[1-9]\d{0,8}(?:%|%3)?$/;

/** Whether more text could make a placeholder of this ending. */
function mayGrow(ending: string): boolean {
  const upper = ending.toUpperCase();
  if (openings.some((opening) => opening.startsWith(upper))) return true;
  return begun.test(upper) && openings.some((opening) => upper.startsWith(opening));
}

/** How much of the end must wait for what comes next. */
function heldBack(text: string): number {
  for (let at = Math.max(0, text.length - longest); at < text.length; at++) {
    const first = text.charCodeAt(at);
    if ((first === 60 || first === 37) && mayGrow(text.slice(at))) return text.length - at;
  }
  return 0;
}

/**
 * A text that comes in pieces, cut anywhere. What could still become a placeholder is held back, and nothing else, so
 * that nobody sees half of one.
 */
export function makeTextRevealer(placeholders: Placeholders) {
  let rest = '';
  return {
    push(piece: string): string {
      const text = rest + piece;
      const held = heldBack(text);
      rest = held ? text.slice(-held) : '';
      return revealText(held ? text.slice(0, -held) : text, placeholders);
    },
    /** What was held back, once nothing more comes. */
    end(): string {
      const text = rest;
      rest = '';
      return revealText(text, placeholders);
    },
  };
}
