/** Whether a UTF-16 unit is part of a word; the halves of pairs count as letters. */
export const isUnitOfWord = (unit: number): boolean =>
  (unit >= 0xd800 && unit < 0xe000) || /[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit));

/** The same, beyond ASCII, for units that were asked for. */
const letters = new Map<number, boolean>();

export function isLetter(unit: number): boolean {
  if (unit < 128) return (unit > 96 && unit < 123) || (unit > 64 && unit < 91) || (unit > 47 && unit < 58);
  let known = letters.get(unit);
  if (known === undefined) {
    known = isUnitOfWord(unit);
    letters.set(unit, known);
  }
  return known;
}

/** So much of a passage is scored; a longer one is a whole file that was not split. */
export const mostCharacters = 50_000;

/** The text whose words are compared: in lower case and composed. */
export const prepareText = (text: string): string => text.slice(0, mostCharacters).normalize('NFC').toLowerCase();

/** Calls back with each word in lower case. By hand, because searches do this for every passage they score. */
export function eachWord(text: string, use: (word: string) => void): void {
  const lower = prepareText(text);
  let start = -1;
  for (let at = 0; at <= lower.length; at++) {
    if (at < lower.length && isLetter(lower.charCodeAt(at))) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      use(lower.slice(start, at));
      start = -1;
    }
  }
}

export function wordsIn(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (word) => words.push(word));
  return words;
}

/** A stem without accents, so that both spellings of a word are one term. */
export const foldMarks = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replaceAll(/\p{M}/gu, '') || text;
