import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import { makeDatabase } from '../../../test/support/test-database.ts';
import { makeSandboxEngines } from '../../app/tools/sandboxes.ts';
import { openDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openNotifier } from '../../db/notifier.ts';
import { makeDiskBlobs } from '../../drivers/blobs/disk.ts';
import { makeLog } from '../../lib/log.ts';
import { makeStoredFiles } from './files/stored-files.ts';
import { makeSandboxJobs } from './jobs.ts';
import { makeStopNotifier } from './stop-notifier.ts';
import { sandboxConfig } from './testing.ts';

const log = makeLog('silent');

/** The jobs with a database and a data directory of their own. */
async function rig() {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-idle-'));
  const database = await makeDatabase();
  const db = openDatabase({ connection: database.connection, max: 3, log });
  await migrate(db.pool);
  const notifier = await openNotifier(database.connection, log);
  const engines = makeSandboxEngines(testConfig(dir, sandboxConfig({ engine: 'just-bash' })));
  after(async () => {
    await engines.close();
    await notifier.close();
    await db.close();
    await database.drop();
    rmSync(dir, { recursive: true, force: true });
  });
  const driver = engines.driver('just-bash');
  assert.ok(driver);
  const insert = async (workspace_id: string, id: string, persistent: boolean, minutes: number) => {
    await driver.create({ id, persistent, network: false });
    await db.pool.query(
      `insert into sandboxes (workspace_id, id, label, persistent, network, status, engine, isolation, ref, created_by, last_activity)
       values ($1, $2::uuid, '', $3, false, 'running', 'just-bash', 'emulated', $2::text, 'test', now() - make_interval(mins => $4))`,
      [workspace_id, id, persistent, minutes],
    );
  };
  const statuses = async () => {
    const { rows } = await db.pool.query('select id, status from sandboxes');
    return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
  };
  const stopNotifier = makeStopNotifier({ db, notifier });
  const stored = { db, blobs: makeDiskBlobs(join(dir, 'blobs')), log, removedNotifier: stopNotifier };
  const files = makeStoredFiles({ ...stored, isShared: false, most_bytes: 1000 });
  const jobs = makeSandboxJobs({ db, stopNotifier, engines, files });
  const context = { log, signal: new AbortController().signal };
  const there = (id: string) => existsSync(join(dir, 'sandboxes', id, 'work'));
  return { db, jobs, context, insert, statuses, there };
}

const id = (last: number) => `018f0000-0000-7000-8000-00000000000${last}`;

test('stops persistent sandboxes after 15 idle minutes and removes the rest', async () => {
  const { db, jobs, context, insert, statuses, there } = await rig();
  await db.pool.query("insert into tenants (id, name) values ($1, 't')", [id(9)]);
  await db.pool.query("insert into workspaces (id, tenant_id, name) values ($1, $2, 'w')", [id(8), id(9)]);
  await insert(id(8), id(1), true, 16);
  await insert(id(8), id(2), false, 16);
  await insert(id(8), id(3), true, 14);
  await insert(id(8), id(4), false, 14);
  await jobs.idle.handler(context, {});
  assert.deepEqual(await statuses(), { [id(1)]: 'stopped', [id(3)]: 'running', [id(4)]: 'running' });
  assert.deepEqual(
    [1, 2, 3, 4].map((last) => there(id(last))),
    [true, false, true, true],
  );
  // A sandbox of a conversation is removed with it, even if it is persistent.
  await db.pool.query('update sandboxes set conversation_id = $1 where id = $2', [id(5), id(3)]);
  await jobs.idle.handler(context, {});
  assert.deepEqual([Object.keys(await statuses()).sort(), there(id(3))], [[id(1), id(4)], false]);
});

test('removes the sandboxes of a workspace with it, even new and persistent ones', async () => {
  const { jobs, context, insert, statuses, there } = await rig();
  await insert(id(7), id(1), true, 0);
  await insert(id(6), id(2), true, 0);
  await jobs.removeWorkspace.handler(context, { workspace_id: id(7) });
  assert.deepEqual([Object.keys(await statuses()), there(id(1)), there(id(2))], [[id(2)], false, true]);
  // The idle job removes what that job did not get to.
  await jobs.idle.handler(context, {});
  assert.deepEqual([await statuses(), there(id(2))], [{}, false]);
});

test('enqueues the removal of sandboxes when a workspace is deleted', async () => {
  const { call, workspace, query } = await testApp(sandboxConfig({ engine: 'just-bash' }));
  const place = await workspace();
  const { json } = await call('POST', '/v1/sandboxes', { persistent: true }, { key: place.key });
  assert.equal((await call('DELETE', `/v1/admin/groups/${place.id}`)).status, 200);
  assert.equal((await call('GET', `/v1/sandboxes/${json.id}`, undefined, { key: place.key })).status, 401);
  const jobs = await query(
    "select payload from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id where tasks.identifier = 'sandboxes.remove-workspace'",
  );
  assert.deepEqual(
    jobs.map(({ payload }) => payload.workspace_id),
    [place.id],
  );
});
