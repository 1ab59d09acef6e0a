import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDatabase } from '../../../test/support/test-database.ts';
import { newId } from '../../lib/ids.ts';
import { makeLog } from '../../lib/log.ts';
import { makeWorkRelease } from './release-work.ts';

test('releases the runs of processes that end during the shutdown before it closes its connections', async () => {
  const database = await makeDatabase();
  const warnings: string[] = [];
  try {
    const work = await makeWorkRelease(
      database.connection,
      makeLog('warn', (line) => warnings.push(line)),
    );
    const released = work.releaseRunsOf(Array.from({ length: 20 }, () => newId()));
    await work.close();
    await released;
    assert.deepEqual(warnings, []);
  } finally {
    await database.drop();
  }
});
