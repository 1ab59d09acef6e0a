import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { adminKey, testConfig } from '../../../test/support/test-config.ts';
import { makeDatabase } from '../../../test/support/test-database.ts';
import { makeApp } from '../../app.ts';
import { makeLog } from '../../lib/log.ts';
import { enginesHere, sandboxConfig } from './testing.ts';

test('keeps the files of sandboxes across a restart', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-restart-'));
  const database = await makeDatabase();
  after(async () => {
    await database.drop();
    rmSync(dir, { recursive: true, force: true });
  });
  const [engine] = enginesHere;
  const start = () => makeApp(testConfig(dir, sandboxConfig({ engine })), database.connection, makeLog('silent'));
  const call = async (app: Awaited<ReturnType<typeof start>>, method: 'GET' | 'POST', url: string, payload?: object) =>
    (await app.server.inject({ method, url, headers: { 'x-api-key': adminKey }, ...(payload && { payload }) })).json();

  let app = await start();
  const { id } = await call(app, 'POST', '/v1/sandboxes', { persistent: true });
  await call(app, 'POST', `/v1/sandboxes/${id}/exec`, { command: 'echo kept > f' });
  await app.close();
  app = await start();
  const said = await call(app, 'POST', `/v1/sandboxes/${id}/exec`, { command: 'cat f' });
  assert.deepEqual([said.stdout, said.reason], ['kept\n', 'exit']);
  await app.close();
});
