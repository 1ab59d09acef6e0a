import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledgeApp } from '../../src/features/knowledge-bases/testing.ts';
import { archivesApp, form, inWorkspace } from '../../src/features/personal-data/workspaces/testing.ts';
import { s3Server } from '../support/s3/s3-server.ts';

const store = await s3Server({ prefix: 'one/' });
const knowledge = await knowledgeApp({ blobs: store.place });
const second = await s3Server();
const archives = await archivesApp({ blobs: second.place });

const blobsIn = (objects: ReadonlyMap<string, unknown>) => [...objects.keys()].filter((key) => key.includes('blobs/'));

test('trains a knowledge base from originals in the bucket, also anew', async () => {
  const { base, fill, found, call, at, trained } = knowledge;
  const id = await base();
  await fill(id, { 'a.txt': 'The lighthouse keeper is Ada.' });
  assert.ok(blobsIn(store.objects).length > 0);
  assert.deepEqual(await found(id, 'lighthouse keeper'), ['a.txt']);
  const again = await call('POST', `${at}/${id}/reindex`);
  assert.ok(again.status < 300, again.text);
  await trained(id);
  assert.deepEqual(await found(id, 'lighthouse keeper'), ['a.txt']);
});

test('exports a workspace with its files and imports it as another one', async () => {
  const { call, exported, good, ended, send } = archives;
  const { id, make } = await archives.workspace('Exported');
  const sent = await call('POST', '/v1/files', ...form(Buffer.from('words'), { 'x-workspace-id': id }));
  assert.equal(sent.status, 200, sent.text);
  // An archive has the files that something in the workspace refers to.
  await make('/v1/tables', { name: 'Notes', columns: [{ name: 'note' }], meta: { seen: sent.json.id } });
  const { bytes } = await exported(id);
  const imported = await send(bytes);
  assert.equal(imported.status, 200, imported.text);
  const { group_id } = await ended(imported.json.id);
  const { items } = await good('GET', '/v1/files', undefined, inWorkspace(group_id));
  const copy = await call('GET', `/v1/files/${items[0].id}`, undefined, inWorkspace(group_id));
  assert.equal(copy.text, 'words');
  assert.ok(second.objects.has(`blobs/${group_id}/${items[0].id}`));
});

test('draws a picture of a file once and keeps it in the bucket', async () => {
  const { call } = archives;
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const sent = await call('POST', '/v1/files', ...form(picture, {}, { filename: 'dot.png' }));
  const before = blobsIn(second.objects).length;
  const drawn = await call('GET', `/v1/files/${sent.json.id}/thumbnail?width=64`);
  assert.equal(drawn.status, 200, drawn.text);
  assert.equal(blobsIn(second.objects).length, before + 1);
  assert.equal((await call('DELETE', `/v1/files/${sent.json.id}`)).status, 200);
  assert.equal(blobsIn(second.objects).length, before - 1);
});
