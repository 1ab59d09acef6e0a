import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { sql } from '../src/db/embedded/testing.ts';
import {
  databaseOf,
  gone,
  killAll,
  postgresIn,
  type ServerProcess,
  startProcess,
} from '../test/support/server-process.ts';

const key = 'archive-kill-admin-key-0123456789';
const [rows, documents, agents, kills] = [10_000, 20, 10, 3];
const dir = mkdtempSync(join(tmpdir(), 'atrium-archive-'));
let server: ServerProcess | undefined;
let address = '';
const start = async () => {
  server = startProcess({ dir, env: { ATRIUM_ADMIN_KEY: key, ATRIUM_SECRET_KEY: 'archive-kill-secret-key-0123' } });
  address = await server.ready;
};
after(async () => {
  if (server?.child.exitCode === null) server.child.kill('SIGKILL');
  killAll(postgresIn(dir));
  await gone(dir);
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
});

async function api(method: string, path: string, { body, at }: { body?: object; at?: string | undefined } = {}) {
  const isForm = body instanceof FormData;
  const headers = {
    'x-api-key': key,
    ...(at && { 'x-workspace-id': at }),
    ...(body && !isForm && { 'content-type': 'application/json' }),
  };
  const sent = body && { body: isForm ? body : JSON.stringify(body) };
  const response = await fetch(`${address}/v1${path}`, { method, headers, ...sent });
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  return response;
}
// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
const json = async (...asked: Parameters<typeof api>) => (await api(...asked)).json() as any;
const groups = async () => (await json('GET', '/admin/groups')).map(({ id }: { id: string }) => id) as string[];

async function fillWorkspace(): Promise<string> {
  const { id: at } = await json('POST', '/admin/groups', { body: { name: 'Large' } });
  const make = (path: string, body: object) => json('POST', path, { body, at });
  const table = await make('/tables', { name: 'Rows', columns: [{ name: 'a' }, { name: 'n', type: 'integer' }] });
  for (let from = 0; from < rows; from += 2000)
    await make(
      `/tables/${table.id}/rows`,
      Array.from({ length: 2000 }, (_, n) => ({ a: `row ${from + n}`, n })),
    );
  const base = await make('/knowledge-bases', { name: 'Texts' });
  const form = new FormData();
  for (let n = 0; n < documents; n++) form.append('files', new Blob([`Walnut ${n}. `.repeat(50)]), `d${n}.txt`);
  await make(`/knowledge-bases/${base.id}/upload_train`, form);
  const definition = { model: ['atrium/extractive'], knowledge_bases: [{ id: base.id }] };
  for (let n = 0; n < agents; n++) await make('/agents', { name: `Agent ${n}`, definition });
  return at;
}

/** Kills the server while a job works, some times; the job as it ended. */
async function endThroughKills(id: string): Promise<{ status: string; error: string | null; group_id: string }> {
  let done = 0;
  for (; done < kills && (await json('GET', `/data-jobs/${id}`)).ended_at === null; done++) {
    await sleep(50 + Math.random() * 400);
    await (done % 2 ? server?.killEverything() : server?.kill());
    await start();
  }
  assert.ok(done > 0, 'the server was killed while the job was under way');
  for (let attempt = 0; attempt < 600; attempt++) {
    const job = await json('GET', `/data-jobs/${id}`);
    if (job.ended_at !== null) return job;
    await sleep(200);
  }
  assert.fail('the job never ends');
}

/** Starts an import of an archive. */
async function startImport(bytes: Uint8Array): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)]), 'workspace.zip');
  return (await json('POST', '/admin/groups/import', { body })).id;
}

/** How much of everything a workspace has. */
async function countsOf(at: string) {
  const of = async (path: string) => (await json('GET', path, { at })).items as { id: string }[];
  const [[table], [base]] = [await of('/tables?source=custom'), await of('/knowledge-bases')];
  return {
    rows: (await json('GET', `/tables/${table?.id}/rows?size=1&total=true`, { at })).total,
    documents: (await of(`/knowledge-bases/${base?.id}/documents?size=100`)).length,
    agents: (await of('/agents')).length,
  };
}

let archive = new Uint8Array();

test('an export whose server is killed again and again ends with a whole archive', { timeout: 180_000 }, async () => {
  await start();
  const at = await fillWorkspace();
  const { id } = await json('POST', `/admin/groups/${at}/export`);
  const ended = await endThroughKills(id);
  assert.deepEqual([ended.status, ended.error], ['done', null]);
  archive = new Uint8Array(await (await api('GET', `/data-jobs/${id}/file`)).arrayBuffer());
  const entries = unzipSync(archive);
  const name = Object.keys(entries).find((entry) => entry.startsWith('tables/')) as string;
  assert.equal(strFromU8(entries[name] as Uint8Array).split('\n').length, rows + 1);
});

test('an import whose server is killed again and again ends with one whole workspace', {
  timeout: 180_000,
}, async () => {
  const before = await groups();
  const ended = await endThroughKills(await startImport(archive));
  assert.deepEqual([ended.status, ended.error], ['done', null]);
  const made = (await groups()).filter((id) => !before.includes(id));
  assert.deepEqual(made, [ended.group_id]);
  assert.deepEqual(await countsOf(ended.group_id), { rows, documents, agents });
});

test('an import that fails after its server was killed leaves no workspace', { timeout: 180_000 }, async () => {
  const before = await groups();
  // The last row is not valid: the table is full by then.
  const entries = { ...unzipSync(archive) };
  const name = Object.keys(entries).find((entry) => entry.startsWith('tables/')) as string;
  entries[name] = strToU8(`${strFromU8(entries[name] as Uint8Array)}{"b":8}\n`);
  const ended = await endThroughKills(await startImport(zipSync(entries)));
  assert.equal(ended.status, 'failed');
  assert.match(String(ended.error), /b: Extra inputs/);
  assert.deepEqual(await groups(), before);
  const [left] = await sql(databaseOf(dir), 'select count(*)::int as jobs from data_jobs where ended_at is null');
  assert.deepEqual(left, { jobs: 0 });
});
