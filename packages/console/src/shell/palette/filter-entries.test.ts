import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterEntries } from './filter-entries.ts';

test('finds commands by every word, at the beginning of words first', () => {
  const entries = ['New chat', 'Go to Chat', 'Sign out', 'Switch to Chateau'].map((label) => ({ label }));
  const found = (text: string) => filterEntries(entries, text).map(({ label }) => label);
  assert.deepEqual(found('chat'), ['New chat', 'Go to Chat', 'Switch to Chateau']);
  assert.deepEqual(found('ch go'), ['Go to Chat']);
  assert.deepEqual(found('ign'), ['Sign out']);
  assert.deepEqual(found('zebra'), []);
  assert.equal(found('').length, 4);
});
