import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { loadConfig } from '../../config.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const environment = ['ATRIUM_ADMIN_KEY', 'ATRIUM_SMTP_URL'];
const { call, query, workspace } = await testApp({ environment, roles: ['http', 'worker'] });
const path = '/v1/admin/system';

test('answers real figures of workers, queue, disk and database', async () => {
  await query(`select graphile_worker.add_job('never.known', '{}', run_at := now() - interval '1 hour')`);
  await query(
    `select graphile_worker.add_job('never.failed', '{}', run_at := now() - interval '1 hour', max_attempts := 1)`,
  );
  await query(`update graphile_worker._private_jobs set attempts = 1, last_error = 'canary-of-a-job'
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'never.failed')`);
  const { status, json, text } = await call('GET', path);
  assert.equal(status, 200, text);
  assert.ok(json.workers.alive >= 1 && json.workers.last_seen_at !== null, text);
  assert.ok(json.queue.waiting >= 1 && json.queue.oldest_waiting_seconds >= 3600, text);
  assert.deepEqual(
    json.queue.jobs.filter(({ job }: { job: string }) => job.startsWith('never')),
    [
      { job: 'never.failed', waiting: 0, failed: 1 },
      { job: 'never.known', waiting: 1, failed: 0 },
    ],
  );
  const [{ size, version }] = await query(
    `select pg_database_size(current_database())::float8 as size, current_setting('server_version') as version`,
  );
  assert.equal(json.database.version, version);
  assert.ok(Math.abs(json.database.size_bytes - size) < size / 2, text);
  assert.ok(json.database.connections >= 1 && json.database.connections <= json.database.max_connections, text);
  assert.ok(json.disk.free_bytes > 0 && json.disk.free_bytes <= json.disk.total_bytes, text);
  assert.ok(json.memory_bytes > 10_000_000 && Date.parse(json.started_at) <= Date.now(), text);
  const codes = json.advice.map(({ code }: { code: string }) => code);
  assert.ok(codes.includes('jobs_failed') && codes.includes('no_language_model'), text);
  assert.ok(!codes.includes('no_worker'), 'a worker runs in this process');
});

test('names the environment variables that are set, and shows no value, address or error', async () => {
  const { json, text } = await call('GET', path);
  assert.deepEqual(
    json.environment.map(({ name }: { name: string }) => name),
    environment,
  );
  for (const { meaning } of json.environment) assert.ok(meaning.length > 10);
  for (const secret of ['canary-of-a-job', 'test-admin-key', 'test-secret-key'])
    assert.ok(!text.includes(secret), secret);
  const given = { ATRIUM_ADMIN_KEY: randomBytes(32).toString('base64'), ATRIUM_SECRET_KEY: '', PATH: '/bin' };
  assert.deepEqual(loadConfig(given).environment, ['ATRIUM_ADMIN_KEY']);
});

test('answers administrators of the organization alone', async () => {
  const { key } = await workspace();
  assert.equal((await call('GET', path, undefined, { key })).status, 403);
  const { aMember } = await makePeopleIn({ call });
  const editor = await aMember('Editor');
  assert.equal((await call('GET', path, undefined, as(editor.cookie))).status, 403);
  assert.equal((await call('GET', path, undefined, { key: null })).status, 401);
});
