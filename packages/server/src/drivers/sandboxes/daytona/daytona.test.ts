import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startFakeDaytona } from '../../../../test/engines/fake-daytona.ts';
import { sandboxConformance } from '../conformance.ts';
import { smallLimits as limits } from '../testing.ts';
import { makeDaytona } from './daytona.ts';

const api_key = 'key-of-a-test';
const daytona = await startFakeDaytona(api_key);
const make = (key = api_key) => makeDaytona({ api_key: key, base_url: daytona.base_url, limits });
sandboxConformance('Daytona, against a fake of its API', { make: () => make(), streams: false });

test('creates a sandbox without network unless asked for, which is kept only if it is persistent', async () => {
  const driver = make();
  for (const [persistent, network] of [
    [false, false],
    [true, true],
  ] as const) {
    const ref = await driver.create({ id: randomUUID(), persistent, network });
    const body = daytona.sandboxes.get(ref)?.body ?? {};
    assert.deepEqual([body['autoDeleteInterval'], body['networkBlockAll']], [persistent ? -1 : 30, !network]);
    await driver.destroy(ref);
  }
});

test('the self-test reports a wrong key without showing it', async () => {
  const { usable, note } = await make('wrong-key').probe();
  assert.deepEqual([usable, note], [false, 'Daytona answered 401']);
});
