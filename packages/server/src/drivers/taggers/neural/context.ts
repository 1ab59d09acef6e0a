import type { TaggedSpan } from '../driver.ts';
import { findAddresses } from '../words/addresses.ts';

const capital = "\\p{Lu}[\\p{L}\\p{M}'’]+(?:-\\p{Lu}[\\p{L}\\p{M}'’]+)?";
const initial = '\\p{Lu}\\.';
const particle = '(?:van der|van den|van|von|de la|de|del|della|da|dos|di|el|al|bin|ibn|ben|ter)';
const name = `(?:${capital}|${initial})(?: (?:${particle} )?(?:${capital}|${initial})){0,2}`;
const office =
  'President|Chairman|Chair|Speaker|Secretary|Minister|Prime|Justice|Judge|Mayor|Senator|Director|General|Right';

/** The words after a title are a name, even if they are unknown. */
const titled = new RegExp(
  `(?<!\\p{L})(?:Mr|Mrs|Ms|Mx|Dr|Prof)(?:\\. ?| )(?!(?:${office})(?!\\p{L}))((?:${particle} )?${name})`,
  'gu',
);

/** So are the words after "my name is", also in lower case; two words at most. */
const small = "[\\p{L}\\p{M}'’-]{2,}";
const no =
  '(?:not|on|in|at|a|an|the|is|still|also|already|really|spel\\p{L}*|miss?pel\\p{L}*|wrong|missing|listed|and|but|to|it|too|very|under|incorrect\\p{L}*|unimportant|there|here|of)';
const said = new RegExp(
  `(?<!\\p{L})[Mm]y (?:full )?name(?: is|[’']s) (?:(${name})|((?!${no}(?!\\p{L}))${small}(?: (?!(?:and|from|but|i|my|in|the|at|with|here)(?!\\p{L}))${small}(?=[,.!?\\n]|$| (?:and|from|but|i)(?!\\p{L})))?))`,
  'gu',
);

/** Compiling the patterns takes milliseconds, so a simple test comes first. */
const rules = [
  { cue: /M[rsx]|Dr|Prof/, pattern: titled },
  { cue: /[Mm]y (?:full )?name/, pattern: said },
];

/**
 * Finds names that the words around them prove. The model finds most of these; this also finds names that are unknown
 * to it.
 */
export function contextSpans(text: string): TaggedSpan[] {
  // An address is one place, however the model splits it. It needs a number.
  const addresses = /\d/.test(text) ? findAddresses(text) : [];
  const spans = addresses.filter(({ start, end }) => /\d/.test(text.slice(start, end)));
  for (const { cue, pattern } of rules) {
    if (!cue.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const found = (match[1] ?? match[2]) as string;
      const end = match.index + match[0].length;
      const possessive = /[’']s$/i.exec(found)?.[0].length ?? 0;
      spans.push({ entity: 'PERSON', start: end - found.length, end: end - possessive, score: 0.85 });
    }
  }
  return spans;
}
