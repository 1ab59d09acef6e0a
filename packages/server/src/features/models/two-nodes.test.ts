import assert from 'node:assert/strict';
import { test } from 'node:test';
import { twoNodes, until } from '../../../test/support/two-nodes.ts';
import type { App } from '../../app.ts';

const { asleep, awake, provider, call } = await twoNodes();

const names = async (app: App) =>
  (JSON.parse(await call(app, 'GET', '/v1/admin/providers')) as { name: string }[]).map(({ name }) => name);

test('a provider created on one node is known to every node at once', async () => {
  assert.deepEqual(await names(asleep), ['p'], 'read, and kept');
  const made = { name: 'q', provider: 'openai-compatible', base_urls: [provider.url], api_key: 'k', models: ['two'] };
  await call(awake, 'POST', '/v1/admin/providers', made);
  assert.ok((await names(awake)).includes('q'), 'at once where it was made');
  const begun = Date.now();
  await until('the other node knows it', async () => (await names(asleep)).includes('q'));
  // The cache keeps entries for half a minute.
  assert.ok(Date.now() - begun < 25_000, 'by the bell, not when what was read is old');
});

test('a default model that was set on one node is in effect on every node', async () => {
  const guardrail = async (app: App) => JSON.parse(await call(app, 'GET', '/v1/admin/defaults')).guardrail.model;
  assert.equal(await guardrail(asleep), null);
  await call(awake, 'PUT', '/v1/admin/defaults', { guardrail: 'preset:cost' });
  assert.equal(await guardrail(awake), 'preset:cost', 'at once where it was set');
  await until('the other node knows it', async () => (await guardrail(asleep)) === 'preset:cost');
});
