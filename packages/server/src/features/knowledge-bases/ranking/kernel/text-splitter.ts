import { isUnitOfWord, mostCharacters } from '../split-words.ts';
import { loadKernel } from './load-kernel.ts';

/** The terms of all words of a text, and those of its words that have none, in their order. */
export interface SplitText {
  terms: Int32Array;
  unknown: string[];
}

const file = new URL('./split-text.wasm', import.meta.url);
const checksum = 'c58edfb339b4346f4efa28b7314557f8b666dab3c1ac7d5c00fdcb1cfec25f2c';
const [page, units, bytesOfSlot, mostTries] = [65_536, 65_536, 16, 32];
/** Every second unit is a word at most. */
const mostWords = mostCharacters / 2 + 1;

/** Stands for a unit whose words depend on those beside it: half of a pair, a mark, or one with no simple lower case. */
const careful = 0xffff;

/** Most signs of Chinese and Korean, which are letters: looking at each of them takes longer than the rest. */
const isSyllable = (unit: number) => (unit >= 0x4e00 && unit < 0x9fff) || (unit >= 0xac00 && unit < 0xd7a4);

function kindOf(unit: number): number {
  if (unit >= 0xd800 && unit < 0xe000) return careful;
  if (isSyllable(unit)) return unit;
  const [text, lower] = [String.fromCharCode(unit), String.fromCharCode(unit).toLowerCase()];
  const isSimple = text.normalize('NFC') === text && lower.length === 1 && lower.normalize('NFC') === lower;
  // The sigma has another form at the end of a word, and Korean letters are composed.
  if (!isSimple || /[\p{M}\u03a3\u1100-\u11ff]/u.test(text)) return careful;
  return isUnitOfWord(unit) ? lower.charCodeAt(0) : 0;
}

let kinds: Uint16Array | undefined;
function findKinds(): Uint16Array {
  kinds ??= Uint16Array.from({ length: units }, (_, unit) => kindOf(unit));
  return kinds;
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
}

/**
 * Splits texts into terms in WebAssembly, about twice as fast. Answers undefined for a text that it can't split. Throws
 * where WebAssembly can't be used.
 */
export function makeTextSplitter(termOf: ReadonlyMap<string, number>): (text: string) => SplitText | undefined {
  const module = loadKernel(file, checksum);
  const words = [...termOf].filter(([word]) => isUnitOfWord(word.charCodeAt(0)));
  const slots = 2 ** Math.ceil(Math.log2(Math.max(2, words.length * 2)));
  const [kindsAt, textAt, slotsAt] = [0, units * 2, units * 2 + mostCharacters * 2];
  const foundAt = slotsAt + slots * bytesOfSlot;
  const unknownAt = foundAt + mostWords * 4;
  const lettersAt = unknownAt + mostWords * 8;
  const size = words.reduce((sum, [word]) => sum + word.length * 2, lettersAt);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(size / page) });
  const bytes = Buffer.from(memory.buffer);
  const numbers = new Int32Array(memory.buffer);
  new Uint16Array(memory.buffer, kindsAt, units).set(findKinds());

  /** Words that are left out because the slots after their hash are taken. */
  const crowded = new Map<string, number>();
  let at = lettersAt;
  for (const [word, term] of words) {
    const length = bytes.write(word, at, 'utf16le');
    const hash = hashOf(word);
    let tries = 0;
    const slotOf = () => (slotsAt + ((hash + tries) & (slots - 1)) * bytesOfSlot) >> 2;
    while (tries < mostTries && numbers[slotOf() + 3] !== 0) tries++;
    if (tries === mostTries) crowded.set(word, term);
    else numbers.set([hash, term, at, length], slotOf());
    at += length;
  }

  const { splitText } = new WebAssembly.Instance(module, { env: { memory } }).exports as {
    splitText(...places: [from: number, to: number, kinds: number, slots: number, mask: number, ...number[]]): number;
  };
  const placeOf = (address: number) => (address - textAt) / 2;

  return (text) => {
    const read = text.slice(0, mostCharacters);
    const end = textAt + bytes.write(read, textAt, 'utf16le');
    const count = splitText(textAt, end, kindsAt, slotsAt, slots - 1, foundAt, unknownAt);
    if (count === -1) return undefined;
    const terms = numbers.slice(foundAt >> 2, (foundAt >> 2) + count);
    const unknown: string[] = [];
    for (let place = unknownAt >> 2; numbers[place + 1] !== 0; place += 2) {
      const [start, stop] = [numbers[place] as number, numbers[place + 1] as number];
      unknown.push(read.slice(placeOf(start), placeOf(stop)).toLowerCase());
    }
    return crowded.size && unknown.length ? withCrowded(terms, unknown, crowded) : { terms, unknown };
  };
}

function withCrowded(terms: Int32Array, unknown: readonly string[], crowded: ReadonlyMap<string, number>): SplitText {
  let place = 0;
  const found = terms.map((term) => (term === -2 ? (crowded.get(unknown[place++] as string) ?? -2) : term));
  return { terms: found, unknown: unknown.filter((word) => !crowded.has(word)) };
}
