import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAttachment, attachedTo, changeAttachment, limits, refusalOf, removeAttachment } from './attachments.ts';

test('refuses a file before it is sent when it is empty, too large, or one too many', () => {
  const open = { count: 0, mayStore: true };
  assert.equal(refusalOf({ size: 1 }, open), undefined);
  assert.equal(refusalOf({ size: 0 }, open), 'empty');
  assert.equal(refusalOf({ size: limits.file + 1 }, open), 'too-large');
  assert.equal(refusalOf({ size: limits.inline + 1 }, open), undefined);
  assert.equal(refusalOf({ size: limits.inline + 1 }, { ...open, mayStore: false }), 'too-large');
  assert.equal(refusalOf({ size: 1 }, { ...open, count: limits.files }), 'too-many');
});

test('stops sending a file when it is taken back', () => {
  const { key, signal } = addAttachment('chat', new File(['x'], 'a.txt', { type: 'text/plain' }));
  changeAttachment('chat', key, { progress: 0.5 });
  assert.equal(attachedTo('chat')[0]?.progress, 0.5);
  assert.equal(removeAttachment('chat', key)?.name, 'a.txt');
  assert.equal(signal.aborted, true);
  assert.deepEqual(attachedTo('chat'), []);
});
