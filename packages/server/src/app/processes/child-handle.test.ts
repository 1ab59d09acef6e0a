import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { forkChild } from './child-handle.ts';

test('tells of an end when a process could not be started', async () => {
  const { execPath } = process;
  after(() => {
    process.execPath = execPath;
  });
  process.execPath = '/no/such/program';
  const { ended, hello, peer } = forkChild(1, {});
  assert.match(await ended, /^it could not be started: .*ENOENT/);
  await assert.rejects(hello, /it could not be started/);
  await assert.rejects(peer.call('start'), /it could not be started/);
});
