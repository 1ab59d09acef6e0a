import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePeer, type Peer } from './peer.ts';

test('calls go in both directions, errors come back, and an end rejects what was asked', async () => {
  const left: Peer = makePeer((message) => right.receive(structuredClone(message)), {
    double: (n: number) => n * 2,
    refuse() {
      throw new Error('not today');
    },
  });
  const right: Peer = makePeer((message) => left.receive(structuredClone(message)), {
    hang: () => new Promise(() => {}),
    add: async (a: number, b: number) => a + b,
  });
  assert.deepEqual(await Promise.all([right.call('double', 4), left.call('add', 1, 2)]), [8, 3]);
  await assert.rejects(right.call('refuse'), /not today/);
  await assert.rejects(right.call('unknown'), /no function unknown/);
  const hanging = left.call('hang');
  left.close(new Error('it has ended'));
  await assert.rejects(hanging, /it has ended/);
  await assert.rejects(left.call('add', 1, 2), /it has ended/);
  const unanswered = right.call('double', 4).then(() => 'answered');
  const waited = new Promise((resolve) => setImmediate(resolve, 'waited'));
  assert.equal(await Promise.race([unanswered, waited]), 'waited');
});
