import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hiddenOf, nameRun } from './runs.ts';

test('names a run by its first input, and says when it is hidden', () => {
  assert.equal(nameRun({ kind: 'workflow', input: { text: 'two\n words' }, hidden: null }), 'two words');
  assert.equal(nameRun({ kind: 'workflow', input: {}, hidden: 'not_yours' }), 'Hidden run');
  assert.equal(nameRun({ kind: 'workflow', input: { text: 'mine' }, hidden: 'documents' }), 'mine');
});

test('gives no reason for runs of conversations, which have no such field', () => {
  assert.equal(hiddenOf({ kind: 'conversation' }), null);
});
