import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFacets } from './count-facets.ts';

test('adds up the counts of several lists, the most frequent value first', () => {
  const first = {
    status: [
      { value: 'open', count: 2 },
      { value: null, count: 1 },
    ],
    kind: [{ value: 'a', count: 1 }],
  };
  const second = {
    status: [
      { value: 'done', count: 5 },
      { value: 'open', count: 1 },
    ],
  };
  assert.deepEqual(addFacets([first, undefined, second]), {
    status: [
      { value: 'done', count: 5 },
      { value: 'open', count: 3 },
      { value: null, count: 1 },
    ],
    kind: [{ value: 'a', count: 1 }],
  });
  assert.deepEqual(addFacets([]), {});
});
