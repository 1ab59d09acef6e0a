import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { startFakeE2b } from '../../../../test/engines/fake-e2b.ts';
import { sandboxConformance } from '../conformance.ts';
import { smallLimits as limits } from '../testing.ts';
import { envelope, messagesOf } from './connect-stream.ts';
import { makeE2b } from './e2b.ts';

const api_key = 'key-of-a-test';
const e2b = await startFakeE2b(api_key);
const make = (key = api_key) => makeE2b({ api_key: key, base_url: e2b.base_url, template: 'base', limits });
sandboxConformance('E2B, against a fake of its API', { make: () => make() });

test('creates a sandbox without internet unless asked for, which pauses only if it is persistent', async () => {
  const driver = make();
  for (const [persistent, network] of [
    [false, false],
    [true, true],
  ] as const) {
    const ref = await driver.create({ id: randomUUID(), persistent, network });
    const body = e2b.sandboxes.get(ref)?.body ?? {};
    assert.deepEqual([body['autoPause'], body['allow_internet_access']], [persistent, network]);
    await driver.destroy(ref);
  }
});

test('finds a sandbox by its reference after a restart', async () => {
  const ref = await make().create({ id: randomUUID(), persistent: true, network: false });
  await make().files.write(ref, 'f', Buffer.from('x'));
  assert.equal((await make().files.list(ref, '')).length, 1);
  await make().destroy(ref);
});

test('the self-test reports a wrong key without showing it', async () => {
  const { usable, note } = await make('wrong-key').probe();
  assert.deepEqual([usable, note], [false, 'E2B answered 401']);
});

test('reads messages that the network splits anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.array(fc.integer({ min: 1, max: 40 })), async (messages, cuts) => {
      const bytes = Buffer.concat([...messages.map((message) => envelope({ message })), envelope({}, 2)]);
      async function* chunks() {
        for (let [at, turn] = [0, 0]; at < bytes.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 7;
          yield bytes.subarray(at, at + size);
          at += size;
        }
      }
      const found = await Array.fromAsync(messagesOf(chunks()));
      assert.deepEqual(found, JSON.parse(JSON.stringify(messages.map((message) => ({ message })))));
    }),
    { numRuns: 50 },
  );
});
