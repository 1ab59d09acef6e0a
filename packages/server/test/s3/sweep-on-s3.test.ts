import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { makeS3Blobs } from '../../src/drivers/blobs/s3/s3-blobs.ts';
import { makeFileJobs } from '../../src/features/files/jobs.ts';
import { makeQuotas } from '../../src/features/files/quotas.ts';
import { makeResumableUploads } from '../../src/features/files/resumable/resumable-uploads.ts';
import { fileServer } from '../../src/features/files/testing.ts';
import { newId } from '../../src/lib/ids.ts';
import { makeLog } from '../../src/lib/log.ts';
import { s3Server } from '../support/s3/s3-server.ts';
import { testServer } from '../support/test-database.ts';

const store = await s3Server({ prefix: 'own/' });
const { query, place, upload } = await fileServer({ blobs: store.place });
const log = makeLog('silent');
const blobs = makeS3Blobs(store.place, { log });
const [{ database }] = await query('select current_database() as database');
const db = openDatabase({ connection: { ...testServer(), database }, max: 1, log });
after(() => db.close());

async function sweep() {
  const limits = { visitor: 0, page: 0, workspace: 0, organization: 0 };
  const quotas = makeQuotas({
    db,
    limits,
    guestOf: async () => undefined,
    roomOf: async () => ({ most: 0, quota: 0 }),
  });
  const uploads = makeResumableUploads({ db, blobs, quotas, max_bytes: 1000 });
  const jobs = makeFileJobs({ db, blobs, quotas, uploads, findOtherOrphans: async () => [], findUsed: async () => [] });
  await jobs.sweep.handler({ log, signal: AbortSignal.timeout(60_000) }, {});
}

test('the sweep removes old objects without a row from its own prefix, and nothing else', async () => {
  const { id: file } = (await upload('kept', 'a.txt')).json;
  const [orphan, fresh, elsewhere] = [newId(), newId(), newId()];
  const neighbour = makeS3Blobs({ ...store.place, prefix: 'other/' }, { log });
  const keep = (id: string, kept = blobs) => kept.put(place.id, id, Readable.from([Buffer.from('x')]), 10);
  for (const id of [orphan, fresh]) await keep(id);
  await keep(elsewhere, neighbour);
  for (const [key, object] of store.objects) if (!key.endsWith(fresh)) object.modified = new Date(1);
  await sweep();
  const left = [...store.objects.keys()].sort();
  const own = [file, fresh].map((id) => `own/blobs/${place.id}/${id}`);
  assert.deepEqual(left, [...own, 'own/owner.json', `other/blobs/${place.id}/${elsewhere}`].sort());
  assert.equal((await buffer(await neighbour.get(place.id, elsewhere))).toString(), 'x');
});
