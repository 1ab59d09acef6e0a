import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileServer } from '../testing.ts';

const golden = (name: string) => readFileSync(join(import.meta.dirname, '../../../../test/golden/files', name));
const server = await fileServer({ encrypt_at_rest: true });
const stored = async (name: string, content = golden(name)) => (await server.upload(content, name)).json.id as string;
const contents = (id: string, key = server.place.key) =>
  server.call('GET', `/v1/files/${id}/contents`, undefined, { key });

test('shows the sheets of a workbook as tables', async () => {
  const id = await stored('orders.xlsx');
  const { status, json } = await contents(id);
  assert.equal(status, 200, JSON.stringify(json));
  assert.ok(json.pages.length > 0);
  const [{ name, blocks }] = json.pages;
  assert.ok(name);
  assert.deepEqual([blocks.length, blocks[0].kind], [1, 'table']);
  assert.equal(blocks[0].rows.length, blocks[0].row_count);
  assert.equal(json.complete, true);
  const rows = await server.query('select blob_id from file_texts where file_id = $1', [id]);
  assert.equal(rows.length, 1, 'it is kept with the text');
  assert.deepEqual((await contents(id)).json, json);
});

test('shows the text and tables of documents, and slides by their numbers', async () => {
  const { json: document } = await contents(await stored('guide.docx'));
  const [page] = document.pages;
  assert.deepEqual([document.pages.length, page.number], [1, null]);
  assert.deepEqual([page.blocks[0].kind, page.blocks[0].text], ['heading', 'Visitor guide']);
  assert.ok(
    page.blocks.some(({ kind, rows }: { kind: string; rows: string[][] }) => kind === 'table' && rows.length > 1),
  );
  const { json: slides } = await contents(await stored('review.pptx'));
  assert.deepEqual(
    slides.pages.map(({ number }: { number: number }) => number),
    slides.pages.map((_: unknown, index: number) => index + 1),
  );
});

test('says that there is nothing to show of other files and damaged ones', async () => {
  for (const id of [await stored('heron.png'), await stored('broken.docx', Buffer.from('PK\x03\x04 nothing'))]) {
    const { status, json } = await contents(id);
    assert.deepEqual([status, json.code], [409, 'no_preview']);
  }
});

test('gives the contents to no key without files_read or of another workspace', async () => {
  const id = await stored('guide.docx');
  await contents(id);
  const other = await server.workspace();
  assert.equal((await contents(id, other.key)).status, 404);
  const path = `/v1/admin/groups/${server.place.id}/api-keys`;
  const { json } = await server.call('POST', path, { name: 'weak', permissions: ['agents_run'] });
  assert.equal((await contents(id, json.value)).status, 403);
  const { json: reader } = await server.call('POST', path, { name: 'reader', permissions: ['files_read'] });
  assert.equal((await contents(id, reader.value)).status, 404, 'a file of another owner');
});
