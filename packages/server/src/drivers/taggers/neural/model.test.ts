import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadAsset, openAsset } from './asset.ts';
import { makeFeatures } from './features.ts';
import type { Kernel } from './kernel.ts';
import { makeJsKernel } from './kernel-js.ts';
import { makeWasmKernel } from './kernel-wasm.ts';
import { makeReader } from './reader.ts';

const asset = loadAsset();
const writeFeatures = makeFeatures(asset);

/** Written by training/ner/export.py: the scores of PyTorch. */
const trained = JSON.parse(readFileSync(new URL('scores.json', import.meta.url), 'utf8')) as {
  words: string[];
  scores: number[][];
}[];

function scoresOf(kernel: Kernel, words: string[]): number[] {
  words.forEach((word, slot) => {
    writeFeatures(word, kernel.features);
    kernel.keep(slot);
  });
  return [...kernel.read(words.map((_, slot) => slot))];
}

/** The largest difference, relative to the largest score. */
const farthest = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((value, at) => Math.abs(value - (b[at] as number)))) / Math.max(1, ...b.map(Math.abs));

for (const [name, make] of [
  ['WebAssembly', makeWasmKernel],
  ['JavaScript', makeJsKernel],
] as const)
  test(`in ${name} the scores are those of the training`, () => {
    const kernel = make(asset, 64);
    for (const { words, scores } of trained) assert.ok(farthest(scoresOf(kernel, words), scores.flat()) < 1e-3);
  });

test('WebAssembly and JavaScript give the same scores for any words, to a thousandth', () => {
  const [wasm, js] = [makeWasmKernel(asset, 64), makeJsKernel(asset, 64)];
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom('Anna', 'Oslo', 'the'),
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
      assert.ok(farthest(scoresOf(wasm, words), scoresOf(js, words)) < 1e-3);
    }),
    { numRuns: 60 },
  );
});

test('spans of any text begin and end with a letter or a digit and split no character', () => {
  const reader = makeReader(asset);
  const name = fc.constantFrom(
    'Anna',
    ' Müller',
    ' 😀',
    'in Łódź',
    ' 12 Main Street,',
    '\n',
    ' 张伟',
    ' नेहा',
    " O'Neill's",
    'U.S.',
  );
  const text = fc.array(fc.oneof(name, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 60 });
  let found = 0;
  fc.assert(
    fc.property(text, (parts) => {
      const whole = parts.join('');
      for (const spans of reader.spansOf(whole))
        for (const { start, end, score } of spans) {
          found++;
          assert.match(whole.slice(start, end), /^[\p{L}\p{N}\p{M}’'](?:.*[\p{L}\p{N}\p{M}.])?$/su);
          assert.ok(score >= 0.3 && score < 0.9);
        }
    }),
    { numRuns: 220 },
  );
  assert.ok(found > 100);
});

test('reads a text with more words than slots like its parts', () => {
  const fresh = makeReader(asset);
  const worn = makeReader(asset);
  for (let round = 0; round < 40; round++) worn.runsOf(Array.from({ length: 100 }, (_, at) => `w${round}x${at}`));
  const words = 'Dear Anna Lindqvist , welcome to Oslo .'.split(' ');
  assert.deepEqual(worn.runsOf(words), fresh.runsOf(words));
  assert.deepEqual(
    fresh.runsOf(words).map(({ kind, first, end }) => [kind, first, end]),
    [
      ['PERSON', 1, 3],
      ['LOCATION', 6, 7],
    ],
  );
});

test('refuses a damaged file', async () => {
  const whole = readFileSync(new URL('../../../../assets/tagger.bin', import.meta.url));
  for (const at of [0, 5, 40, 5000, whole.length - 1]) {
    const bytes = new Uint8Array(whole);
    bytes[at] = (bytes[at] as number) ^ 1;
    assert.throws(() => openAsset(bytes), /damaged/);
  }
  assert.throws(() => openAsset(new Uint8Array(whole).slice(0, 100_000)), /damaged/);
  assert.throws(() => openAsset(new Uint8Array(3)), /damaged/);
  assert.ok(whole.length <= 12_000_000);
});
