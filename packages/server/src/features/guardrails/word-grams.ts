/** Scripts that put no gaps between words: each of their characters stands for itself. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const token = new RegExp(`[${unspaced}]|[[\\p{L}\\p{M}\\p{N}]--[${unspaced}]]+`, 'gv');
const single = new RegExp(`^[${unspaced}]$`, 'v');

/** Words alone: case, punctuation, gaps, line breaks, width and invisible characters make no difference. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}+/gu, '')
    .match(token) ?? [];

/** How many words these are; a character of an unspaced script is about half of one. */
export const weightOf = (word: string) => (single.test(word) ? 0.5 : 1);

/** Every run of `size` neighbouring words, in order. */
export const gramsOf = (words: readonly string[], size: number): string[] =>
  Array.from({ length: Math.max(0, words.length - size + 1) }, (_, at) => words.slice(at, at + size).join(' '));
