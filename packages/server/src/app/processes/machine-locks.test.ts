import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMachineLocks } from './machine-locks.ts';

test('gives a lock to one process at a time, in the order of asking', async () => {
  const locks = makeMachineLocks();
  const order: number[] = [];
  const take = (owner: number) => locks.take(owner, 'a', 5000).then((isMine) => isMine && order.push(owner));
  await take(1);
  const [second, third] = [take(2), take(3)];
  assert.equal(await locks.take(2, 'b', 5000), true);
  locks.release(3, 'a');
  assert.deepEqual(order, [1]);
  locks.release(1, 'a');
  await second;
  assert.deepEqual(order, [1, 2]);
  locks.release(2, 'a');
  await third;
  assert.deepEqual(order, [1, 2, 3]);
});

test('gives up after a while, and frees the locks of a process that has ended', async () => {
  const locks = makeMachineLocks();
  assert.equal(await locks.take(1, 'a', 10), true);
  assert.equal(await locks.take(2, 'a', 10), false);
  const [of1, of2] = [locks.take(1, 'a', 5000), locks.take(2, 'a', 5000)];
  locks.releaseAll(1);
  assert.deepEqual(await Promise.all([of1, of2]), [false, true]);
  locks.release(2, 'a');
  assert.equal(await locks.take(3, 'a', 10), true);
});
