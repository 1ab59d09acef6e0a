import type { Asset } from './asset.ts';
import { foldOf, gramsOf, hashOf, lowerOf, seeds, spellingOf } from './keys.ts';
import { shapeOf } from './shape.ts';

/** Writes the features of a word into `out`: vector, hashed word, hashed n-grams, shape, and lists. */
export type WriteFeatures = (word: string, out: Float32Array) => void;

/** A Bloom filter of words; about one in a thousand other words is a false positive. */
function makeList(bits: Uint8Array, probes: number) {
  const count = bits.length * 8;
  return (at: number, step: number) => {
    for (let probe = 0; probe < probes; probe++) {
      const bit = ((at + probe * step) % 4294967296) % count;
      if (!(((bits[bit >>> 3] as number) >> (bit & 7)) & 1)) return false;
    }
    return true;
  };
}

/** Says whether folded words are in a section of the asset that is a Bloom filter. */
export function makeBloomFilter(asset: Pick<Asset, 'bytes' | 'probes'>, section: string): (folded: string) => boolean {
  const has = makeList(asset.bytes(section), asset.probes);
  return (folded) => has(hashOf(folded, seeds.bloom), (hashOf(folded, seeds.bloomStep) | 1) >>> 0);
}

/** Says whether a word is in one of the asset's lists. */
export function makeListLookup(
  asset: Pick<Asset, 'bytes' | 'probes' | 'lists'>,
): (list: string, word: string) => boolean {
  const lists = new Map(asset.lists.map((name) => [name, makeBloomFilter(asset, `list.${name}`)]));
  return (list, word) => lists.get(list)?.(foldOf(lowerOf(word))) ?? false;
}

export function makeFeatures(asset: Asset): WriteFeatures {
  const { sizes, keys } = asset;
  const [vectors, words, grams] = [asset.matrix('vector'), asset.matrix('word'), asset.matrix('gram')];
  const lists = asset.lists.map((name) => makeList(asset.bytes(`list.${name}`), asset.probes));
  const wordAt = sizes.vector;
  const gramAt = wordAt + sizes.word;
  const shapeAt = gramAt + sizes.gram;
  const bitsAt = shapeAt + sizes.shapes;

  /** The keys are sorted, so a binary search finds the row. */
  function vectorRow(form: string): number {
    const key = hashOf(form, seeds.vector);
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return keys[low] === key ? low : -1;
  }

  function add({ rows, scale }: typeof words, row: number, size: number, out: Float32Array, at: number, times = 1) {
    const by = scale(row) * times;
    for (let i = 0; i < size; i++) out[at + i] = (out[at + i] as number) + (rows[row * size + i] as number) * by;
  }

  return (word, out) => {
    out.fill(0);
    const low = lowerOf(word);
    const folded = foldOf(low);
    const spelling = spellingOf(low);
    let row = vectorRow(low);
    if (row < 0 && folded !== low) row = vectorRow(folded);
    if (row >= 0) add(vectors, row, sizes.vector, out, 0);
    add(words, hashOf(spelling, seeds.word) % sizes.word_rows, sizes.word, out, wordAt);
    const hashes = gramsOf(spelling);
    for (const hash of hashes)
      add(grams, hash % sizes.gram_rows, sizes.gram, out, gramAt, 1 / Math.sqrt(hashes.length));
    const shape = shapeOf(word);
    for (let bit = 0; bit < sizes.shapes; bit++) out[shapeAt + bit] = (shape >> bit) & 1;
    const [at, step] = [hashOf(folded, seeds.bloom), hashOf(folded, seeds.bloomStep) | 1];
    lists.forEach((has, index) => {
      out[bitsAt + index] = Number(has(at, step >>> 0));
    });
    out[bitsAt + lists.length] = Number(row >= 0);
  };
}
