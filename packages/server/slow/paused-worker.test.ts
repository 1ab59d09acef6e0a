// Alone on the machine: it measures how soon jobs are taken over.
// Alone in its process: starts the program several times, and stops and kills it while it works.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadLance } from '../src/drivers/search-index/lancedb/load.ts';
import { type ServerProcess, startProcess } from '../test/support/server-process.ts';
import { adminKey } from '../test/support/test-config.ts';
import { makeDatabase, testPool } from '../test/support/test-database.ts';
import { until } from '../test/support/two-nodes.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-paused-'));
const { connection, drop } = await makeDatabase();
const pool = testPool(connection);
const { host, port, user, password, database } = connection;
const url = `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
const started: ServerProcess[] = [];
const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;

function start(): ServerProcess {
  const env = { ATRIUM_ADMIN_KEY: adminKey, ATRIUM_SECRET_KEY: 'test-secret-key-0123456789abcdef0123456789' };
  const node = startProcess({ dir, env: { ...env, DATABASE_URL: url, ATRIUM_DRAIN_SECONDS: '0' } });
  started.push(node);
  return node;
}
after(async () => {
  for (const { child, kill } of started) if (child.exitCode === null && child.signalCode === null) await kill();
  await pool.end();
  await drop();
  rmSync(dir, { recursive: true, force: true });
});

async function api(address: string, method: string, path: string, body?: FormData | object) {
  const form = body instanceof FormData;
  const headers = { 'x-api-key': adminKey, ...(body && !form && { 'content-type': 'application/json' }) };
  const sent = body && { body: form ? body : JSON.stringify(body) };
  const response = await fetch(`${address}/v1/knowledge-bases${path}`, { method, headers, ...sent });
  assert.equal(response.status, 200, await response.clone().text());
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
  return (await response.json()) as any;
}

/** Two nodes, and the names by which the first holds jobs. */
async function startTwo() {
  await query('delete from job_workers');
  const first = start();
  await first.ready;
  const workers = await until('it works', async () => {
    const rows = await query('select worker_id from job_workers');
    return rows.length > 0 ? rows.map(({ worker_id }) => worker_id as string) : undefined;
  });
  const second = start();
  return { first, second, workers, address: await second.ready };
}

let uploaded = 0;
async function upload(address: string, id: string, count: number): Promise<void> {
  const form = new FormData();
  for (let made = 0; made < count; made++, uploaded++)
    form.append('files', new Blob([`Line of document number${uploaded}. `.repeat(900)]), `d${uploaded}.txt`);
  await api(address, 'POST', `/${id}/upload_train`, form);
}

/** Uploads until the first node is the one that writes to the index. */
async function untilFirstWrites(address: string, id: string, workers: readonly string[]): Promise<void> {
  for (let attempt = 0; attempt < 12; attempt++) {
    await upload(address, id, 25);
    for (const end = Date.now() + 5000; Date.now() < end; await sleep(2)) {
      const [held] = await query(
        `select j.locked_by from graphile_worker.jobs j, kb_index_writers w
         where j.task_identifier = 'knowledge.sync' and j.locked_by is not null and w.kb_id = $1 and w.writing`,
        [id],
      );
      if (held && workers.includes(held.locked_by)) return;
    }
  }
  assert.fail('the first node never wrote to the index');
}

const untilTrained = (address: string, id: string) =>
  until('all are trained', async () => (await api(address, 'GET', `/${id}`)).training_documents === 0);

/** The ids of all rows of the index that is searched, and of all passages that the database has. */
async function compareRows(id: string): Promise<{ rows: number; distinct: number; passages: number }> {
  const [base] = await query('select workspace_id, index_name from knowledge_bases where id = $1', [id]);
  const lance = await loadLance();
  const folder = join(dir, 'indexes', base.workspace_id, id, base.index_name);
  const table = await (await lance.connect(folder)).openTable('chunks');
  const ids = ((await table.query().select(['id']).toArray()) as { id: string }[]).map((row) => row.id);
  const [{ count }] = await query('select count(*)::int from kb_chunks where kb_id = $1', [id]);
  return { rows: ids.length, distinct: new Set(ids).size, passages: count };
}

test('adds no row twice and loses none when a stopped process comes back', async (t) => {
  const { first, second, workers, address } = await startTwo();
  const { id } = await api(address, 'POST', '', { name: 'paused', settings_: { auto_summary: false } });
  for (const delay of [0, 15, 60]) {
    await untilFirstWrites(address, id, workers);
    await sleep(delay);
    first.child.kill('SIGSTOP');
    const since = Date.now();
    await untilTrained(address, id);
    t.diagnostic(`trained ${((Date.now() - since) / 1000).toFixed(1)} s after the stop`);
    first.child.kill('SIGCONT');
    await sleep(5000);
    const counts = await compareRows(id);
    t.diagnostic(JSON.stringify(counts));
    assert.deepEqual([counts.rows, counts.distinct], [counts.passages, counts.passages]);
    const base = await api(address, 'GET', `/${id}`);
    assert.deepEqual([base.total_documents, base.trained_documents], [uploaded, uploaded]);
    assert.equal(base.health.status, 'ok');
    const [{ workspace_id }] = await query('select workspace_id from knowledge_bases where id = $1', [id]);
    t.diagnostic(`folders: ${readdirSync(join(dir, 'indexes', workspace_id, id)).length}`);
  }
  assert.match(first.output(), /job\.lost/, 'the stopped process has noticed');
  assert.equal(await first.stop(), 0);
  assert.equal(await second.stop(), 0);
});

test('takes over the jobs of a killed process within 20 seconds', async (t) => {
  const { first, second, workers, address } = await startTwo();
  const { id } = await api(address, 'POST', '', { name: 'killed', settings_: { auto_summary: false } });
  await untilFirstWrites(address, id, workers);
  await first.kill();
  const since = Date.now();
  await until('its jobs are unlocked', async () => {
    const left = await query('select 1 from graphile_worker.jobs where locked_by = any($1)', [workers]);
    return left.length === 0;
  });
  await untilTrained(address, id);
  const seconds = (Date.now() - since) / 1000;
  t.diagnostic(`all trained ${seconds.toFixed(1)} s after the kill`);
  assert.ok(seconds < 25, `it took ${seconds} s`);
  const counts = await compareRows(id);
  assert.deepEqual([counts.rows, counts.distinct], [counts.passages, counts.passages]);
  assert.equal(await second.stop(), 0);
});
