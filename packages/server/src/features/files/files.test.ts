import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { fileServer } from './testing.ts';

const server = await fileServer();
const { call, place, send, upload, download, onDisk, workspace } = server;

test('an upload answers the record of the file, and nothing else', async () => {
  const answer = await upload('hello', 'notes.txt');
  assert.equal(answer.status, 200);
  const { id, created_at, ...rest } = answer.json;
  assert.deepEqual(rest, {
    uri: `store://${id}`,
    size: 5,
    group_id: place.id,
    filename: 'notes.txt',
    content_type: 'text/plain',
    source_type: 'Document',
    source_metadata: null,
    may: { download: true, delete: true },
  });
  assert.ok(Math.abs(Date.now() - Date.parse(created_at)) < 60_000);
  const { json } = await call('GET', `/v1/files/${id}/info`, undefined, { key: place.key });
  assert.deepEqual(json, { id, created_at, ...rest });
});

for (const size of [0, 1, 20_000_000])
  test(`${size} bytes come back as they went in`, async () => {
    const content = randomBytes(size);
    const { id } = (await upload(content, 'random.bin')).json;
    const got = await download(id);
    assert.equal(got.status, 200);
    assert.equal(got.headers.get('content-length'), String(size));
    assert.ok(content.equals(got.bytes));
  });

test('/v1/file and /v1/files are the same', async () => {
  for (const [one, other] of [
    ['/v1/file', '/v1/files'],
    ['/v1/files', '/v1/file'],
  ] as const) {
    const { id } = (await upload('same', 'a.txt', { at: one })).json;
    assert.equal((await send('GET', `${other}/${id}`)).bytes.toString(), 'same');
    assert.equal((await send('GET', `${other}/${id}/info`)).status, 200);
    assert.ok((await send('GET', other)).json.items.some((item: { id: string }) => item.id === id));
    assert.deepEqual((await send('DELETE', `${other}/${id}`)).json, { success: true });
    assert.equal((await send('GET', `${one}/${id}`)).status, 404);
  }
});

test('download headers keep browsers from rendering or running the file', async () => {
  const { id } = (await upload('<script>alert(1)</script>', 'naïve "x".html')).json;
  const { headers } = await download(id);
  assert.equal(headers.get('content-type'), 'text/html');
  const name = `filename="na_ve _x_.html"; filename*=UTF-8''na%C3%AFve%20%22x%22.html`;
  assert.equal(headers.get('content-disposition'), `attachment; ${name}`);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'");
});

test('removes the path from the name of an uploaded file', async () => {
  const names = { '../../etc/passwd': 'passwd', 'C:\\x': 'x', '🙂.txt': '🙂.txt', '': 'file' };
  for (const [given, kept] of Object.entries(names)) {
    const form = `--B\r\ncontent-disposition: form-data; name="file"; filename="${given}"\r\n\r\nx\r\n--B--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=B' };
    const { json } = await call('POST', '/v1/files', form, { key: place.key, headers });
    assert.equal(json.filename, kept);
  }
});

test('a range is answered with its bytes alone', async () => {
  const { id } = (await upload('0123456789', 'digits.txt')).json;
  const got = await download(id, { range: 'bytes=2-4' });
  assert.equal(got.status, 206);
  assert.equal(got.bytes.toString(), '234');
  assert.equal(got.headers.get('content-range'), 'bytes 2-4/10');
  assert.equal(got.headers.get('content-length'), '3');

  const beyond = await download(id, { range: 'bytes=10-' });
  assert.equal(beyond.status, 416);
  assert.equal(beyond.headers.get('content-range'), 'bytes */10');
  assert.equal(JSON.parse(beyond.bytes.toString()).code, 'range_not_satisfiable');
});

test('If-Range gives the part only of the file it names', async () => {
  const { id } = (await upload('0123456789', 'digits.txt')).json;
  const etag = (await download(id)).headers.get('etag') as string;
  assert.match(etag, /^"[0-9a-f]{64}"$/);
  assert.equal((await download(id, { range: 'bytes=0-0', 'if-range': etag })).status, 206);
  const changed = await download(id, { range: 'bytes=0-0', 'if-range': '"another"' });
  assert.deepEqual([changed.status, changed.bytes.toString()], [200, '0123456789']);
});

test('HEAD tells of a file what GET would, without its bytes', async () => {
  const { id } = (await upload(Buffer.alloc(3_000_000), 'big.bin')).json;
  const answer = await send('HEAD', `/v1/files/${id}`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-length'), '3000000');
  assert.equal(answer.headers.get('accept-ranges'), 'bytes');
  assert.equal(answer.bytes.length, 0);
  assert.equal((await send('HEAD', `/v1/files/${randomUUID()}`)).status, 404);
});

test('the list is paged, newest first, and searched by name', async () => {
  const { key } = await workspace();
  const made: string[] = [];
  for (const name of ['a.txt', '100%.txt', 'b_1.txt', 'Bericht.txt', 'bxl.txt'])
    made.push((await upload(name, name, { key })).json.id);
  const list = async (query: string) => (await call('GET', `/v1/files?${query}`, undefined, { key })).json;
  const { items, ...page } = await list('page=2&size=2');
  assert.deepEqual({ ...page, next: typeof page.next }, { total: 5, page: 2, size: 2, pages: 3, next: 'string' });
  assert.deepEqual(
    items.map((item: { id: string }) => item.id),
    made.toReversed().slice(2, 4),
  );
  assert.deepEqual(await list('page=9'), { items: [], total: 5, page: 9, size: 50, pages: 1, next: null });
  const found = async (search: string) =>
    (await list(`search=${encodeURIComponent(search)}`)).items.map((item: { filename: string }) => item.filename);
  assert.deepEqual(await found('BERICHT'), ['Bericht.txt']);
  assert.deepEqual(await found('%'), ['100%.txt']);
  assert.deepEqual(await found('b_'), ['b_1.txt']);
  assert.deepEqual(await found('\\'), []);
});

test('a deleted file is gone with its bytes', async () => {
  const { id } = (await upload('x', 'a.txt')).json;
  assert.ok(onDisk().includes(id));
  assert.deepEqual((await send('DELETE', `/v1/files/${id}`)).json, { success: true });
  assert.equal(onDisk().includes(id), false);
  assert.equal((await send('DELETE', `/v1/files/${id}`)).status, 404);
});

test('an Idempotency-Key keeps a repeated upload from making a second file', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const { total } = (await send('GET', '/v1/files')).json;
  const first = (await upload('once', 'a.txt', { headers })).json;
  const again = await upload('once', 'a.txt', { headers });
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(again.json, first);
  assert.equal((await upload('longer than that', 'a.txt', { headers })).status, 409);
  assert.equal((await send('GET', '/v1/files')).json.total, total + 1);
});

test('the reference shows the form and the bytes', async () => {
  const { json } = await call('GET', '/openapi.json');
  const { requestBody } = json.paths['/v1/file'].post;
  const { schema } = requestBody.content['multipart/form-data'];
  const description = 'The file to store.';
  assert.deepEqual(schema.properties.file, { type: 'string', format: 'binary', description });
  assert.deepEqual(schema.required, ['file']);
  const { content } = json.paths['/v1/files/{file_id}'].get.responses[200];
  assert.deepEqual(Object.keys(content), ['application/octet-stream']);
});
