import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countKeys } from './count-keys.ts';
import { scanKeys } from './scan-keys.ts';

test('counts the keys of objects in objects and lists', () => {
  assert.deepEqual([1, 'a', null, true, {}, []].map(countKeys), [0, 0, 0, 0, 0, 0]);
  assert.equal(countKeys({ a: 1, b: { c: null, d: [{ e: 1 }, [{ f: 'x' }]] } }), 6);
  assert.equal(countKeys([{ a: 1 }, [{ b: 1, c: 2 }]]), 3);
});

test('is below zero when a number anywhere is not finite', () => {
  const endless = Number.POSITIVE_INFINITY;
  for (const value of [endless, [endless], { a: endless }, { a: [1, { b: endless }] }, [[endless, { c: 1 }]]])
    assert.ok(countKeys(value) < 0, JSON.stringify(value));
});

test('finds the keys and the depth of a text without reading it as JSON', () => {
  assert.equal(scanKeys('{"a": {"b:{": [1, {"c": "x\\":"}]}}', 4), 3);
  assert.equal(scanKeys('[[[[1]]]]', 4), 0);
  assert.equal(scanKeys('[[[[[1]]]]]', 4), -1);
  assert.equal(scanKeys('[[[[]]], [[[]]], {"a": [[]]}]', 4), 1, 'a closed bracket is no longer counted');
});
