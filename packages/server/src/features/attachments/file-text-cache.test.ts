import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFileTextCache } from './file-text-cache.ts';

test('drops the least recently used text when it is full', () => {
  const told = makeFileTextCache(10);
  const keep = (key: string, text: string) => told.set(key, { text, used: 1 });
  const get = (key: string) => told.get(key)?.text;
  keep('a', '1234');
  keep('b', '1234');
  assert.equal(get('a'), '1234');
  keep('c', '1234');
  assert.deepEqual([get('a'), get('b'), get('c')], ['1234', undefined, '1234']);
  keep('c', '12');
  keep('d', '1234');
  assert.deepEqual([get('a'), get('c'), get('d')], ['1234', '12', '1234']);
  keep('e', 'x'.repeat(11));
  assert.equal(get('e'), undefined, 'one that is too long for itself is not kept');
});
