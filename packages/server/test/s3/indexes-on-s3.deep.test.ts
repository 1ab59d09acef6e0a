import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { knowledgeApp } from '../../src/features/knowledge-bases/testing.ts';
import { otherNode } from '../support/other-node.ts';
import { s3Server } from '../support/s3/s3-server.ts';
import { testApp } from '../support/test-app.ts';
import { until } from '../support/two-nodes.ts';

const store = await s3Server({ prefix: 'atrium/' });
store.nature.page = 100;
const data_dir = mkdtempSync(join(tmpdir(), 'atrium-kb-s3-'));
after(() => rmSync(data_dir, { recursive: true, force: true }));
const config = { blobs: store.place, indexes: store.place };
const app = await knowledgeApp({ ...config, data_dir });
const other = await otherNode(app, config);
const { base, fill, found, call, at, trained, get, logged } = app;
const inBucket = (part: string) => [...store.objects.keys()].filter((key) => key.startsWith(`atrium/indexes/${part}`));
const foundThere = async (id: string, query: string) => {
  const { json, text } = await other.call('POST', `${at}/${id}/search`, { query });
  assert.ok(Array.isArray(json), text);
  return json.map((hit: { document_source: { name: string } }) => hit.document_source.name);
};

test('a node without a disk in common searches what another node has indexed, at once', async () => {
  const id = await base();
  await fill(id, { 'a.txt': 'The lighthouse keeper is Ada.' });
  assert.deepEqual(await found(id, 'lighthouse keeper'), ['a.txt']);
  assert.deepEqual(await foundThere(id, 'lighthouse keeper'), ['a.txt']);
  await fill(id, { 'b.txt': 'The harbour master is Bo.' });
  assert.deepEqual(await foundThere(id, 'harbour master'), ['b.txt']);
  assert.ok(!existsSync(join(data_dir, 'indexes')) && !existsSync(join(other.data_dir, 'indexes')));
});

test('an index that is rebuilt or deleted leaves no object behind', async () => {
  const id = await base();
  await fill(id, { 'a.txt': 'The lighthouse keeper is Ada.' });
  const { group_id } = await get(id);
  assert.ok(inBucket(`${group_id}/${id}/`).length > 0);
  const names = () => new Set(inBucket(`${group_id}/${id}/`).map((key) => key.split('/')[4]));
  const [before] = names();
  assert.ok((await call('POST', `${at}/${id}/reindex`)).status < 300);
  await trained(id);
  await until('the old one is gone', () => names().size === 1 && !names().has(before));
  assert.deepEqual(await found(id, 'lighthouse keeper'), ['a.txt']);
  assert.equal((await call('DELETE', `${at}/${id}`)).status, 200);
  await until('its objects are gone', () => inBucket(`${group_id}/${id}/`).length === 0);
});

test('a search answers 503 while the store is away, and the index is not rebuilt for it', async () => {
  const id = await base();
  await fill(id, { 'a.txt': 'The lighthouse keeper is Ada.' });
  const { group_id } = await get(id);
  const names = () => [...new Set(inBucket(`${group_id}/${id}/`).map((key) => key.split('/')[4]))];
  const before = names();
  store.fail(
    ({ key, query }) => `${key}${query.get('prefix') ?? ''}`.includes(id),
    ...Array(500).fill({ status: 403, code: 'AccessDenied' }),
  );
  const away = await other.call('POST', `${at}/${id}/search`, { query: 'lighthouse keeper' });
  store.clearFaults();
  assert.deepEqual([away.status, away.json.code], [503, 'unavailable']);
  assert.deepEqual(await foundThere(id, 'lighthouse keeper'), ['a.txt']);
  assert.deepEqual(names(), before);
  const { bucket, endpoint, access_key_id, secret_access_key } = store.place;
  for (const word of [secret_access_key, access_key_id, bucket, endpoint])
    assert.ok(!`${away.text}${logged.join('')}`.includes(word), word);
});

test('does not start with indexes on the prefix of another database', async () => {
  await assert.rejects(
    testApp({ indexes: store.place }),
    /ATRIUM_INDEXES can't be used: its files are those of another/,
  );
});

test('does not start with indexes in a store that ignores conditions', async () => {
  const careless = await s3Server();
  careless.nature.ignoresConditions = true;
  await assert.rejects(testApp({ indexes: careless.place }), /ATRIUM_INDEXES can't be used: it ignores If-None-Match/);
});

test('a process without the settings of the others does not start', async () => {
  await assert.rejects(otherNode(app, { indexes: store.place }), /are in a bucket: set ATRIUM_BLOBS/);
  await assert.rejects(otherNode(app, { blobs: store.place }), /indexes in a bucket: set ATRIUM_INDEXES/);
});
