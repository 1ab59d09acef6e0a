import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFragment } from './fragment-tokens.ts';

test('reads the token of a link and leaves the rest of the fragment', () => {
  assert.deepEqual(readFragment('#token=atl_1'), { tokens: { token: 'atl_1' }, rest: '' });
  assert.deepEqual(readFragment('#second_factor_token=ats_1&at=2'), {
    tokens: { second_factor_token: 'ats_1' },
    rest: 'at=2',
  });
  assert.deepEqual(readFragment('#content'), { tokens: {}, rest: 'content' });
});
