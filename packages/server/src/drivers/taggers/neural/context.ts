import type { TaggedSpan } from '../driver.ts';
import { findAddresses } from '../words/addresses.ts';

const capital = "\\p{Lu}[\\p{L}\\p{M}'’]+(?:-\\p{Lu}[\\p{L}\\p{M}'’]+)?";
const initial = '\\p{Lu}\\.';
const particle = '(?:van der|van den|van|von|de la|de|del|della|da|dos|di|el|al|bin|ibn|ben|ter)';
const name = `(?:${capital}|${initial})(?: (?:${particle} )?(?:${capital}|${initial})){0,2}`;
const office =
  'President|Chairman|Chair|Speaker|Secretary|Minister|Prime|Justice|Judge|Mayor|Senator|Director|General|Right';

/** A title makes a name of what follows it, even one that nobody has heard before. */
const titled = new RegExp(
  `(?<!\\p{L})(?:Mr|Mrs|Ms|Mx|Dr|Prof)(?:\\. ?| )(?!(?:${office})(?!\\p{L}))((?:${particle} )?${name})`,
  'gu',
);

/** So does a person who says it, in small letters too; two words of them at most. */
const small = "[\\p{L}\\p{M}'’-]{2,}";
const no =
  '(?:not|on|in|at|a|an|the|is|still|also|already|really|spel\\p{L}*|miss?pel\\p{L}*|wrong|missing|listed|and|but|to|it|too|very|under|incorrect\\p{L}*|unimportant|there|here|of)';
const said = new RegExp(
  `(?<!\\p{L})[Mm]y (?:full )?name(?: is|[’']s) (?:(${name})|((?!${no}(?!\\p{L}))${small}(?: (?!(?:and|from|but|i|my|in|the|at|with|here)(?!\\p{L}))${small}(?=[,.!?\\n]|$| (?:and|from|but|i)(?!\\p{L})))?))`,
  'gu',
);

/** The patterns take milliseconds to get ready, so the simple question comes first. */
const rules = [
  { cue: /M[rsx]|Dr|Prof/, pattern: titled },
  { cue: /[Mm]y (?:full )?name/, pattern: said },
];

/** What is certain from the words around it alone. The model finds most of it; this finds what the model has no idea of. */
export function contextSpans(text: string): TaggedSpan[] {
  // An address is one place, however the model cuts it. Without a number it is none.
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
