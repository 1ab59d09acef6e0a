/*
 * The tokenizer that the model was trained with; training/ner/text.py is the same in Python, and vectors.json holds both
 * to it. Dotted abbreviations, the possessive, words with inner apostrophes, then single marks; hyphens split. Abbreviations have eight letters at most, so that the time is linear. A line break
 * with the space around it is one token, because forms and signatures live by them.
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
  /** UTF-16 units. */
  start: number;
  end: number;
}

/** A text of nothing but letters is one token; it is cut, because nobody's name is that long. */
const longest = 1000;

export function* tokensOf(text: string): Generator<Token> {
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found[0] === '\n') yield { text: '\n', start: index, end: index + found.length };
    else yield { text: found.slice(0, longest), start: index, end: index + found.length };
  }
}
