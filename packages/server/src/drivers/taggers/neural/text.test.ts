import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTime } from '../../../../test/support/cpu-time.ts';
import { contextSpans } from './context.ts';
import { foldOf, gramsOf, hashOf, lowerOf, seeds, spellingOf } from './keys.ts';
import { shapeOf } from './shape.ts';
import { tokensOf } from './tokenizer.ts';

interface Vectors {
  texts: { text: string; tokens: [number, number][] }[];
  words: { word: string; low: string; fold: string; row: number; grams: number[]; shape: number }[];
}

const vectors = JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8')) as Vectors;

test('tokenizes like the training', () => {
  for (const { text, tokens } of vectors.texts)
    assert.deepEqual(
      [...tokensOf(text)].map(({ start, end }) => [start, end]),
      tokens,
      JSON.stringify(text),
    );
});

test('gives words the same keys and shape as the training', () => {
  for (const { word, low, fold, row, grams, shape } of vectors.words) {
    assert.equal(lowerOf(word), low);
    assert.equal(foldOf(low), fold);
    const spelling = spellingOf(low);
    assert.equal(hashOf(spelling, seeds.word) % 16384, row, word);
    assert.deepEqual(
      gramsOf(spelling).map((hash) => hash % 32768),
      grams,
      word,
    );
    assert.equal(shapeOf(word), shape, word);
  }
});

test('returns tokens in order that cover everything but spaces', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      let at = 0;
      for (const token of tokensOf(text)) {
        assert.match(text.slice(at, token.start), /^[\s\u0085]*$/);
        assert.ok(token.end > token.start);
        const held = text.slice(token.start, token.end);
        assert.equal(held.startsWith('\n') ? '\n' : held, token.text);
        at = token.end;
      }
      assert.match(text.slice(at), /^[\s\u0085]*$/);
    }),
    { numRuns: 500 },
  );
});

test('tokenizes and reads the context in linear time on hostile repetitions', () => {
  const units =
    "a|a.|a'|'s|\n|\n |A. |Mr |Mr A|Mr Aa |Mr Aa-|my name is |my name is a|12 Aa Bb |Rua |van |de la |1|é|\u0301|😀|_";
  for (const unit of units.split('|')) {
    const text = unit.repeat(Math.ceil(60_000 / unit.length));
    for (const whole of [text, `Mr ${text}`, `my name is ${text}`]) {
      const started = cpuTime();
      for (const { end } of tokensOf(whole)) assert.ok(end <= whole.length);
      contextSpans(whole);
      assert.ok(cpuTime() - started < 4000, JSON.stringify(unit));
    }
  }
});
