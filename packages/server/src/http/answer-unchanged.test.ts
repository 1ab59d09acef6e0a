import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { answerUnchanged, keepOutOfCaches } from './answer-unchanged.ts';

const server = fastify();
answerUnchanged(server);
keepOutOfCaches(server);
server.get('/catalogue', { config: { catalogue: true } as never }, async () => ({ a: 1 }));
server.get('/record', async () => ({ a: 1 }));
server.get('/gone', { config: { catalogue: true } as never }, (_, reply) => reply.code(404).send({ a: 1 }));
const get = (url: string, tag?: string) =>
  server.inject({ url, headers: tag === undefined ? {} : { 'if-none-match': tag } });

test('answers 304 to a client that has a catalogue already, in any form of its tag', async () => {
  const first = await get('/catalogue');
  const etag = String(first.headers['etag']);
  assert.match(etag, /^"[\w-]{27}"$/);
  assert.equal(first.headers['cache-control'], 'private, no-cache');
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { statusCode, payload } = await get('/catalogue', tag);
    assert.deepEqual([statusCode, payload], [304, ''], tag);
  }
  for (const tag of ['', '"other"']) assert.equal((await get('/catalogue', tag)).payload, '{"a":1}');
});

test('records and errors have no tag, and records are kept out of caches', async () => {
  const record = await get('/record', '*');
  assert.deepEqual([record.statusCode, record.headers['etag']], [200, undefined]);
  assert.equal(record.headers['cache-control'], 'private, no-store');
  assert.equal((await get('/gone', '*')).statusCode, 404);
});
