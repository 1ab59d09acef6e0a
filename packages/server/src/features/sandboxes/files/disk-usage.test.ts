import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SandboxDriver } from '../../../drivers/sandboxes/driver.ts';
import type { SandboxRow } from '../store.ts';
import { makeDiskUsage } from './disk-usage.ts';

const turnEventLoop = () => new Promise(setImmediate);
const rowOf = (id: string, files_id: string | null = null) =>
  ({ id, ref: id, engine: 'bubblewrap', files_id }) as SandboxRow;

/** Usage by an engine that answers when the test says so. */
function makeUsage(current?: string) {
  const walks: { ref: string; end(bytes: number | undefined): void }[] = [];
  const driver = {
    files: {
      usedBytes(ref: string) {
        const { promise, resolve } = Promise.withResolvers<number | undefined>();
        walks.push({ ref, end: resolve });
        return promise;
      },
    },
    snapshots: { current: async () => current },
  } as unknown as SandboxDriver;
  const limits = { disk_bytes: 1000 } as never;
  return { usage: makeDiskUsage({ driver: () => driver, limits }), walks };
}

test('measures a sandbox once for several readers, and anew after five seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { usage, walks } = makeUsage();
  const readers = [usage.read(rowOf('a')), usage.read(rowOf('a'))];
  await turnEventLoop();
  walks[0]?.end(7);
  const expected = { disk_bytes: 7, disk_limit_bytes: 1000 };
  assert.deepEqual(await Promise.all(readers), [expected, expected]);
  t.mock.timers.tick(4999);
  assert.deepEqual(await usage.read(rowOf('a')), expected);
  assert.equal(walks.length, 1);
  t.mock.timers.tick(1);
  const later = usage.read(rowOf('a'));
  await turnEventLoop();
  walks[1]?.end(8);
  assert.equal((await later).disk_bytes, 8);
});

test('measures anew when the files were changed', async () => {
  const { usage, walks } = makeUsage();
  const before = usage.read(rowOf('a'));
  await turnEventLoop();
  usage.forget('a');
  const after = usage.read(rowOf('a'));
  walks[0]?.end(1);
  await turnEventLoop();
  walks[1]?.end(2);
  assert.deepEqual([(await before).disk_bytes, (await after).disk_bytes], [1, 2]);
});

test('measures one sandbox at a time', async () => {
  const { usage, walks } = makeUsage();
  const readers = [usage.read(rowOf('a')), usage.read(rowOf('b'))];
  await turnEventLoop();
  assert.deepEqual(
    walks.map(({ ref }) => ref),
    ['a'],
  );
  walks[0]?.end(1);
  await turnEventLoop();
  walks[1]?.end(2);
  assert.deepEqual(
    (await Promise.all(readers)).map(({ disk_bytes }) => disk_bytes),
    [1, 2],
  );
});

test('knows no figure when the files here are old, or too many to count', async () => {
  const { usage, walks } = makeUsage('old');
  assert.deepEqual(await usage.read(rowOf('a', 'new')), { disk_bytes: null, disk_limit_bytes: 1000 });
  assert.equal(walks.length, 0);
  const uncounted = usage.read(rowOf('a', 'old'));
  await turnEventLoop();
  walks[0]?.end(undefined);
  assert.equal((await uncounted).disk_bytes, null);
});
