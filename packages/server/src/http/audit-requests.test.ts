import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, notFound } from '@atrium/contract/errors.ts';
import type { Route } from '../lib/route.ts';
import { makeAuditing } from './audit-requests.ts';

const errors = {
  401: new AppError('unauthorized', 'no'),
  403: new AppError('forbidden', 'no'),
  404: notFound('record'),
  409: new AppError('conflict', 'no'),
  429: new AppError('too_many', 'no'),
};

/** The statuses of refused requests that an operation records. */
async function recordedBy(route: object, headers: object = {}): Promise<number[]> {
  const recorded: number[] = [];
  for (const [status, error] of Object.entries(errors)) {
    const audit = { refuse: async () => void recorded.push(Number(status)) };
    const request = { headers, params: {}, ip: '203.0.113.1', id: 'r' };
    await makeAuditing(route as Route, audit as never).refuse(request as never, error);
  }
  return recorded;
}

test('records refusals for want of rights of operations that change something', async () => {
  assert.deepEqual(await recordedBy({ route: 'POST /v1/agents', tag: 'Agents' }), [403, 404]);
  assert.deepEqual(await recordedBy({ route: 'GET /v1/agents', tag: 'Agents' }), []);
});

test('records failed sign-ins and too many of them, and a wrong key at every operation', async () => {
  assert.deepEqual(await recordedBy({ route: 'POST /v1/auth/login', tag: 'Sign-in' }), [401, 403, 404, 429]);
  assert.deepEqual(await recordedBy({ route: 'GET /v1/auth/me', tag: 'Sign-in' }), []);
  assert.deepEqual(await recordedBy({ route: 'GET /v1/agents', tag: 'Agents' }, { 'x-api-key': 'wrong' }), [401]);
});
