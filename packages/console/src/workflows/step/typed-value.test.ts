import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readValue, writeValue } from './typed-value.ts';

test('reads what was written as the same value', () => {
  for (const value of ['Ada', '5', 5, true, 'true', null, ['a'], { a: 1 }, '{broken', '"quoted"', -2.5, undefined])
    assert.deepEqual(readValue(writeValue(value)), value);
});

test('takes plain words as text and JSON as its value', () => {
  assert.equal(readValue('Hello there'), 'Hello there');
  assert.deepEqual(readValue('[1, 2]'), [1, 2]);
  assert.equal(readValue('12 eggs'), '12 eggs');
});
