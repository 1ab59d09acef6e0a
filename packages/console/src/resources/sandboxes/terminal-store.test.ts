import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPiece, type Entry } from './terminal-store.ts';

const entry: Entry = { id: 1, command: 'ls', language: 'bash', folder: '', pieces: [], isCut: false };

test('joins pieces of one stream and leaves colours out', () => {
  const written = [
    { stream: 'stdout', text: '\u001b[32mgreen' },
    { stream: 'stdout', text: '\u001b[0m\n' },
    { stream: 'stderr', text: 'oh' },
  ] as const;
  assert.deepEqual(written.reduce(addPiece, entry).pieces, [
    { stream: 'stdout', text: 'green\n' },
    { stream: 'stderr', text: 'oh' },
  ]);
});

test('drops the beginning when a command writes too much', () => {
  const first = addPiece(entry, { stream: 'stderr', text: 'x'.repeat(10) });
  const cut = addPiece(first, { stream: 'stdout', text: `${'y'.repeat(199_999)}z` });
  assert.equal(cut.isCut, true);
  assert.equal(cut.pieces.length, 1);
  assert.equal(cut.pieces[0]?.text.length, 200_000);
  assert.ok(cut.pieces[0]?.text.endsWith('z'));
});
