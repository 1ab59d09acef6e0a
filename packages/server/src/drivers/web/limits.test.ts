import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { makeGuardedWeb } from './guarded-fetch.ts';
import { fetchText, loopback, rawLoopback, refusal } from './testing.ts';

const web = makeGuardedWeb({ allow: ['127.0.0.1'] });
const megabyte = 1024 * 1024;
const served = async (body: Buffer, headers: Record<string, string> = {}, status = 200) =>
  (await loopback((_request, response) => response.writeHead(status, headers).end(body))).url;

test('returns status, headers and bytes of an answer', async () => {
  const got = await fetchText(web, await served(Buffer.from('gone'), { 'X-One': '1', 'set-cookie': 'a=1' }, 404));
  assert.deepEqual([got.status, got.headers['x-one'], got.headers['set-cookie'], got.text], [404, '1', 'a=1', 'gone']);
});

test('accepts an answer of exactly the limit, and refuses one byte more', async () => {
  const unsaid = await served(Buffer.alloc(1000));
  const said = await served(Buffer.alloc(1000), { 'content-length': '1000' });
  for (const url of [unsaid, said]) {
    assert.equal((await fetchText(web, url, { max_bytes: 1000 })).text.length, 1000);
    await assert.rejects(fetchText(web, url, { max_bytes: 999 }), refusal('too_large'));
  }
  await assert.rejects(web.fetch(said, { max_bytes: 999 }), refusal('too_large'));
});

test('cuts off an answer of unknown size at the limit', { timeout: 60_000 }, async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await loopback(async (_request, response) => {
    while (!response.destroyed) if (!response.write(Buffer.alloc(65_536))) await sleep(1);
    closed.resolve();
  });
  await assert.rejects(fetchText(web, url, { max_bytes: megabyte }), refusal('too_large'));
  // If the connection stayed open, the test would not end.
  await closed.promise;
});

for (const [coding, pack] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync })) {
  test(`${coding} is unpacked, and no length of the packed form is shown`, async () => {
    const got = await fetchText(web, await served(pack(Buffer.from('plain')), { 'content-encoding': coding }));
    assert.equal(got.text, 'plain');
    assert.ok(!('content-encoding' in got.headers) && !('content-length' in got.headers));
  });
  test(`a bomb of ${coding} goes no further than the limit`, async () => {
    const url = await served(pack(Buffer.alloc(64 * megabyte)), { 'content-encoding': coding });
    const before = process.memoryUsage().arrayBuffers;
    await assert.rejects(fetchText(web, url, { max_bytes: megabyte }), refusal('too_large'));
    assert.ok(process.memoryUsage().arrayBuffers - before < 32 * megabyte);
  });
  test(`${coding} that is none is a bad answer`, async () => {
    const url = await served(Buffer.from('\u0001nothing of that kind'), { 'content-encoding': coding });
    await assert.rejects(fetchText(web, url), refusal('bad_answer'));
  });
}

test('counts compressed bytes that decompress to nothing', async () => {
  const nothing = Buffer.concat(Array<Buffer>(100_000).fill(gzipSync('')));
  const url = await served(nothing, { 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' });
  await assert.rejects(fetchText(web, url, { max_bytes: megabyte }), refusal('too_large'));
});

test('refuses double or unknown compression', async () => {
  for (const coding of ['gzip, gzip', 'zstd', 'aes128gcm'])
    await assert.rejects(
      web.fetch(await served(Buffer.from('x'), { 'content-encoding': coding })),
      refusal('bad_answer'),
    );
});

test('returns no body for answers that have none, in spite of their headers', async () => {
  const url = await served(Buffer.alloc(100), { 'content-encoding': 'gzip' });
  assert.equal((await fetchText(web, url, { method: 'HEAD', max_bytes: 1 })).text, '');
});

const drips = (start: string) =>
  rawLoopback((socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write('x'), 10);
    socket.on('close', () => clearInterval(timer));
  });

for (const [what, start] of [
  ['the head', 'HTTP/1.1 200 OK\r\nx-slow: '],
  ['the body', 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n'],
] as const)
  test(`a server that drips ${what} is left when the time is up`, { timeout: 60_000 }, async () => {
    const { url } = await drips(start);
    await assert.rejects(fetchText(web, url, { timeout_ms: 300 }), refusal('timeout'));
  });

for (const start of ['', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\n\r\nbegun'])
  test(`a server that falls silent after ${JSON.stringify(start)} is left`, async () => {
    const { url } = await rawLoopback((socket) => socket.write(start));
    await assert.rejects(fetchText(web, url, { idle_ms: 200 }), refusal('timeout'));
  });

test('gives up on a name that is never resolved', async () => {
  const stuck = makeGuardedWeb({ allow: [], resolve: () => new Promise(() => {}) });
  await assert.rejects(stuck.fetch('http://a.example/', { timeout_ms: 100 }), refusal('timeout'));
});

test('fails on an answer that breaks off or is not HTTP', async () => {
  for (const said of [
    'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf',
    'SSH-2.0-x\r\n',
    '',
    'HTTP/1.1 101 X\r\nupgrade: y\r\n\r\n',
  ]) {
    const { url } = await rawLoopback((socket) => socket.end(said));
    const code = /^SSH| 101 /.test(said) ? 'bad_answer' : 'unreachable';
    await assert.rejects(fetchText(web, url), refusal(code), said);
  }
  const { url } = await rawLoopback((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`));
  await assert.rejects(fetchText(web, url), refusal('bad_answer'));
});

test("rejects with the caller's reason when it aborts at any moment", async () => {
  const { url } = await drips('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n');
  const gone = new Error('gone');
  await assert.rejects(web.fetch(url, { signal: AbortSignal.abort(gone) }), gone);
  const leaving = new AbortController();
  const { body } = await web.fetch(url, { signal: leaving.signal });
  setTimeout(() => leaving.abort(gone), 50);
  await assert.rejects(body.toArray(), gone);
});

test('drops an answer that is never read together with its connection', async () => {
  let closed = 0;
  const { url } = await rawLoopback((socket) => {
    socket.on('close', () => closed++).write('HTTP/1.1 200 OK\r\n\r\nbegun');
  });
  (await web.fetch(url)).body.destroy();
  // On a slow machine the time is up before there is an answer to read.
  await web.fetch(url, { timeout_ms: 1000 }).catch(refusal('timeout'));
  for (let looks = 0; closed < 2 && looks < 2400; looks++) await sleep(25);
  assert.equal(closed, 2);
});
