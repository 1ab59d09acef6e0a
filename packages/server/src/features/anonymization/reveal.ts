import { piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import { type Placeholders, placeholderPattern, plainPlaceholder } from './placeholders.ts';

/** Most pieces of an answer have neither of these characters, and are passed on after one look. */
const mayBegin = /[<%]/;

/** Replaces placeholders by their values. An unknown placeholder stays as it is. */
export const revealText = (text: string, placeholders: Placeholders): string =>
  !mayBegin.test(text) ? text : replaceAll(text, placeholders);

const replaceAll = (text: string, placeholders: Placeholders): string =>
  // In one pass, since a value may look like a placeholder.
  text.replace(placeholderPattern, (placeholder) => {
    const value = placeholders.valueOf(plainPlaceholder(placeholder));
    if (value === undefined) return placeholder;
    return placeholder.startsWith('%') ? encodeURIComponent(value.toWellFormed()) : value;
  });

/** Reveals everything in a JSON value. */
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
/** The length of the longest placeholder without its last character. */
const longest = Math.max(...openings.map(({ length }) => length)) + 9 + 2;
const begun = /^(?:<|%3C)[A-Z_]+_[1-9]\d{0,8}(?:%|%3)?$/;

/** Whether more text could turn this ending into a placeholder. */
function mayGrow(ending: string): boolean {
  const upper = ending.toUpperCase();
  if (openings.some((opening) => opening.startsWith(upper))) return true;
  return begun.test(upper) && openings.some((opening) => upper.startsWith(opening));
}

/** How many characters at the end must wait for more text. */
function heldBack(text: string): number {
  for (let at = Math.max(0, text.length - longest); at < text.length; at++) {
    const first = text.charCodeAt(at);
    if ((first === 60 || first === 37) && mayGrow(text.slice(at))) return text.length - at;
  }
  return 0;
}

/**
 * Reveals a text that arrives in pieces. It holds back only what may still become a placeholder, so that the user never
 * sees half of one.
 */
export function makeTextRevealer(placeholders: Placeholders) {
  let rest = '';
  return {
    push(piece: string): string {
      if (rest === '' && !mayBegin.test(piece)) return piece;
      const text = rest + piece;
      const held = heldBack(text);
      rest = held ? text.slice(-held) : '';
      return revealText(held ? text.slice(0, -held) : text, placeholders);
    },
    /** Returns the text that was held back, at the end of the stream. */
    end(): string {
      const text = rest;
      rest = '';
      return revealText(text, placeholders);
    },
  };
}
