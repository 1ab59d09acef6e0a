/**
 * The tokenizer of the training; training/ner/text.py does the same in Python, and vectors.json tests both. Tokens are
 * dotted abbreviations, the possessive, words with inner apostrophes, then single marks; hyphens split. Abbreviations
 * have eight letters at most, so that the time is linear. A line break with the spaces around it is one token, because
 * forms and signatures depend on them.
 */
const letter = '\\p{L}\\p{M}\\p{Nl}\\p{No}';
const word = `${letter}\\p{Nd}`;
const space = '\\t\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const possessive = `[’'][sS](?![${word}_])`;
const token = new RegExp(
  `\\n[\\n${space}]*` +
    `|(?:[${letter}]\\.){1,8}(?![${letter}])` +
    `|${possessive}` +
    `|[${word}]+(?:(?!${possessive})[’'][${letter}]+)*` +
    `|[^${space}]`,
  'gu',
);

export interface Token {
  text: string;
  /** In UTF-16 code units. */
  start: number;
  end: number;
}

/** A longer run of letters is split; no name is that long. */
const longest = 1000;

export function* tokensOf(text: string): Generator<Token> {
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found[0] === '\n') yield { text: '\n', start: index, end: index + found.length };
    else yield { text: found.slice(0, longest), start: index, end: index + found.length };
  }
}
