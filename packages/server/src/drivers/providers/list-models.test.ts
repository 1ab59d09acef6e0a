import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import { ModelError } from '../models/driver.ts';
import { loopbackConnections } from '../web/testing.ts';
import { anthropic } from './anthropic.ts';
import { listModels } from './list-models.ts';
import { openaiCompatible } from './openai-compatible.ts';

const connections = loopbackConnections();
const provider = await openaiProvider();
after(() => provider.close());

test('fetches the models of an address with its key', async () => {
  provider.models = ['a', 'b/c'];
  const address = { provider: openaiCompatible, base_url: `${provider.url}/`, api_key: 'the-key', ...connections };
  assert.deepEqual(await listModels(address), ['a', 'b/c']);
  assert.deepEqual([provider.last().path, provider.last().headers.authorization], ['/v1/models', 'Bearer the-key']);
  await listModels({ ...address, provider: anthropic });
  assert.equal(provider.last().headers['x-api-key'], 'the-key');
  await listModels({ ...address, api_key: null });
  assert.equal(provider.last().headers.authorization, undefined);
});

test('fails with a short message when an address has no list of models', async () => {
  provider.models = undefined;
  const at = (base_url: string | null) =>
    listModels({ provider: openaiCompatible, base_url, api_key: 'the-key', ...connections });
  const status = (wanted: number | undefined) => (error: unknown) =>
    error instanceof ModelError && error.status === wanted && !error.message.includes('the-key');
  await assert.rejects(at(provider.url), status(404));
  await assert.rejects(at('http://127.0.0.1:9/v1'), status(undefined));
  await assert.rejects(at(null), status(404));
});
