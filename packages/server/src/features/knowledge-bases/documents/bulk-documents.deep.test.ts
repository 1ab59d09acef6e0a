import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { as, makePeopleIn } from '../../people/testing.ts';
import { knowledgeApp } from '../testing.ts';

const kb = await knowledgeApp();
const base = await kb.base({ auto_summary: false });
const at = `${kb.at}/${base}/documents/bulk`;
const texts = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.txt`, `The heron ${name} stands.`]));
await kb.fill(base, texts);
const idOf = async (name: string) =>
  (await kb.documents(base)).find((document) => document.name === name)?.id as string;
const [a, b, c, d] = await Promise.all(['a.txt', 'b.txt', 'c.txt', 'd.txt'].map(idOf));
const bulk = async (body: object, by = {}) => kb.call('POST', at, body, by);
type Item = { done: boolean; code: string | null };
const codes = ({ json }: { json: { items: Item[] } }) => json.items.map(({ done, code }) => (done ? 'done' : code));

test('moves documents and folders and answers for each id', async () => {
  const { json: folder } = await kb.call('POST', `${kb.at}/${base}/document`, { name: 'Old', status: 'folder' });
  const moved = await bulk({ action: 'move', prefix: '/archive', document_ids: [a, folder.id, randomUUID(), a] });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(codes(moved), ['done', 'done', 'not_found']);
  assert.deepEqual([moved.json.done, moved.json.failed], [2, 1]);
  await kb.until(
    () => kb.found(base, 'heron', { prefix: '/archive' }),
    (names) => names.length === 1 && names[0] === 'a.txt',
  );
  assert.equal((await bulk({ action: 'move', document_ids: [a] })).status, 422);
});

test('trains documents again that have something to be trained from', async () => {
  const { json: bare } = await kb.call('POST', `${kb.at}/${base}/document`, { name: 'bare' });
  const runs = async () => (await kb.call('GET', `${kb.at}/${base}/runs?status=completed`)).json.length;
  const before = await runs();
  const trained = await bulk({ action: 'train', document_ids: [b, bare.id] });
  assert.deepEqual(codes(trained), ['done', 'nothing_to_train']);
  await kb.until(runs, (count) => count === before + 1);
});

test('refuses what the caller may not do or see', async () => {
  const people = await makePeopleIn(kb);
  const reader = await people.aMember('Reader');
  assert.equal((await bulk({ action: 'train', document_ids: [b] }, as(reader.cookie))).status, 403);
  const keyWith = async (permissions: string[]) => {
    const made = await kb.call('POST', `/v1/admin/groups/${people.home}/api-keys`, { name: 'k', permissions });
    return { key: made.json.value as string };
  };
  const editing = await keyWith(['kbs_query', 'kbs_edit']);
  const refused = await bulk({ action: 'delete', document_ids: [b] }, editing);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /kbs_delete/);
  await kb.call('PATCH', `${kb.at}/${base}/document/${d}`, { visible_to: [] });
  const deleting = await keyWith(['kbs_query', 'kbs_delete']);
  assert.equal((await bulk({ action: 'move', prefix: '/x', document_ids: [b] }, deleting)).status, 403);
  assert.deepEqual(codes(await bulk({ action: 'delete', document_ids: [c, d] }, deleting)), ['done', 'not_found']);
  assert.equal(await idOf('c.txt'), undefined);
  assert.equal(await idOf('d.txt'), d);
  const other = await kb.workspace();
  assert.equal((await bulk({ action: 'delete', document_ids: [b] }, { key: other.key })).status, 404);
});

test('deletes a thousand documents in one request, once for each Idempotency-Key', async () => {
  const many = await kb.base();
  await kb.query(
    `insert into kb_documents (workspace_id, kb_id, id, name, prefix, status, size, source_type)
     select workspace_id, id, gen_random_uuid(), 'd', '/', 'uploaded', 0, 'document' from knowledge_bases,
       generate_series(1, 1000) where id = $1`,
    [many],
  );
  const ids = (await kb.query('select id from kb_documents where kb_id = $1', [many])).map(({ id }) => id);
  const headers = { 'idempotency-key': randomUUID() };
  const send = () =>
    kb.call('POST', `${kb.at}/${many}/documents/bulk`, { action: 'delete', document_ids: ids }, { headers });
  const [first, again] = [await send(), await send()];
  assert.deepEqual([first.json.done, first.json.failed], [1000, 0]);
  assert.equal(again.text, first.text);
  assert.equal((await kb.get(many)).total_documents, 0);
  const over = { action: 'delete', document_ids: [...ids, randomUUID()] };
  assert.equal((await kb.call('POST', `${kb.at}/${many}/documents/bulk`, over)).status, 422);
});
