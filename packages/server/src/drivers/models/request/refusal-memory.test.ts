import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRefusalMemory } from './refusal-memory.ts';

const at = (base_url: string, api_key = 'k') => ({ provider: { name: 'openai' as const }, base_url, api_key });

test('remembers refusals for a model at an address, and forgets them after a day', () => {
  const refusalsOf = makeRefusalMemory();
  const home = at('https://a.example');
  refusalsOf(home, 'one', 0).settings.add('temperature');
  const known = (...asked: Parameters<typeof refusalsOf>) => [...refusalsOf(...asked).settings];
  const day = 24 * 60 * 60_000;
  assert.deepEqual(known({ ...home }, 'one', day - 1), ['temperature']);
  assert.deepEqual(known(home, 'two', 1), []);
  assert.deepEqual(known(at('https://b.example'), 'one', 1), []);
  assert.deepEqual(known(at('https://a.example', 'other'), 'one', 1), []);
  assert.deepEqual(known(home, 'one', day), []);
});

test('forgets the model that was used longest ago when there are too many', () => {
  const refusalsOf = makeRefusalMemory();
  const home = at('https://a.example');
  refusalsOf(home, 'first', 0).settings.add('top_p');
  for (let model = 0; model < 1000; model++) refusalsOf(home, `m${model}`, 0);
  assert.equal(refusalsOf(home, 'first', 0).settings.size, 0);
});
