import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalsOf } from './refusal-memory.ts';

test('remembers refusals for a model at an address, and forgets them after a day', () => {
  const [address, other] = [{}, {}];
  refusalsOf(address, 'one', 0).settings.add('temperature');
  const known = (at: object, model: string, now: number) => [...refusalsOf(at, model, now).settings];
  const day = 24 * 60 * 60_000;
  assert.deepEqual(known(address, 'one', day - 1), ['temperature']);
  assert.deepEqual([known(address, 'two', 1), known(other, 'one', 1)], [[], []]);
  assert.deepEqual(known(address, 'one', day), []);
});

test('forgets the model that was used longest ago when there are too many', () => {
  const address = {};
  refusalsOf(address, 'first', 0).settings.add('top_p');
  for (let model = 0; model < 100; model++) refusalsOf(address, `m${model}`, 0);
  assert.equal(refusalsOf(address, 'first', 0).settings.size, 0);
});
