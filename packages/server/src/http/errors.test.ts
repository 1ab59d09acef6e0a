import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound, unavailable } from '@atrium/contract/errors.ts';
import fastify from 'fastify';
import type { Log } from '../lib/log.ts';
import { errorAnswer, sendError } from './errors.ts';

test('logs an outage that is answered in words without a stack, and a fault of the code with it', async () => {
  const lines: [level: string, code: unknown, hasStack: boolean][] = [];
  const note =
    (level: string) =>
    (_message: string, fields: Record<string, unknown> = {}) => {
      lines.push([level, fields['error_code'], fields['stack'] !== undefined]);
    };
  const log: Log = {
    debugs: false,
    ...{ debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
    with: () => log,
  };
  const server = fastify();
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply, log));
  server.get('/outage', () => Promise.reject(unavailable('No model answered', 'model_failed')));
  server.get('/fault', () => Promise.reject(new Error('a bug')));
  server.get('/refused', () => Promise.reject(notFound('record')));
  const answers = [await server.inject('/outage'), await server.inject('/fault'), await server.inject('/refused')];
  const statuses = answers.map(({ statusCode }) => statusCode);
  await server.close();
  assert.deepEqual(statuses, [503, 500, 404]);
  assert.deepEqual(lines, [
    ['warn', 'model_failed', false],
    ['error', undefined, true],
  ]);
});

test('answers what the framework refuses with its status, and tells nothing of its words', () => {
  const answerTo = (error: object) => {
    const { status, body } = errorAnswer(Object.assign(new Error('words of the framework'), error));
    return [status, 'code' in body ? body.code : undefined];
  };
  assert.deepEqual(answerTo({ statusCode: 400 }), [400, 'bad_request']);
  assert.deepEqual(answerTo({ statusCode: 499 }), [499, 'bad_request']);
  assert.deepEqual(answerTo({ statusCode: 399 }), [500, 'internal_error']);
  assert.deepEqual(answerTo({ statusCode: 500 }), [500, 'internal_error']);
  assert.deepEqual(answerTo({ code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }), [413, 'too_large']);
  assert.deepEqual(answerTo({ code: 'FST_ERR_BAD_URL', statusCode: 400 }), [404, 'not_found']);
  assert.doesNotMatch(JSON.stringify(errorAnswer({ statusCode: 400, message: 'words' })), /words/);
});

test('asks to try again after a deadlock, and says that a parent was deleted', () => {
  const { status, headers } = errorAnswer({ code: '40P01' });
  assert.deepEqual([status, headers?.['retry-after']], [503, '1']);
  assert.equal(errorAnswer({ code: '23503', detail: 'Key (a)=(b) is not present in table "c".' }).status, 404);
  assert.equal(errorAnswer({ code: '23503', detail: 'Key (a)=(b) is still referenced from table "c".' }).status, 500);
});
