import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testServer } from '../../../test/support/test-database.ts';
import { openDatabase } from '../../db/database.ts';
import { makeDiskBlobs } from '../../drivers/blobs/disk.ts';
import type { BlobName } from '../../drivers/blobs/driver.ts';
import { newId } from '../../lib/ids.ts';
import { makeLog } from '../../lib/log.ts';
import { findAbandonedArchives } from '../personal-data/service.ts';
import { makeFileJobs } from './jobs.ts';
import { makeQuotas } from './quotas.ts';
import { makeResumableUploads } from './resumable/resumable-uploads.ts';
import { fileServer } from './testing.ts';

const { data_dir, call, query, place, upload, onDisk, workspace } = await fileServer({ roles: ['http', 'worker'] });
const log = makeLog('silent');
const root = join(data_dir, 'blobs');
const blobs = makeDiskBlobs(root);

const [{ id: tenant }] = await query('select id from tenants');

async function sweep() {
  const [{ database }] = await query('select current_database() as database');
  const db = openDatabase({ connection: { ...testServer(), database }, max: 1, log });
  try {
    const limits = { visitor: 0, page: 0, workspace: 0, organization: 0 };
    const quotas = makeQuotas({
      db,
      limits,
      guestOf: async () => undefined,
      roomOf: async () => ({ most: 0, quota: 0 }),
    });
    const findOtherOrphans = (names: readonly BlobName[]) => findAbandonedArchives(db, tenant, names);
    const uploads = makeResumableUploads({ db, blobs, quotas, max_bytes: 1000 });
    const jobs = makeFileJobs({ db, blobs, quotas, findOtherOrphans, findUsed: async () => [], uploads });
    await jobs.sweep.handler({ log, signal: AbortSignal.timeout(60_000) }, {});
  } finally {
    await db.close();
  }
}

const old = (workspace_id: string, id: string) => utimesSync(join(root, workspace_id, id.slice(-2), id), 1, 1);
const keep = (workspace_id: string, id: string) => blobs.put(workspace_id, id, Readable.from([Buffer.from('x')]), 10);

test('the sweep removes old bytes without a row, and nothing else', async () => {
  const { id: file } = (await upload('kept', 'a.txt')).json;
  const [orphan, fresh, elsewhere, unknown] = [newId(), newId(), newId(), newId()];
  for (const id of [orphan, fresh]) await keep(place.id, id);
  // The workspace is unknown: the files may belong to another database, so they must stay.
  await keep(unknown, elsewhere);
  old(place.id, file);
  old(place.id, orphan);
  old(unknown, elsewhere);
  await sweep();
  assert.deepEqual(onDisk().sort(), [file, fresh].sort());
  assert.deepEqual(onDisk(unknown), [elsewhere]);
});

test('the sweep removes old archives of an organization that no job needs', async () => {
  const [unknown, fresh, waiting, ready, ended] = [newId(), newId(), newId(), newId(), newId()];
  for (const [id, ended_at, has_file] of [
    [waiting, null, false],
    [ready, 'now', true],
    [ended, 'now', false],
  ])
    await query(
      `insert into data_jobs (id, tenant_id, kind, actor_ids, created_by, ended_at, has_file)
       values ($1, $2, 'import_workspace', '{}', $1, $3::timestamptz, $4)`,
      [id, tenant, ended_at, has_file],
    );
  for (const id of [unknown, fresh, waiting, ready, ended]) await keep(tenant, id);
  for (const id of [unknown, waiting, ready, ended]) old(tenant, id);
  await sweep();
  assert.deepEqual(onDisk(tenant).sort(), [fresh, waiting, ready].sort());
});

test('a deleted workspace takes its bytes along', async () => {
  const { id, key } = await workspace();
  await upload('x', 'a.txt', { key });
  assert.equal(onDisk(id).length, 1);
  assert.equal((await call('DELETE', `/v1/admin/groups/${id}`)).status, 200);
  for (let attempt = 0; onDisk(id).length > 0 && attempt < 2400; attempt++) await sleep(25);
  assert.deepEqual(onDisk(id), []);
});

test('the sweep gives back what an upload was charged with whose process died', async () => {
  const bytes = async () => {
    const rows = await query("select bytes::int from byte_accounts where kind = 'workspace' and id = $1", [place.id]);
    return rows[0].bytes as number;
  };
  await upload('counted', 'c.txt');
  const before = await bytes();
  for (const [started_at, size] of [
    ['1 day', 5000],
    ['1 minute', 70],
  ]) {
    await query(
      `insert into file_uploads (workspace_id, id, bytes, kinds, account_ids, started_at)
       values ($1, $2, $3, '{workspace}', array[$5], now() - $4::interval)`,
      [place.id, newId(), size, started_at, place.id],
    );
    await query("update byte_accounts set bytes = bytes + $2::bigint where kind = 'workspace' and id = $1", [
      place.id,
      size,
    ]);
  }
  await sweep();
  assert.equal(await bytes(), before + 70);
});

test('the sweep keeps the pictures and the texts of files', async () => {
  const { id: file } = (await upload('kept', 'a.txt')).json;
  const [picture, text] = [newId(), newId()];
  for (const blob of [picture, text]) await keep(place.id, blob);
  await query('insert into file_previews (workspace_id, file_id, page, width, blob_id) values ($1, $2, 1, 64, $3)', [
    ...[place.id, file, picture],
  ]);
  await query(
    'insert into file_texts (workspace_id, file_id, readers, blob_id, head_bytes) values ($1, $2, 1, $3, 2)',
    [...[place.id, file, text]],
  );
  for (const blob of [picture, text]) old(place.id, blob);
  await sweep();
  for (const blob of [picture, text]) assert.ok(onDisk().includes(blob));
});

test('the sweep keeps unfinished uploads with their charge for their time, and removes them afterwards', async () => {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '10' };
  const made = await call('POST', '/v1/uploads', undefined, { key: place.key, headers });
  const { id } = made.json;
  const part = { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const sent = await call('PATCH', `/v1/uploads/${id}`, Buffer.from('01234'), { key: place.key, headers: part });
  assert.equal(sent.status, 204, sent.text);
  const [row] = await query('select blob_id from upload_parts where upload_id = $1', [id]);
  const blob = String(row?.['blob_id']);
  old(place.id, blob);
  await query("update file_uploads set started_at = now() - interval '2 hours' where id = $1", [id]);
  const left = async () => (await query('select 1 from file_uploads where id = $1', [id])).length;
  await sweep();
  assert.deepEqual([onDisk().includes(blob), await left()], [true, 1]);
  await query("update resumable_uploads set expires_at = now() - interval '1 second' where id = $1", [id]);
  await sweep();
  assert.deepEqual([onDisk().includes(blob), await left()], [false, 0]);
});
