import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutToBytes } from './cut-to-bytes.ts';

test('keeps a text that fits', () => {
  for (const text of ['', 'short', 'x'.repeat(80), 'é'.repeat(40)]) assert.equal(cutToBytes(text, 80), text);
});

test('cuts a longer text by its bytes in JSON and splits no character', () => {
  assert.equal(cutToBytes('one two three', 10), 'one two…');
  for (const text of ['x'.repeat(500), '😀'.repeat(50), '"'.repeat(79), '\u0001'.repeat(60), '字'.repeat(80)]) {
    const cut = cutToBytes(text, 80);
    const bytes = Buffer.byteLength(JSON.stringify(cut)) - 2;
    assert.ok(bytes <= 80 && bytes > 70, `${bytes} bytes of ${cut}`);
    assert.ok(cut.isWellFormed() && cut.endsWith('…') && text.startsWith(cut.slice(0, -1)));
  }
});
