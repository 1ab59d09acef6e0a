/** Scripts without spaces between words: each character counts as a word. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const token = new RegExp(`[${unspaced}]|[[\\p{L}\\p{M}\\p{N}]--[${unspaced}]]+`, 'gv');
const single = new RegExp(`^[${unspaced}]$`, 'v');

/** Splits a text into words; case, punctuation, spacing, width and invisible characters make no difference. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}+/gu, '')
    .match(token) ?? [];

/** How many words this is: a character of a script without spaces counts half. */
export const weightOf = (word: string) => (single.test(word) ? 0.5 : 1);

/** Every run of `size` adjacent words, in order. */
export const gramsOf = (words: readonly string[], size: number): string[] =>
  Array.from({ length: Math.max(0, words.length - size + 1) }, (_, at) => words.slice(at, at + size).join(' '));
