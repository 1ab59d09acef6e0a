import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testFiles } from './batches.ts';
import { testsReaching } from './changed-tests.ts';

test('finds the tests that import a changed file, at whatever distance', () => {
  const tests = testFiles([]);
  const reaching = (...changed: string[]) => testsReaching(changed, tests);
  assert.deepEqual(reaching('packages/server/src/lib/counters/wrong-keys.test.ts'), [
    'packages/server/src/lib/counters/wrong-keys.test.ts',
  ]);
  const found = reaching('packages/server/src/lib/counters/wrong-keys.ts');
  for (const file of [
    'packages/server/src/lib/counters/wrong-keys.test.ts',
    'packages/server/src/features/keys/keys.test.ts',
  ])
    assert.ok(found.includes(file), file);
  assert.ok(!found.includes('packages/console/src/admin/keys/key-end.test.ts'));
  assert.ok(reaching('packages/server/src/db/migrations/0001_tenancy.sql').length > 100, 'a migration concerns all');
  assert.ok(reaching('packages/contract/src/permissions.ts').some((file) => file.startsWith('packages/console/')));
  assert.equal(reaching('package-lock.json').length, tests.length);
  assert.deepEqual(reaching('docs/limits.md'), []);
});
