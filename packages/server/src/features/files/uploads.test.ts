import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileServer, formEnd, formStart } from './testing.ts';

const limit = 2 * 1024 * 1024;
const server = await fileServer({ max_upload_bytes: limit });
const { call, place, upload, stream, onDisk, send } = server;

const asForm = { 'content-type': 'multipart/form-data; boundary=B' };
const post = (body: string | Buffer, headers: Record<string, string> = asForm) =>
  call('POST', '/v1/files', body, { key: place.key, headers });

const part = (content: string, name = 'file', filename = '; filename="a.txt"') =>
  `--B\r\ncontent-disposition: form-data; name="${name}"${filename}\r\n\r\n${content}\r\n`;

async function nothingIsKept() {
  // The server removes the partial files of a refused upload after it has answered.
  for (let attempt = 0; onDisk().length > 0 && attempt < 3000; attempt++) await sleep(20);
  assert.deepEqual(onDisk(), []);
  assert.equal((await send('GET', '/v1/files')).json.total, 0);
}

const invalid: Record<string, [body: string, loc: string[], type: string]> = {
  'cut in the content': [part('hello').slice(0, -4), ['body'], 'multipart_invalid'],
  'a part without a name': ['--B\r\nx: y\r\n\r\nhello\r\n--B--\r\n', ['body'], 'multipart_invalid'],
  'a whole file, then a broken part': [`${part('hello')}--B\r\nx\r\n--B--`, ['body'], 'multipart_invalid'],
  'an empty form': ['--B--\r\n', ['body', 'file'], 'missing'],
  'an empty body': ['', ['body', 'file'], 'missing'],
  'a file in another field': [`${part('hello', 'document')}--B--`, ['body', 'file'], 'missing'],
  'a text where the file should be': [`${part('hello', 'file', '')}--B--`, ['body', 'file'], 'value_error'],
  'two files': [`${part('one')}${part('two')}--B--`, ['body', 'file'], 'value_error'],
};
for (const [name, [body, loc, type]] of Object.entries(invalid))
  test(`422 and nothing kept for ${name}`, { timeout: 120_000 }, async () => {
    const { status, json, text } = await post(body);
    assert.equal(status, 422, text);
    assert.deepEqual([json.detail.length, json.detail[0].loc, json.detail[0].type], [1, loc, type]);
    await nothingIsKept();
  });

test('422 without a boundary that can be used', async () => {
  for (const boundary of ['', '; boundary=', `; boundary=${'x'.repeat(71)}`]) {
    const { status, json, text } = await post('x', { 'content-type': `multipart/form-data${boundary}` });
    assert.ok(status === 422 || status === 415, text);
    if (status === 422) assert.match(json.detail[0].msg, /boundary/);
  }
});

test('415 for anything that is not a form, however large', async () => {
  for (const type of ['application/json', 'application/octet-stream', 'multipart/mixed; boundary=B', 'nonsense']) {
    assert.equal((await post('{}', { 'content-type': type })).status, 415, type);
    assert.equal((await post(Buffer.alloc(3_000_000), { 'content-type': type })).status, 415, type);
  }
});

test('415 for a form where JSON belongs', async () => {
  const { status } = await call('POST', '/v1/admin/groups', `${part('x')}--B--`, { headers: asForm });
  assert.equal(status, 415);
});

test('fields beside the file are read and left alone', async () => {
  const { status, json } = await post(`${part('note', 'comment', '')}${part('hello')}${part('x', 'other')}--B--`);
  assert.equal(status, 200);
  assert.equal(json.size, 5);
  assert.equal((await send('DELETE', `/v1/files/${json.id}`)).status, 200);
});

test('a file of just the limit is taken, one of a byte more leaves nothing', async () => {
  const taken = await upload(Buffer.alloc(limit), 'a.bin');
  assert.equal(taken.status, 200);
  assert.equal((await send('DELETE', `/v1/files/${taken.json.id}`)).status, 200);
  const refused = await upload(Buffer.alloc(limit + 1), 'a.bin');
  assert.equal(refused.status, 413);
  assert.equal(refused.json.code, 'too_large');
  await nothingIsKept();
});

function* form(chunks: number) {
  yield formStart;
  for (let i = 0; i < chunks; i++) yield Buffer.alloc(65_536);
  yield formEnd;
}

test('a caller that sends far too much before it reads gets 413, with or without content-length', async () => {
  const length = String(formStart.length + 800 * 65_536 + formEnd.length);
  for (const headers of [{}, { 'content-length': length }]) {
    const { sent, answer } = stream(form(800), headers);
    assert.equal((await answer).status, 413);
    sent.destroy();
  }
  await nothingIsKept();
});

async function cutOff(headers: Record<string, string> = {}) {
  async function* slow() {
    yield formStart;
    yield Buffer.alloc(500_000);
    await new Promise(() => {});
  }
  const { sent, answer } = stream(slow(), headers);
  for (let attempt = 0; onDisk().length === 0 && attempt < 6000; attempt++) await sleep(10);
  assert.equal(onDisk().length, 1, 'the upload is under way');
  sent.destroy();
  await assert.rejects(answer);
}

test('an upload whose connection breaks leaves nothing', async () => {
  await cutOff();
  await nothingIsKept();
});

test('an Idempotency-Key can be used again after its upload broke off', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  await cutOff(headers);
  await nothingIsKept();
  for (let attempt = 0; ; attempt++) {
    const { status, json } = await stream(form(2), headers).answer;
    if (status === 409 && attempt < 3000) {
      await sleep(20);
      continue;
    }
    assert.equal(status, 200);
    assert.equal((await send('DELETE', `/v1/files/${json.id}`)).status, 200);
    break;
  }
});

test('one connection goes on after a refused upload', async () => {
  for (let round = 0; round < 3; round++) {
    assert.equal((await upload(Buffer.alloc(limit + 1), 'a.bin')).status, 413);
    assert.equal((await send('GET', '/v1/files')).status, 200);
  }
});
