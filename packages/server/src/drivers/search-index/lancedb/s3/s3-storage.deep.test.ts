import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asked } from '../../../../../test/support/s3/answer-request.ts';
import { type Fault, s3Server } from '../../../../../test/support/s3/s3-server.ts';
import { newId } from '../../../../lib/ids.ts';
import { makeLog } from '../../../../lib/log.ts';
import { S3Failed } from '../../../s3/s3-failed.ts';
import { conforms } from '../../conformance.ts';
import { IndexMissing, type IndexName } from '../../driver.ts';
import { makeLanceIndex } from '../lance-index.ts';
import { loadLance } from '../load.ts';
import { makeS3Storage } from './s3-storage.ts';

const logged: string[] = [];
const log = makeLog('debug', (line) => logged.push(line));
const options = { log, wait_ms: 5, timeout_ms: 1500, attempts: 3 };
const server = await s3Server({ prefix: 'all/of/' });
server.nature.page = 50;
const makeIndex = () => makeLanceIndex(makeS3Storage(server.place, options));
const index = makeIndex();

conforms('LanceDB on S3', index);

const slow = await s3Server();
Object.assign(slow.nature, { page: 50, slow_down_every: 9 });
conforms('LanceDB on S3 that fails often', makeLanceIndex(makeS3Storage(slow.place, { ...options, attempts: 5 })));

const aRow = (text: string) => ({
  ...{ id: newId(), document_id: newId(), run_id: newId(), path: '/', text, heading: '', vector: null },
});
const fresh = async (): Promise<IndexName> => {
  const name = { workspace_id: newId(), kb_id: newId(), name: newId() };
  await index.create(name, { language: 'en', dimension: null });
  return name;
};
const slowDown: Fault = { status: 503, code: 'SlowDown' };
const isOf =
  (name: IndexName, method?: string) =>
  ({ key, query, method: own }: Asked) =>
    `${key}${query.get('prefix') ?? ''}`.includes(name.name) && (method === undefined || own === method);

test('two processes that write at once lose no row', async () => {
  const name = await fresh();
  await index.add(name, [aRow('otter')]);
  const writers = [makeIndex(), makeIndex(), makeIndex()];
  const results = await Promise.allSettled(
    writers.flatMap((writer) => [1, 2, 3].map(() => writer.add(name, [aRow('otter'), aRow('otter')]))),
  );
  const added = results.filter(({ status }) => status === 'fulfilled').length;
  const { rows } = await makeIndex().state(name);
  assert.ok(added > 0);
  assert.equal(rows, 1 + 2 * added);
});

test('goes on over faults of the store that are over soon', async () => {
  const name = await fresh();
  const isOfEngine = (method: string) => (asked: Asked) =>
    isOf(name, method)(asked) && `${asked.key}${asked.query.get('prefix') ?? ''}`.includes('chunks.lance');
  server.fail(isOfEngine('PUT'), slowDown, { status: 500 });
  await index.add(name, [aRow('a heron')]);
  server.fail(isOfEngine('GET'), slowDown, { status: 500 }, 'cut');
  assert.equal((await makeIndex().searchText(name, 'heron', 5)).length, 1);
  assert.equal((await index.state(name)).rows, 1);
});

test('has each row once when the answer to a commit is lost', async () => {
  const name = await fresh();
  const isCommit = ({ key, method }: Asked) => method === 'PUT' && key.includes(name.name) && key.endsWith('.manifest');
  for (const text of ['a heron', 'an egret']) {
    server.fail(isCommit, 'lost');
    // It may fail: then the job that adds rows begins anew, and removes them first.
    await index.add(name, [aRow(text)]).catch(() => {});
  }
  const found = (await makeIndex().searchText(name, 'heron egret', 9)).map(({ id }) => id);
  assert.ok(found.length > 0);
  assert.equal(new Set(found).size, found.length);
  assert.equal((await makeIndex().state(name)).rows, found.length);
});

test('an index whose store does not answer is not at hand, and not missing', async () => {
  const name = await fresh();
  await index.add(name, [aRow('a heron')]);
  const all = Array<Fault>(400).fill({ status: 403, code: 'AccessDenied' });
  server.fail(isOf(name), ...all);
  const notAtHand = (error: unknown) =>
    error instanceof S3Failed && error.kind === 'unavailable' && /search index/.test(error.message);
  await assert.rejects(makeIndex().searchText(name, 'heron', 5), notAtHand);
  await assert.rejects(index.searchText(name, 'heron', 5), notAtHand);
  await assert.rejects(index.add(name, [aRow('a heron')]), notAtHand);
  await assert.rejects(index.readModel(name), notAtHand);
  await assert.rejects(index.drop(name), notAtHand);
  server.clearFaults();
  assert.equal((await index.searchText(name, 'heron', 5)).length, 1);
});

test('reads the newest version when the files of the one it had are removed meanwhile', async () => {
  const name = await fresh();
  const rows = [aRow('a heron'), aRow('a heron')];
  await index.add(name, rows);
  const reader = makeIndex();
  assert.equal((await reader.searchText(name, 'heron', 5)).length, 2);
  const isData = ({ key, method }: Asked) => method === 'GET' && key.includes(name.name) && key.endsWith('.lance');
  server.fail(isData, { status: 404, code: 'NoSuchKey' });
  assert.equal((await makeIndex().readPassages(name, 10))?.length, 2);
});

test('an index whose objects are damaged or gone is missing', async () => {
  for (const damage of ['torn', 'gone']) {
    const name = await fresh();
    await index.add(name, [aRow('a heron')]);
    for (const [key, object] of server.objects)
      if (key.includes(name.name) && key.endsWith('.manifest'))
        if (damage === 'gone') server.objects.delete(key);
        else server.objects.set(key, { ...object, bytes: Buffer.from('torn'), etag: '"torn"' });
    await assert.rejects(makeIndex().searchText(name, 'heron', 5), IndexMissing, damage);
  }
});

test('drops a knowledge base, and nothing beside its own names', async () => {
  const [name, near] = [await fresh(), await fresh()];
  await index.add(name, [aRow('a heron')]);
  const other = makeLanceIndex(makeS3Storage({ ...server.place, prefix: 'all/of/other/' }, options));
  await other.create(name, { language: 'en', dimension: null });
  await index.dropAll({ workspace_id: name.workspace_id });
  assert.ok(![...server.objects.keys()].some((key) => key.startsWith(`all/of/indexes/${name.workspace_id}/`)));
  assert.equal((await other.state(name)).rows, 0);
  assert.equal((await index.state(near)).rows, 0);
});

test('the engine removes the objects of versions that are no longer needed', async () => {
  const name = await fresh();
  for (const text of ['a heron', 'an otter', 'a plover']) await index.add(name, [aRow(text)]);
  const path = `${name.workspace_id}/${name.kb_id}/${name.name}`;
  const connection = await makeS3Storage(server.place, options).connect(await loadLance(), path);
  const versions = () => [...server.objects.keys()].filter((key) => key.includes(name.name) && /manifest$/.test(key));
  const before = versions().length;
  await (await connection.openTable('chunks')).optimize({ cleanupOlderThan: new Date() });
  assert.ok(versions().length < before, `${versions().length} of ${before}`);
  assert.equal((await index.searchText(name, 'otter', 5)).length, 1);
});

test('sweeps the parts of writers that died, in its own folder only', async () => {
  const name = await fresh();
  const leave = (key: string) => server.uploads.set(key, { key, started: new Date(1), parts: new Map() });
  const [own, foreign] = [`all/of/indexes/${name.workspace_id}/x`, `all/of/blobs/${name.workspace_id}/x`];
  for (const key of [own, foreign]) leave(key);
  assert.equal(await index.removePartial(new Date(Date.now() - 3_600_000)), 1);
  assert.deepEqual([...server.uploads.keys()], [foreign]);
});

test('no line of the log and no error has a key, the bucket or a name', async () => {
  const name = await fresh();
  server.fail(isOf(name), ...Array<Fault>(400).fill({ status: 403, code: 'AccessDenied' }));
  const error = await makeIndex()
    .add(name, [aRow('x')])
    .catch((failure: Error) => failure);
  server.clearFaults();
  const text = `${logged.join('')} ${error} ${(error as Error).cause} ${(error as Error).stack}`;
  assert.match(text, /s3\.failed/);
  const { secret_access_key, access_key_id, bucket, endpoint } = server.place;
  for (const word of [secret_access_key, access_key_id, bucket, endpoint, name.workspace_id])
    assert.ok(!text.includes(word), word);
});
