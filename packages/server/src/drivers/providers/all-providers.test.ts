import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProviderKind, providerKinds } from '@atrium/contract/models/provider-kinds.ts';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import { closing, scriptedApp } from '../../../test/support/scripted-app.ts';
import { providersFrom } from '../../config/providers.ts';
import { key } from '../../lib/environment-fields.ts';
import { allProviders } from './all-providers.ts';
import { defineProvider } from './define-provider.ts';
import { sdkOptions } from './sdk-options.ts';

test('the list of providers has the kinds of the contract', () => {
  assert.deepEqual(
    allProviders.map(({ name }) => name),
    providerKinds,
  );
});

test('no two providers read the same environment variable', () => {
  const variables = allProviders.flatMap(({ environment }) => Object.keys(environment.variables));
  assert.equal(new Set(variables).size, variables.length);
});

test('a provider needs its definition and nothing else', async () => {
  const server = await closing(openaiProvider());
  const acme = defineProvider({
    name: 'acme' as string as ProviderKind,
    environment: {
      variables: { ACME_API_KEY: key('Acme') },
      hint: 'ACME_API_KEY',
      account: ({ ACME_API_KEY: api_key }) => (api_key ? { api_key } : undefined),
    },
    addresses: { default: server.url, headers: (api_key) => ({ 'x-acme-key': api_key }) },
    names: { family: /^acme-/ },
    language: async (address, model) =>
      (await import('@ai-sdk/openai-compatible'))
        .createOpenAICompatible({ ...sdkOptions(address), name: 'acme' })
        .chatModel(model),
    traits: () => ({
      options: () => ({ key: 'acme', values: { user: 'someone' } }),
      says_no_reasoning: false,
      needs_thoughts: false,
    }),
  });

  const configured = await scriptedApp(
    { providers: providersFrom({ ACME_API_KEY: 'acme-secret-key-0123' }, [acme]) },
    { providers: [acme] },
  );
  for (const model of ['acme/large', 'acme-large']) {
    server.reply({ text: 'Hello from Acme' });
    const { text, metadata } = await configured.ask({ model: [model] });
    assert.deepEqual([text, metadata.model], ['Hello from Acme', model === 'acme-large' ? 'acme/acme-large' : model]);
    assert.equal(server.last().headers.authorization, 'Bearer acme-secret-key-0123');
    assert.equal(server.last().body.user, 'someone');
  }
  server.models = ['acme-large'];
  // Sent without a check of the answer: the contract does not list this kind.
  const headers = { 'x-api-key': configured.admin };
  const listed = await configured.app.server.inject({ url: '/v1/admin/providers', headers });
  const [account] = listed.json();
  assert.deepEqual([account.provider, account.api_key], ['acme', '********0123']);
  const { json: tested } = await configured.call('POST', `/v1/admin/providers/${account.id}/test`);
  assert.deepEqual(tested.addresses[0].models, ['acme-large']);
  assert.equal(server.last().headers['x-acme-key'], 'acme-secret-key-0123');

  const unconfigured = await scriptedApp({}, { providers: [acme] });
  const { error } = await unconfigured.ask({ model: ['acme/large'] });
  assert.match(JSON.stringify(error), /acme is not configured: set ACME_API_KEY/);
});
