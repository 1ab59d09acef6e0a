import assert from 'node:assert/strict';
import { connect as netConnect } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { allowPrivate, makeAllowList } from './allow-list.ts';
import { blockedPorts } from './blocked-ports.ts';
import { type PostControl, WebRefused } from './driver.ts';
import { makeKeepAliveFetch } from './keep-alive-fetch.ts';
import { fakeInternet, loopback, noConnection } from './testing.ts';

const publicAddress = '93.184.216.34';
const none = makeAllowList([]);

interface Heard {
  status: number;
  status_text: string;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** A post as a promise of its whole answer; `hear` gets each piece and what controls the rest. */
function postWith(options: Parameters<typeof makeKeepAliveFetch>[0]) {
  const { post, close } = makeKeepAliveFetch(options);
  after(close);
  return (url: string, hear: (piece: Buffer, control: PostControl) => void = () => {}) => {
    const heard: Heard = { status: 0, status_text: '', headers: {}, text: '' };
    const over = Promise.withResolvers<Heard>();
    const request = { headers: { authorization: 'Bearer key', 'content-type': 'application/json' }, body: '{"a":1}' };
    const control = post(url, request, {
      head: (status, status_text, headers) => void Object.assign(heard, { status, status_text, headers }),
      data(piece) {
        heard.text += piece;
        hear(piece, control);
      },
      end: () => over.resolve(heard),
      fail: (error) => over.reject(error),
    });
    return Object.assign(over.promise, { control });
  };
}

const refused = (error: unknown) => error instanceof WebRefused && error.code === 'private_address';

test('posts nothing to a private address that is not allowed', async () => {
  const post = postWith({ allow: none, connect: noConnection });
  for (const url of [
    ...['http://127.0.0.1/v1', 'http://10.1.2.3/v1', 'http://[::1]/v1', 'http://[::ffff:10.0.0.1]/v1'],
    'http://2130706433/v1',
  ])
    await assert.rejects(post(url), refused, url);
});

test('posts nothing to a name that leads to a private address, or to another one when it connects', async () => {
  const resolve = async () => [publicAddress, '10.0.0.8'];
  await assert.rejects(postWith({ allow: none, resolve, connect: noConnection })('https://models.example/v1'), refused);
  const server = await loopback((_, response) => response.end('ok'));
  const connect = () => netConnect({ host: '127.0.0.1', port: server.port });
  const rebound = postWith({ allow: none, resolve: async () => [publicAddress], connect });
  await assert.rejects(rebound('http://models.example/v1'), refused);
  assert.deepEqual(server.asked, []);
});

test('posts nothing to metadata services when all private addresses may be reached', async () => {
  const post = postWith({ allow: allowPrivate, resolve: async () => ['10.0.0.8'], connect: noConnection });
  for (const url of ['http://169.254.169.254/latest', 'http://[fd00:ec2::254]/', 'http://metadata.google.internal/'])
    await assert.rejects(post(url), refused);
});

test('does not follow a redirect', async () => {
  const inside = await loopback((_, response) => response.end('inside'));
  for (const status of [301, 302, 303, 307, 308]) {
    const outside = await loopback((_, response) => response.writeHead(status, { location: inside.url }).end());
    await assert.rejects(postWith({ allow: allowPrivate })(outside.url), /unexpected redirect/);
  }
  assert.deepEqual(inside.asked, []);
});

test('refuses what fetch refuses: other protocols, credentials, ports of other services', async () => {
  const post = postWith({ allow: allowPrivate, connect: noConnection });
  for (const url of ['ftp://127.0.0.1/', 'nothing', 'http://user:word@127.0.0.1/'])
    await assert.rejects(post(url), TypeError);
  const { fetch, close } = makeKeepAliveFetch({ allow: allowPrivate, connect: noConnection });
  after(close);
  for (const port of blockedPorts) {
    await assert.rejects(post(`http://127.0.0.1:${port}/`), /bad port/);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`), /fetch failed/);
  }
});

test('sends the body and its headers, and passes on the head and the bytes of the answer', async () => {
  const server = await loopback((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      response.writeHead(418, { 'X-Own': 'value' });
      response.end(`${request.headers.authorization} ${request.headers['accept-encoding']} ${body}`);
    });
  });
  const { status, status_text, headers, text } = await postWith({ allow: allowPrivate })(`${server.url}/v1?a=b`);
  assert.deepEqual([status, status_text, headers['x-own']], [418, "I'm a Teapot", 'value']);
  assert.equal(text, 'Bearer key identity {"a":1}');
  assert.match(server.asked[0] ?? '', /POST .*\/v1\?a=b/);
});

test('uses a connection for many requests', async () => {
  const server = await loopback((request, response) => request.resume().on('end', () => response.end('answer')));
  const { connect, connected } = fakeInternet(server.port);
  const post = postWith({ allow: none, resolve: async () => [publicAddress], connect });
  for (let turn = 0; turn < 20; turn++) assert.equal((await post('http://models.example/v1')).text, 'answer');
  assert.ok(connected.length <= 3, `${connected.length} connections`);
});

test('unpacks an answer that a server compresses against its wish, and refuses an unknown way', async () => {
  const codings: Record<string, Buffer> = { gzip: gzipSync('packed words'), odd: Buffer.from('?') };
  const server = await loopback((request, response) => {
    const coding = new URL(request.url ?? '', server.url).searchParams.get('coding') ?? '';
    response.writeHead(200, { 'content-encoding': coding }).end(codings[coding]);
  });
  const post = postWith({ allow: allowPrivate });
  assert.equal((await post(`${server.url}/?coding=gzip`)).text, 'packed words');
  await assert.rejects(post(`${server.url}/?coding=odd`), /unknown way/);
});

test('fails with the reason of an abort: while it connects, while it waits and while it reads', async () => {
  const reason = new Error('stopped');
  const stuck = postWith({ allow: none, resolve: () => new Promise(() => {}) })('http://models.example/');
  stuck.control.abort(reason);
  await assert.rejects(stuck, reason);
  let closed = 0;
  const server = await loopback((request, response) => {
    response.on('close', () => closed++);
    if (request.url === '/reads') response.write('begun');
  });
  const post = postWith({ allow: allowPrivate });
  const waiting = post(`${server.url}/waits`);
  while (server.asked.length === 0) await new Promise(setImmediate);
  waiting.control.abort(reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(
    post(`${server.url}/reads`, (_, control) => control.abort(reason)),
    reason,
  );
  while (closed < 2) await new Promise(setImmediate);
});

test('reads no further while it is paused', async () => {
  const size = 20 * 1024 * 1024;
  const server = await loopback((_, response) => response.end(Buffer.alloc(size)));
  let paused = false;
  let read = 0;
  const answer = postWith({ allow: allowPrivate })(server.url, (piece, control) => {
    read += piece.length;
    if (paused) return;
    paused = true;
    control.pause();
    setTimeout(() => {
      assert.ok(read < 1024 * 1024, `${read} bytes came`);
      control.resume();
    }, 100);
  });
  await answer;
  assert.equal(read, size);
});
