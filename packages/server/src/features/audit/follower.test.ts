import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../db/database.ts';
import { makeLog } from '../../lib/log.ts';
import { makeAuditFollower } from './follower.ts';

test('links rows 200 ms after they were committed, all of that time at once, and looks every five seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let looks = 0;
  const transaction = async () => {
    looks++;
    return 0;
  };
  const follower = makeAuditFollower({ db: { transaction } as unknown as Database, log: makeLog('silent') });
  const looksAfter = async (ms: number) => {
    t.mock.timers.tick(ms);
    // A look is over some turns later.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    return looks;
  };
  assert.equal(await looksAfter(199), 0);
  assert.equal(await looksAfter(1), 1, 'rows that were there at the start');
  follower.wake();
  follower.wake();
  assert.equal(await looksAfter(199), 1);
  assert.equal(await looksAfter(1), 2);
  assert.equal(await looksAfter(4600), 3, 'five seconds after the start');
  await follower.close();
  assert.equal(looks, 4, 'what is left at the end');
});
