import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { mock, test } from 'node:test';
import { notFound } from '@atrium/contract/errors.ts';
import { makeOpenStreams } from './open-streams.ts';

/** A stream whose credential can be taken away. */
function stream() {
  const body = new Readable({ read() {} });
  const state = { error: undefined as Error | undefined, asked: 0 };
  const authorize = async () => {
    state.asked++;
    if (state.error) throw state.error;
  };
  return { body, state, open: { credential_ids: ['k1', 'owner'], authorize } };
}

const turn = () => new Promise(setImmediate);

test('closes a stream whose credential has expired, without a notification', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const streams = makeOpenStreams(() => {});
  const { body, state, open } = stream();
  streams.watch(body, open);
  await turn();
  state.error = notFound('key');
  mock.timers.tick(10_000);
  await turn();
  assert.ok(body.destroyed);
  streams.close();
  mock.timers.reset();
});

test('keeps streams open while the database is briefly unreachable', async () => {
  let notify: (credential_id: string) => void = () => {};
  const streams = makeOpenStreams((listener) => {
    notify = listener;
  });
  const { body, state, open } = stream();
  streams.watch(body, open);
  state.error = Object.assign(new Error('Connection terminated'), { code: '57P01' });
  notify('');
  await turn();
  assert.deepEqual([body.destroyed, state.asked], [false, 2]);
  notify('another');
  assert.equal(state.asked, 2);
  streams.close();
});

test('a credential that went away between the request and its stream opens nothing', async () => {
  const streams = makeOpenStreams(() => {});
  const { body, state, open } = stream();
  state.error = notFound('conversation');
  streams.watch(body, open);
  await turn();
  assert.ok(body.destroyed);
  streams.close();
});
