import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allPermissions, permissionDetails } from './permissions.ts';

test('every permission has a label of its own and a help text', () => {
  assert.deepEqual(Object.keys(permissionDetails), allPermissions);
  const details = Object.values(permissionDetails);
  for (const { label, help } of details) {
    assert.match(label, /^[A-Z][^.]{3,40}$/);
    assert.match(help, /^[A-Z].{15,160}\.$/);
  }
  assert.equal(new Set(details.map(({ label }) => label)).size, 39);
});
