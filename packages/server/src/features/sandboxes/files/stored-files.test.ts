import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testConfig } from '../../../../test/support/test-config.ts';
import { makeDatabase } from '../../../../test/support/test-database.ts';
import { makeSandboxEngines } from '../../../app/tools/sandboxes.ts';
import { openDatabase } from '../../../db/database.ts';
import { migrate } from '../../../db/migrate.ts';
import { openNotifier } from '../../../db/notifier.ts';
import { makeDiskBlobs } from '../../../drivers/blobs/disk.ts';
import { newId } from '../../../lib/ids.ts';
import { makeLog } from '../../../lib/log.ts';
import type { Opened } from '../service.ts';
import { makeStopNotifier } from '../stop-notifier.ts';
import { findSandbox } from '../store.ts';
import { sandboxConfig } from '../testing.ts';
import { makeStoredFiles } from './stored-files.ts';

const lines: string[] = [];
const log = makeLog('warn', (line) => void lines.push(line));
const dir = mkdtempSync(join(tmpdir(), 'atrium-stored-files-'));
const database = await makeDatabase();
const db = openDatabase({ connection: database.connection, max: 3, log });
await migrate(db.pool);
const notifier = await openNotifier(database.connection, log);
const blobs = makeDiskBlobs(join(dir, 'blobs'));
const removedNotifier = makeStopNotifier({ db, notifier });
const [workspace_id, id] = [newId(), newId()];
await db.pool.query(
  `insert into sandboxes (workspace_id, id, label, persistent, network, status, engine, isolation, ref, created_by)
   values ($1, $2::uuid, '', true, false, 'running', 'just-bash', 'emulated', $2::text, 'test')`,
  [workspace_id, id],
);

/** A node with a disk of its own. */
async function makeNode(name: string) {
  const engines = makeSandboxEngines(testConfig(join(dir, name), sandboxConfig({ engine: 'just-bash' })));
  const driver = engines.driver('just-bash');
  const row = await findSandbox(db, workspace_id, id);
  assert.ok(driver?.snapshots && row);
  const opened: Opened = { row, driver: { ...driver }, ref: id };
  const files = makeStoredFiles({ db, blobs, log, removedNotifier, isShared: true, most_bytes: 1_000_000 });
  return { engines, files, opened, snapshots: driver.snapshots };
}
const [first, second] = [await makeNode('first'), await makeNode('second')];
after(async () => {
  for (const { engines } of [first, second]) await engines.close();
  await notifier.close();
  await db.close();
  await database.drop();
  rmSync(dir, { recursive: true, force: true });
});

test('stores files at the end of a look when the use that changed them could not', async () => {
  const { files, opened, snapshots } = first;
  await opened.driver.create({ id, persistent: true, network: false });
  // As when a file becomes shorter while it is packed.
  let failures = 1;
  opened.driver.snapshots = {
    ...snapshots,
    async *pack(ref) {
      if (failures-- > 0) throw new Error('A file has become shorter');
      yield* snapshots.pack(ref);
    },
  };
  const hold = await files.take(opened, 1000);
  await opened.driver.files.write(id, 'f', Buffer.from('kept'));
  const looking = files.look(opened);
  await hold?.release();
  await looking;
  await second.files.look(second.opened);
  const content = await second.opened.driver.files.read(id, 'f');
  assert.equal(await text(content), 'kept');
});

test('stores at the end of the last use what was written while files were packed', async () => {
  const { files, opened, snapshots } = first;
  let isWritten = false;
  opened.driver.snapshots = {
    ...snapshots,
    async *pack(ref) {
      yield* snapshots.pack(ref);
      // As a terminal does, which runs beside the commands of its sandbox.
      if (!isWritten) await opened.driver.files.write(id, 'late', Buffer.from('late'));
      isWritten = true;
    },
  };
  const [terminal, command] = [await files.take(opened, 1000), await files.take(opened, 1000)];
  await opened.driver.files.write(id, 'early', Buffer.from('early'));
  await command?.release();
  await terminal?.release();
  assert.ok(isWritten);
  await second.files.look(second.opened);
  const content = await second.opened.driver.files.read(id, 'late');
  assert.equal(await text(content), 'late');
});

/** A use that changes files and can't store them, while a look goes on. `onPack` is called when they are to be stored. */
async function failToStore(onPack: () => Promise<void>) {
  const { files, opened, snapshots } = first;
  opened.driver.snapshots = {
    ...snapshots,
    // biome-ignore lint/correctness/useYield: it fails before the first byte.
    async *pack() {
      await onPack();
      throw new Error('A file has become shorter');
    },
  };
  lines.length = 0;
  const hold = await files.take(opened, 1000);
  await opened.driver.files.write(id, newId(), Buffer.from('unstored'));
  const looking = files.look(opened);
  await hold?.release();
  await looking;
  opened.driver.snapshots = snapshots;
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === 'sandbox.files_not_stored')
    .map(({ workspace_id, sandbox_id, error, error_code }) => ({ workspace_id, sandbox_id, error, error_code }));
}
const shorter = { workspace_id, sandbox_id: id, error: 'A file has become shorter', error_code: undefined };

test('warns when the end of a look fails to store files as well', async () => {
  assert.deepEqual(await failToStore(async () => {}), [shorter, shorter]);
});

test('warns at the end of a look when another node took files over that were not stored', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const warnings = await failToStore(async () => {
    await db.pool.query('update sandboxes set used_by = gen_random_uuid() where id = $1', [id]);
    // The hold is renewed, and the node learns that it has lost it.
    t.mock.timers.tick(10_000);
    await sleep(300);
  });
  const [, atEnd] = warnings;
  assert.deepEqual([warnings.length, atEnd?.error_code, atEnd?.sandbox_id], [2, 'sandbox_taken_over', id]);
});
