import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../db/database.ts';
import { makeLog } from '../../lib/log.ts';
import { makeAuditFollower } from './follower.ts';

/** A follower on a clock that the test moves, and how often it has looked for rows. */
function makeTestFollower(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  let looks = 0;
  let answer = Promise.resolve(0);
  const transaction = () => {
    looks++;
    return answer;
  };
  const follower = makeAuditFollower({ db: { transaction } as unknown as Database, log: makeLog('silent') });
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  const answerWith = (next: Promise<number>) => {
    answer = next;
  };
  return { follower, pass, answerWith, looks: () => looks };
}

test('links at the start what an earlier process left, and then at intervals', async (t) => {
  const { follower, pass, looks } = makeTestFollower(t);
  await pass(200);
  assert.equal(looks(), 1);
  await pass(4800);
  await pass(0);
  assert.equal(looks(), 2);
  await follower.close();
  assert.equal(looks(), 3, 'once more at the end');
});

test('links together the rows of a moment, and looks again for those that came meanwhile', async (t) => {
  const { follower, pass, looks, answerWith } = makeTestFollower(t);
  await pass(200);
  const linked = Promise.withResolvers<number>();
  answerWith(linked.promise);
  follower.wake();
  follower.wake();
  await pass(200);
  assert.equal(looks(), 2);
  follower.wake();
  await pass(200);
  assert.equal(looks(), 2, 'one at a time');
  linked.resolve(0);
  await pass(0);
  await pass(200);
  assert.equal(looks(), 3);
  await follower.close();
});

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
