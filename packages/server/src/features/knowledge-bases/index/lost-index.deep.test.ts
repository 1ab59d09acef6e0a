import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { IndexMissing } from '../../../drivers/search-index/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import { makeKbSearch } from '../search/search.ts';
import { makeKnowledgeBaseService } from '../service.ts';
import { knowledgeApp } from '../testing.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'atrium-kb-'));
after(() => rmSync(data_dir, { recursive: true, force: true }));
const kb = await knowledgeApp({ data_dir });
const folder = async (id: string) => join(data_dir, 'indexes', (await kb.get(id)).group_id, id);

test('an index that is lost is noticed, and reindex builds it anew', async () => {
  const id = await kb.base();
  await kb.fill(id, { 'a.txt': 'walnut one', 'b.txt': 'walnut two' });
  await kb.ready(id);
  rmSync(await folder(id), { recursive: true });
  const { health } = await kb.get(id);
  assert.deepEqual([health.status, health.issue, health.action], ['error', 'vector_table_missing', 'reindex']);
  const refused = await kb.call('POST', `${kb.at}/${id}/search`, { query: 'walnut' });
  assert.deepEqual([refused.status, refused.json.code], [503, 'index_unavailable']);
  const runs = (await kb.call('POST', `${kb.at}/${id}/reindex`)).json;
  assert.equal(runs.length, 1, 'no document has to be trained again');
  await kb.until(
    async () => (await kb.get(id)).health.status,
    (status) => status === 'ok',
  );
  assert.deepEqual((await kb.found(id, 'walnut')).sort(), ['a.txt', 'b.txt']);
});

test('an index whose files are torn is noticed too', async () => {
  const id = await kb.base();
  await kb.fill(id, { 'a.txt': 'walnut one', 'b.txt': 'walnut two' });
  await kb.ready(id);
  const at = await folder(id);
  const tear = () => {
    const files = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((path) => /data\/.*lance$/.test(path));
    assert.ok(files.length > 0);
    for (const path of files) truncateSync(join(at, path), 10);
  };
  const issue = async () => (await kb.get(id)).health.issue;
  tear();
  assert.equal(await issue(), 'vector_table_missing', 'before anybody has searched');
  const runs = (await kb.call('POST', `${kb.at}/${id}/reindex`)).json;
  // Until then the files of the index before are being removed.
  await kb.until(
    async () => (await kb.call('GET', `${kb.at}/${id}/runs?run_ids=${runs.join(',')}`)).json,
    (list) => list.every((run: { status: string }) => run.status === 'completed'),
  );
  assert.equal(await issue(), '');
  assert.equal((await kb.found(id, 'walnut')).length, 2);
  tear();
  assert.equal((await kb.call('POST', `${kb.at}/${id}/search`, { query: 'walnut' })).json.code, 'index_unavailable');
  // The list does not look at the disk: it knows from the search.
  const listed = (await kb.call('GET', kb.at)).json.items.find((one: { id: string }) => one.id === id);
  assert.equal(listed.health.issue, 'vector_table_missing');
  await kb.call('POST', `${kb.at}/${id}/reindex`);
  await kb.until(issue, (now) => now === '');
});

test('an index that another has just taken the place of is not said to be lost', async () => {
  const row = { settings: {}, trained_documents: 1, index_damaged: false, stages: {} };
  const rows = ['old', 'new', 'new'].map((index_name) => ({ ...row, index_name }));
  const bases = makeKnowledgeBaseService({
    db: { row: async () => rows.shift() },
    index: {
      async state({ name }: { name: string }) {
        if (name === 'old') throw new IndexMissing();
      },
    },
    embedders: { effectiveNames: () => [] },
    visibility: { forLists: async () => 'all' },
  } as never);
  assert.equal((await bases.get({ workspace_id: randomUUID() } as Scope, randomUUID())).health.status, 'ok');
});

test('searches the newest index when the one before is replaced twice in a row', async () => {
  const names = ['first', 'second', 'third'];
  const search = makeKbSearch({
    db: { rows: async () => [] },
    bases: {
      find: async () => ({
        settings: { retrieval_method: 'full_text' },
        index_name: names.shift(),
        index_damaged: false,
      }),
    },
    index: {
      async readModel({ name }: { name: string }) {
        if (name !== 'third') throw new IndexMissing();
      },
      searchText: async () => [],
    },
    embedders: { effectiveNames: () => [] },
    rerankers: () => ({}),
    anonymizers: { embedding: () => ({}), reranking: () => ({}) },
    visibility: { forSearch: async () => [] },
  } as never);
  const scope = { workspace_id: randomUUID() } as Scope;
  assert.deepEqual(await search(scope, randomUUID(), { query: 'walnut' }, {} as never), []);
});

test('documents that come to a lost index have it built anew by themselves', async () => {
  const id = await kb.base();
  await kb.fill(id, { 'a.txt': 'walnut one' });
  // Before that it is put in order once more.
  await kb.ready(id);
  rmSync(await folder(id), { recursive: true });
  await kb.upload(id, { 'b.txt': 'walnut two' });
  await kb.until(
    async () => (await kb.get(id)).trained_documents,
    (count) => count === 2,
  );
  assert.deepEqual((await kb.found(id, 'walnut')).sort(), ['a.txt', 'b.txt']);
});

test('a base that goes takes its index and files with it; so does a workspace', async () => {
  const id = await kb.base();
  const [document] = await kb.fill(id, { 'a.txt': 'walnut one' });
  const at = await folder(id);
  assert.ok(existsSync(at));
  await kb.call('DELETE', `${kb.at}/${id}`);
  await kb.until(
    async () => existsSync(at),
    (there) => !there,
  );
  await kb.until(
    async () => (await kb.call('GET', `/v1/files/${document.file_id}`)).status,
    (status) => status === 404,
  );
  const place = await kb.workspace();
  const made = (await kb.call('POST', kb.at, { name: 'theirs' }, { key: place.key })).json;
  const body = '--B\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nwalnut\r\n--B--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  await kb.call('POST', `${kb.at}/${made.id}/upload_train`, body, { headers, key: place.key });
  const own = join(data_dir, 'indexes', place.id);
  await kb.until(async () => existsSync(own) && readdirSync(own).length > 0, Boolean);
  await kb.call('DELETE', `/v1/admin/groups/${place.id}`);
  await kb.until(
    async () => existsSync(own),
    (there) => !there,
  );
});

test('most documents decide the language whose stems count', async () => {
  const german =
    'Die Häuser der alten Städte stehen dicht beieinander, und zwischen ihnen führen enge Gassen zum Markt hinunter.';
  const id = await kb.base();
  await kb.fill(id, { 'haus.txt': german });
  assert.equal((await kb.documents(id))[0].language, 'de');
  assert.deepEqual(await kb.found(id, 'Gasse'), ['haus.txt']);
  assert.deepEqual(await kb.found(id, 'die'), [], 'a stop word of this language');
});
