import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextTextPiece } from './split-text.ts';

function pieces(text: string, limit: number) {
  const found: { piece: string; from: number; to: number }[] = [];
  for (let at = 0; at < text.length; ) {
    const { piece, to } = nextTextPiece(text, at, limit);
    found.push({ piece, from: at, to });
    at = to;
  }
  return found;
}

test('pieces end where a paragraph, a line or a sentence does', () => {
  const text = `${'First words. '.repeat(6)}\n\n${'Second words. '.repeat(6)}`;
  assert.deepEqual(
    pieces(text, 120).map(({ piece }) => piece.trim().slice(0, 6)),
    ['First ', 'Second'],
  );
});

test('a block of code that is cut reads as code in both pieces', () => {
  const text = `Look:\n\`\`\`\n${'line of code\n'.repeat(30)}\`\`\`\ndone`;
  for (const { piece } of pieces(text, 150)) assert.equal((piece.match(/^```/gm) ?? []).length % 2, 0, piece);
});

test('all pieces together are the text, none is too long, and no character is cut in two', () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.constantFrom('\n\n', '\n', '. ', '```\n', '😀'.repeat(40)),
  );
  const wild = fc.array(part, { maxLength: 30 }).map((all) => all.join(''));
  fc.assert(
    fc.property(wild, fc.integer({ min: 60, max: 300 }), (text, limit) => {
      const found = pieces(text, limit);
      assert.equal(found.map(({ from, to }) => text.slice(from, to)).join(''), text);
      for (const { piece, from, to } of found) {
        assert.ok(to > from && to - from <= limit);
        if (text.isWellFormed()) assert.ok(piece.isWellFormed());
      }
    }),
  );
});
