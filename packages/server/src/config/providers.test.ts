import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../config.ts';

const providers = (env: Record<string, string>) => loadConfig(env).providers;
const names = (env: Record<string, string>) => providers(env).map(({ name }) => name);

test('a key or an address configures a provider, nothing configures none', () => {
  assert.deepEqual(names({}), []);
  assert.deepEqual(
    names({ OPENAI_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://a', GOOGLE_API_KEY: 'k', MISTRAL_API_KEY: 'k' }),
    ['openai', 'anthropic', 'google', 'mistral'],
  );
  assert.deepEqual(names({ OPENAI_COMPATIBLE_BASE_URL: 'http://a' }), ['openai-compatible']);
});

test('azure needs its address, bedrock a region and keys', () => {
  assert.deepEqual(names({ AZURE_API_KEY: 'k' }), []);
  const [azure] = providers({ AZURE_API_KEY: 'k', AZURE_BASE_URL: 'https://a', AZURE_API_VERSION: '2024-10-21' });
  assert.partialDeepStrictEqual(azure, { name: 'azure', api_version: '2024-10-21' });
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's' };
  assert.deepEqual(names(keys), []);
  assert.deepEqual(names({ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'a' }), []);
  assert.deepEqual(names({ ...keys, AWS_REGION: 'eu-west-1' }), ['bedrock']);
  assert.deepEqual(names({ BEDROCK_API_KEY: 'k', AWS_REGION: 'eu-west-1' }), ['bedrock']);
});

test('several addresses and models are separated by commas', () => {
  const [openai] = providers({ OPENAI_BASE_URL: ' http://a/v1/ ,https://b/v1', OPENAI_MODELS: 'x, y/z' });
  assert.deepEqual(
    [openai?.base_urls, openai?.models, openai?.api_key],
    [['http://a/v1', 'https://b/v1'], ['x', 'y/z'], null],
  );
});

test('an address that is none is named, without what it holds', () => {
  assert.throws(
    () => providers({ OPENAI_BASE_URL: 'http://a,secret-host' }),
    ({ message }: Error) => /OPENAI_BASE_URL.*http:\/\//.test(message) && !message.includes('secret-host'),
  );
});
