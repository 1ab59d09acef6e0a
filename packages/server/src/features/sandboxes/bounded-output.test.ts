import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BoundedOutput } from './bounded-output.ts';

test('keeps short output whole, in any pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 50 })),
      fc.integer({ min: 1, max: 9 }),
      (parts, size) => {
        const bytes = Buffer.from(parts.join(''));
        const kept = new BoundedOutput();
        for (let at = 0; at < bytes.length; at += size) kept.add(bytes.subarray(at, at + size));
        assert.deepEqual([kept.text, kept.truncated], [bytes.toString(), false]);
      },
    ),
  );
});

test('keeps the start and the end of long output and says how much is missing', () => {
  const kept = new BoundedOutput();
  kept.add(Buffer.from('begin'));
  for (let count = 0; count < 300; count++) kept.add(Buffer.alloc(1000, 'x'));
  kept.add(Buffer.from('end'));
  assert.equal(kept.truncated, true);
  assert.match(kept.text, /^begin.*… 200008 bytes left out ….*end$/s);
  assert.ok(kept.text.length < 101_000);
});
