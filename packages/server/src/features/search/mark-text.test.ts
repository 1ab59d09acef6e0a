import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markPiece, markText } from './mark-text.ts';

const wordsAt = ({ text, marks }: { text: string; marks: { start: number; end: number }[] }) =>
  marks.map(({ start, end }) => text.slice(start, end));

test('marks the whole text anywhere and words at the beginning of words, in any case', () => {
  const marked = markText('Prefund: REFUNDS of a fun day', { q: 'refund fun', words: ['refund', 'fun'] });
  assert.deepEqual(wordsAt(marked), ['REFUND', 'fun']);
  assert.deepEqual(wordsAt(markText('prefund', { q: 'refund', words: ['refund'] })), ['refund']);
});

test('leaves markup and patterns of users as they are', () => {
  const text = '<mark>refund</mark> (.*) <script>';
  const marked = markText(text, { q: '(.*)', words: [] });
  assert.equal(marked.text, text);
  assert.deepEqual(wordsAt(marked), ['(.*)']);
});

test('marks by UTF-16 units after letters whose lower case is longer', () => {
  assert.deepEqual(wordsAt(markText('İİ 😀 Über', { q: 'über', words: ['über'] })), ['Über']);
});

test('shows the piece of a long text around the first match', () => {
  const piece = markPiece(`${'word '.repeat(1000)}the refund comes ${'after '.repeat(1000)}`, {
    ...{ q: 'refund', words: ['refund'] },
  });
  assert.deepEqual(wordsAt(piece), ['refund']);
  assert.ok(piece.text.startsWith('word ') && piece.text.length <= 200);
  const cut = markPiece('😀'.repeat(300), { q: 'nothing', words: ['nothing'] });
  assert.ok(cut.text.isWellFormed() && cut.marks.length === 0);
});
