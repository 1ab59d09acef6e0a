import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesFirst } from './names-first.ts';

test('puts what is found by its name before what is found inside of it', () => {
  const found = (['passages', 'help', 'messages', 'workflows', 'agents'] as const).map((type) => ({ type }));
  assert.deepEqual(
    namesFirst(found).map(({ type }) => type),
    ['agents', 'workflows', 'messages', 'passages', 'help'],
  );
});
