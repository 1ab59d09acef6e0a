import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeMessages, prependMessages } from './merge-messages.ts';
import type { ChatMessage, StoredMessage } from './message-types.ts';

const stored = (id: string, text = id, role: 'user' | 'assistant' = 'assistant'): StoredMessage => ({
  ...{ id, role, created_at: '2026-11-16T10:00:00Z', metadata: null },
  parts: [{ type: 'text', text }],
});
const shown = (id: string, more: Partial<ChatMessage> = {}): ChatMessage => ({ ...stored(id), key: id, ...more });

test('returns the same list when nothing has changed', () => {
  const before = [shown('a'), shown('b')];
  assert.equal(mergeMessages(before, [stored('a'), stored('b')]), before);
});

test('keeps the identity of finished messages when others follow', () => {
  const before = [shown('a'), shown('b')];
  const after = mergeMessages(before, [stored('b'), stored('c')]);
  assert.deepEqual(
    after.map(({ id }) => id),
    ['a', 'b', 'c'],
  );
  assert.equal(after[0], before[0]);
  assert.equal(after[1], before[1]);
});

test('keeps the key of words that were shown before the server had named them', () => {
  const local = shown('', { ...stored('', 'Hello', 'user'), key: 'local-1', state: 'sending' });
  const [a, b] = mergeMessages([local, shown('r')], [stored('u', 'Hello', 'user'), stored('r')]);
  assert.deepEqual([a?.key, a?.id, a?.state, b?.id], ['local-1', 'u', undefined, 'r']);
});

test('drops what another branch has replaced', () => {
  const after = mergeMessages([shown('a'), shown('b'), shown('c')], [stored('a'), stored('x')]);
  assert.deepEqual(
    after.map(({ id }) => id),
    ['a', 'x'],
  );
});

test('keeps words that were not sent', () => {
  const unsent = shown('', { key: 'local-2', role: 'user', state: 'unsent' });
  assert.equal(mergeMessages([shown('a'), unsent], [stored('a')]).at(-1), unsent);
});

test('keeps how an answer ended when it is read again', () => {
  const [after] = mergeMessages([shown('a', { state: 'stopped' })], [{ ...stored('a', 'other') }]);
  assert.equal(after?.state, 'stopped');
});

test('puts older pages first and no message twice', () => {
  const after = prependMessages([shown('b')], [stored('a'), stored('b')]);
  assert.deepEqual(
    after.map(({ id }) => id),
    ['a', 'b'],
  );
});
