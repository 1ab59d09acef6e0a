import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { json, listenOnSocket, told } from './support/socket-client.ts';
import { testApp } from './support/test-app.ts';

const { app, admin } = await testApp();
const { port, send, sendRaw } = await listenOnSocket(app);
const groups = '/v1/admin/groups';

test('two keys of one header, or a key in a strange spelling of it, are no way around the check', async () => {
  const get = (headers: Record<string, string | string[]>) => send('GET', '/v1/admin/me', { key: null, headers });
  assert.equal((await get({ 'x-api-key': [admin, 'wrong'] })).status, 401);
  assert.equal((await get({ 'X-Api-Key': admin, Authorization: 'bearer wrong' })).status, 401);
  assert.equal((await get({ 'X-API-KEY': admin, AUTHORIZATION: `bEaReR ${admin}` })).status, 200);
  assert.equal((await get({ 'x-api-key': ` ${admin} ` })).status, 200);
  assert.equal((await get({ cookie: `x-api-key=${admin}` })).status, 401);
});

test('a hostile path is not found or faulty, never an error', async () => {
  const paths: [path: string, status: number][] = [
    ['%00', 422],
    ['%ff', 404],
    ['..%2f..%2fetc%2fpasswd', 422],
    ['../../../etc/passwd', 404],
    ['__proto__', 422],
    ['%ed%a0%80', 404],
    ['%F0%9F%98%80', 422],
    ['x'.repeat(3000), 404],
    ['%', 404],
    [`${randomUUID()}%00`, 422],
    ['', 422],
    [randomUUID(), 404],
  ];
  for (const [path, status] of paths)
    assert.equal((await send('GET', `${groups}/${path}`)).status, status, path.slice(0, 50));
});

test('an unknown path is 404, a known one with a wrong method 405 that says the right ones', async () => {
  assert.deepEqual((await send('POST', '/v1/nothing', { body: '{' })).json, {
    detail: 'No such operation',
    code: 'not_found',
  });
  assert.equal((await send('POST', '/v1/nothing', { body: '{', headers: { 'content-type': 'nonsense' } })).status, 404);
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
    const { status, json: answer, headers } = await send(method, groups, { headers: {} });
    assert.deepEqual([status, answer.code, headers['allow']], [405, 'method_not_allowed', 'GET, POST'], method);
  }
});

test('hostile headers are refused by name', async () => {
  const faulty: [headers: Record<string, string>, validationErrors: string[]][] = [
    [{ 'idempotency-key': 'x'.repeat(256) }, ['header.idempotency-key value_error']],
    [{ 'idempotency-key': 'a b' }, ['header.idempotency-key value_error']],
    [{ 'idempotency-key': '' }, ['header.idempotency-key value_error']],
    [{ 'x-workspace-id': 'nope' }, ['header.x-workspace-id uuid_parsing']],
  ];
  for (const [headers, validationErrors] of faulty) {
    const answer = await send('POST', groups, { body: '{"name": "h"}', headers: { ...json, ...headers } });
    assert.equal(answer.status, 422);
    assert.deepEqual(told(answer), validationErrors);
  }
});

test('a content type of sixteen thousand blanks takes no time', async () => {
  const headers = { 'content-type': `application/json${' '.repeat(12_000)}x` };
  const worked: number[] = [];
  // What this thread has worked, and the least of three times: other things may have their turn meanwhile.
  for (let time = 0; time < 3; time++) {
    const before = process.threadCpuUsage();
    assert.equal((await send('POST', groups, { body: '{}', headers })).status, 415);
    worked.push(process.threadCpuUsage(before).user / 1000);
  }
  assert.ok(Math.min(...worked) < 250, `${worked} ms`);
});

test('answers malformed HTTP with the usual error body and keeps running', async () => {
  const malformed: [bytes: string, status: number][] = [
    ['nonsense\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nhost: x\r\nx-a: \0\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: x\r\nx-huge: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello', 400],
    ['POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 400],
  ];
  for (const [bytes, status] of malformed) {
    const [head = '', body = ''] = (await sendRaw(bytes)).split('\r\n\r\n');
    const name = JSON.stringify(bytes.slice(0, 60));
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), name);
    assert.match(head, /x-request-id: \S+/i, name);
    assert.deepEqual(Object.keys(JSON.parse(body)), ['detail', 'code'], name);
  }
  assert.equal((await send('GET', '/ready', { key: null })).json.status, 'ready');
});

test('keeps running when a client disconnects in the middle of a request', async () => {
  for (const cut of [
    'GET /v1/admin/me HTT',
    `POST ${groups} HTTP/1.1\r\nhost: x\r\nx-api-key: ${admin}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"name":`,
  ]) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(cut);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.resetAndDestroy();
  }
  assert.equal((await send('GET', '/ready', { key: null })).json.status, 'ready');
});
