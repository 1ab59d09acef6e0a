import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeLongestPrefixes } from './longest-prefixes.ts';

test('finds all values at a position, longest first, as a comparison with each value does', () => {
  const word = fc.stringMatching(/^[ab\u{1f600}]{1,6}$/u);
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), fc.array(word, { maxLength: 5 }), (values, parts) => {
      const text = parts.join('');
      const prefixes = makeLongestPrefixes();
      for (const value of values) prefixes.add(value);
      for (let start = 0; start < text.length; start++) {
        const expected = [...new Set(values)].filter((value) => text.startsWith(value, start));
        assert.deepEqual(
          [...prefixes.at(text, start)],
          expected.sort((a, b) => b.length - a.length),
        );
      }
    }),
    { numRuns: 2000 },
  );
});
