/** The keys by which words are looked up. training/ner/text.py does the same in Python; vectors.json tests both. */
export const seeds = { word: 1, gram: 2, vector: 3, bloom: 4, bloomStep: 5 };

/** FNV-1a over UTF-16 code units with the finisher of MurmurHash3, which mixes the low bits. */
export function hashOf(text: string, seed: number, from = 0, to = text.length): number {
  let h = 2166136261 ^ seed;
  for (let at = from; at < to; at++) h = Math.imul(h ^ text.charCodeAt(at), 16777619);
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const ascii = /^[\0-\x7f]*$/;
const plain: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd' };

export const lowerOf = (word: string) =>
  ascii.test(word) ? word.toLowerCase() : word.normalize('NFC').replaceAll('’', "'").toLowerCase();

/** Removes accents, so that Jose finds José in word vectors and lists. */
export const foldOf = (low: string) =>
  ascii.test(low)
    ? low
    : low
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .replace(/[łøđıßæœþð]/g, (letter) => plain[letter] as string);

export const spellingOf = (low: string) => low.replace(/[0-9]/g, '0');

const longest = 16;

/** Hashes of the n-grams of three and four units of ^word$; of a long word, the first sixteen units count. */
export function gramsOf(spelling: string): number[] {
  const framed = `^${spelling.slice(0, longest)}$`;
  const hashes: number[] = [];
  for (let size = 3; size <= 4; size++)
    for (let at = 0; at + size <= framed.length; at++) hashes.push(hashOf(framed, seeds.gram, at, at + size));
  return hashes;
}
