import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileServer } from '../testing.ts';

const folder = join(import.meta.dirname, '../../../../test/golden/files');
const golden = (name: string) => readFileSync(join(folder, name));
const server = await fileServer({ encrypt_at_rest: true });
const stored = async (name: string, content = golden(name)) => {
  const { status, json, bytes } = await server.upload(content, name);
  assert.equal(status, 200, bytes.toString());
  return json.id as string;
};
const thumbnail = (id: string, query = '', key = server.place.key) =>
  server.send('GET', `/v1/files/${id}/thumbnail${query}`, {}, key);
const rowsOf = (id: string) => server.query('select * from file_previews where file_id = $1 order by width', [id]);

test('answers a thumbnail of an image, a PDF and an Office file, and keeps it encrypted', async () => {
  for (const name of ['heron.png', 'report.pdf', 'guide.docx']) {
    const id = await stored(name);
    const first = await thumbnail(id, '?width=200');
    assert.equal(first.status, 200, first.bytes.toString());
    assert.equal(first.headers.get('content-type'), 'image/webp');
    assert.equal(first.headers.get('x-content-type-options'), 'nosniff');
    assert.match(first.headers.get('content-security-policy') ?? '', /sandbox/);
    assert.equal(first.bytes.toString('latin1', 8, 12), 'WEBP');
    const again = await thumbnail(id, '?width=256');
    assert.ok(again.bytes.equals(first.bytes));
    const [row, ...more] = await rowsOf(id);
    assert.deepEqual([row?.['width'], more.length], [256, 0], 'both widths share a picture');
    const root = join(server.data_dir, 'blobs', server.place.id);
    const path = readdirSync(root, { recursive: true }).find((entry) =>
      String(entry).endsWith(String(row?.['blob_id'])),
    );
    assert.doesNotMatch(readFileSync(join(root, String(path))).toString('latin1'), /WEBP/);
  }
});

test('draws the page that is asked for, and says how many there are', async () => {
  const id = await stored('scripts.pdf');
  const [first, again] = [await thumbnail(id, '?width=128'), await thumbnail(id, '?width=128')];
  const pages = Number(first.headers.get('x-page-count'));
  assert.ok(pages > 1, `${pages} pages`);
  assert.equal(again.headers.get('x-page-count'), String(pages), 'a kept one says it too');
  const last = await thumbnail(id, `?width=128&page=${pages}`);
  assert.deepEqual([last.status, last.bytes.equals(first.bytes)], [200, false]);
  const kept = await rowsOf(id);
  const beyond = await thumbnail(id, `?width=128&page=${pages + 1}`);
  assert.deepEqual([beyond.status, beyond.json.code], [409, 'no_preview']);
  assert.match(beyond.json.detail, new RegExp(`it has ${pages} pages`));
  assert.equal((await thumbnail(id, '?page=0')).status, 422);
  await server.query('update file_previews set pages = 1 where file_id = $1', [id]);
  assert.equal((await thumbnail(id, '?width=64&page=2')).status, 409, 'by the number that is known');
  const unread = await stored('scripts.pdf', Buffer.concat([golden('scripts.pdf'), Buffer.from('\n')]));
  assert.equal((await thumbnail(unread, '?page=900')).status, 409);
  assert.deepEqual([(await rowsOf(id)).length, await rowsOf(unread)], [kept.length, []], 'no page beyond is kept');
});

test('draws a kept thumbnail again when its bytes are lost', async () => {
  const id = await stored('heron.png');
  const first = await thumbnail(id);
  await server.query('update file_previews set blob_id = gen_random_uuid() where file_id = $1', [id]);
  assert.ok((await thumbnail(id)).bytes.equals(first.bytes));
  const [row] = await rowsOf(id);
  assert.ok(server.onDisk().includes(String(row?.['blob_id'])), 'and keeps it');
});

test('removes thumbnails with their file', async () => {
  const before = server.onDisk().length;
  const id = await stored('heron.png');
  await thumbnail(id);
  await thumbnail(id, '?width=600');
  assert.equal(server.onDisk().length, before + 3);
  assert.equal((await server.send('DELETE', `/v1/files/${id}`)).status, 200);
  assert.equal(server.onDisk().length, before);
  assert.equal((await thumbnail(id)).status, 404);
});

test('says that there is no preview of other files and damaged ones', async () => {
  const text = await thumbnail(await stored('guide.txt'));
  assert.deepEqual([text.status, text.json.code], [409, 'no_preview']);
  const id = await stored('broken.pdf', Buffer.from('%PDF-1.7\nnothing'));
  for (const answer of [await thumbnail(id), await thumbnail(id)])
    assert.deepEqual([answer.status, answer.json.code], [409, 'no_preview']);
  assert.equal((await rowsOf(id)).length, 1, 'it is not tried again');
  assert.equal((await thumbnail(id, '?width=5000')).status, 422);
});

test('gives no thumbnail to a key without files_read or of another workspace', async () => {
  const id = await stored('heron.png');
  await thumbnail(id);
  const other = await server.workspace();
  assert.equal((await thumbnail(id, '', other.key)).status, 404);
  const path = `/v1/admin/groups/${server.place.id}/api-keys`;
  const { json } = await server.call('POST', path, { name: 'weak', permissions: ['agents_run'] });
  assert.equal((await thumbnail(id, '', json.value)).status, 403);
});
