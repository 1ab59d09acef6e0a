import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailable } from '@atrium/contract/errors.ts';
import fastify from 'fastify';
import type { Log } from '../lib/log.ts';
import { sendError } from './errors.ts';

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
  const statuses = [await server.inject('/outage'), await server.inject('/fault')].map(({ statusCode }) => statusCode);
  await server.close();
  assert.deepEqual(statuses, [503, 500]);
  assert.deepEqual(lines, [
    ['warn', 'model_failed', false],
    ['error', undefined, true],
  ]);
});
