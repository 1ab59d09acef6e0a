import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { windowsOf } from './split-into-windows.ts';

test('returns a short text as one window', () => assert.deepEqual(windowsOf('hello', 100), ['hello']));

test('covers the text, keeps characters whole and overlaps by a tenth', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 20, max: 60 }), (text, size) => {
      const windows = windowsOf(text, size);
      assert.ok(windows.every((window) => window.length <= size && (window.isWellFormed() || !text.isWellFormed())));
      const overlap = Math.floor(size / 10) - 1;
      // Every short piece of the text is whole in at least one window.
      for (let at = 0; at + overlap <= text.length; at++)
        assert.ok(windows.some((window) => window.includes(text.slice(at, at + overlap))));
      assert.ok(text.startsWith(windows[0] as string) && text.endsWith(windows.at(-1) as string));
    }),
  );
});

test('starts and ends no window inside of a value', () => {
  const value = 'card 4111 1111 1111 1111 of emma.johnson@example.com';
  for (let at = 0; at < 60; at++) {
    const text = `${'x'.repeat(at)} ${'word '.repeat(590)}${value} and more ${'word '.repeat(300)}`;
    for (const window of windowsOf(text, 3000)) {
      const left = window.replaceAll('4111 1111 1111 1111', '').replaceAll('emma.johnson@example.com', '');
      assert.doesNotMatch(left, /1|emma|example/, `at ${at}`);
    }
  }
});
