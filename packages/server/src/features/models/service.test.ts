import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeDatabase } from '../../../test/support/test-database.ts';
import { providersFrom } from '../../config/providers.ts';
import { openDatabase } from '../../db/database.ts';
import { openNotifier } from '../../db/notifier.ts';
import { sql } from '../../db/sql.ts';
import { type Model, ModelError } from '../../drivers/models/driver.ts';
import { allProviders } from '../../drivers/providers/all-providers.ts';
import type { ProviderAddress, ProviderConfig } from '../../drivers/providers/driver.ts';
import { newId } from '../../lib/ids.ts';
import { makeLog } from '../../lib/log.ts';
import { newBoxKey } from '../../lib/secrets/sealed-box.ts';
import { makeTenantKeyring } from '../keyring/service.ts';
import { fixedMasterKey } from '../keyring/testing.ts';
import { noAnonymizer } from '../model-calls/service.ts';
import { makeCatalogue } from './catalogue.ts';
import { makeOfferedModels } from './offered-models.ts';
import { makeProviderAccounts } from './provider-accounts.ts';
import { makeFindAccount, makeRegistry } from './service.ts';
import * as store from './store.ts';

const connections = { fetch, post: () => assert.fail('no model is called here') };

const { connection, drop } = await makeDatabase();
const db = openDatabase({ connection, max: 4, log: makeLog('silent') });
const notifier = await openNotifier(connection, makeLog('silent'));
after(async () => {
  await notifier.close();
  await db.close();
  await drop();
});
const catalogue = makeCatalogue(allProviders);
const secrets = makeTenantKeyring(db, fixedMasterKey(newBoxKey()));
const extractive: Model = { stream: async function* () {} };

/** A registry over providers of the environment, for a tenant of its own. */
async function registryOf(environment: ProviderConfig[], found: Record<string, string[]> = {}) {
  const scope = { tenant_id: newId(), workspace_id: newId() };
  await db.run(sql`insert into tenants (id, name) values (${scope.tenant_id}, 'test')`);
  const made: { address: ProviderAddress; model: string }[] = [];
  let asked = 0;
  const listModels = async ({ base_url }: ProviderAddress) => {
    asked++;
    const models = found[base_url ?? ''];
    if (!models) throw new ModelError('nobody there');
    return models;
  };
  const offers = makeOfferedModels({ catalogue, listModels });
  const registry = makeRegistry({
    db,
    notifier,
    accounts: makeProviderAccounts({
      ...{ db, notifier, secrets, environment, providers: allProviders },
      connections: { guarded: connections, private: connections },
    }),
    catalogue,
    offers,
    findAccount: makeFindAccount({ providers: allProviders, catalogue, offers }),
    makeModel: (address, model) => {
      made.push({ address, model });
      return { stream: async function* () {} };
    },
    extractive,
    meter: { record: () => {}, reserve: async () => undefined },
    guess: () => ({ input_tokens: 0, output_tokens: 0 }),
    mostInput: () => 0,
  });
  const resolve = async (...names: string[]) => {
    const { models, skipped } = await registry.resolve(scope, names);
    return { names: models.map(({ info }) => info.name), models, skipped };
  };
  return { registry, scope, resolve, made, asked: () => asked };
}

const local = 'http://127.0.0.1:11434/v1';

test('resolves presets to the built-in model without providers, and explains how to configure a named model', async () => {
  const { resolve, registry, scope } = await registryOf([]);
  for (const name of ['cost', 'balanced', 'quality', 'speed', 'whatever']) {
    const { models, skipped } = await resolve(`preset:${name}`);
    assert.deepEqual([models.length, models[0]?.info.kind, skipped], [1, 'extractive', []]);
  }
  const { names, skipped } = await resolve(
    'gpt-4o',
    'anthropic/claude-sonnet-5-5',
    'nobody-knows',
    'atrium/extractive',
  );
  assert.deepEqual(names, ['atrium/extractive']);
  assert.deepEqual(
    skipped.map(({ name }) => name),
    ['gpt-4o', 'anthropic/claude-sonnet-5-5', 'nobody-knows'],
  );
  assert.match(skipped[0]?.reason ?? '', /openai is not configured: set OPENAI_API_KEY, or add it at \/v1\/admin/);
  assert.match(skipped[1]?.reason ?? '', /ANTHROPIC_API_KEY/);
  assert.match(skipped[2]?.reason ?? '', /No configured provider has a model called nobody-knows/);
  assert.deepEqual(
    (await registry.pick(scope, 'quality')).map(({ info }) => info.name),
    ['atrium/extractive'],
  );
  assert.deepEqual(
    (await registry.list(scope)).map(({ name, kind }) => [name, kind]),
    [['atrium/extractive', 'extractive']],
  );
});

test('builds presets and picks from the figures of the configured models', async () => {
  const { resolve, registry, scope } = await registryOf(providersFrom({ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }));
  const cost = await resolve('preset:cost');
  assert.equal(cost.names.length, 3);
  const prices = cost.models.map(({ info }) => info.price?.input ?? 0);
  assert.deepEqual(
    prices,
    prices.toSorted((a, b) => a - b),
  );
  const quality = await registry.pick(scope, 'quality');
  assert.equal(quality[0]?.info.quality, 10);
  assert.deepEqual(
    quality.map(({ info }) => info.name),
    (await resolve('preset:quality')).names,
  );
  const unknown = await resolve('preset:cheapest');
  assert.match(unknown.skipped[0]?.reason ?? '', /no such preset; there are cost/);
  const presets = await registry.presets(scope);
  assert.deepEqual(
    presets.map(({ name, models, overridden }) => [name, models.length, overridden]),
    ['cost', 'balanced', 'quality', 'speed'].map((name) => [name, 3, false]),
  );
});

test('an administrator’s choice replaces a preset; models that are not configured are skipped', async () => {
  const { resolve, scope } = await registryOf(providersFrom({ OPENAI_API_KEY: 'k' }));
  await store.putPreset(db, scope.tenant_id, 'cost', ['mistral/mistral-large-4', 'openai/gpt-5-mini']);
  await store.putPreset(db, scope.tenant_id, 'ours', ['gpt-4.1']);
  const { names, skipped } = await resolve('preset:cost', 'preset:ours', 'openai/gpt-5-mini');
  assert.deepEqual(names, ['openai/gpt-5-mini', 'openai/gpt-4.1']);
  assert.match(skipped[0]?.reason ?? '', /MISTRAL_API_KEY/);
});

test('resolves a bare name to the provider that has it', async () => {
  const { resolve } = await registryOf(
    providersFrom({ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', OPENAI_COMPATIBLE_BASE_URL: [local] }),
    { [local]: ['llama3.3', 'google/gemma-3', 'nomic-embed-text'] },
  );
  const { names } = await resolve(
    'gpt-4o',
    'claude-sonnet-5-5',
    'claude-of-next-year',
    'llama3.3',
    'google/gemma-3',
    'new-one',
  );
  assert.deepEqual(names, [
    'openai/gpt-4o',
    'anthropic/claude-sonnet-5-5',
    'anthropic/claude-of-next-year',
    'openai-compatible/llama3.3',
    'openai-compatible/google/gemma-3',
    'openai/new-one',
  ]);
  const { names: none, skipped } = await resolve('gemini-2.5-pro', 'google/gemini-2.5-pro');
  assert.deepEqual(none, []);
  for (const { reason } of skipped) assert.match(reason, /google is not configured: set GOOGLE_API_KEY/);
});

test('a custom address takes every bare name, also of another maker', async () => {
  const { resolve } = await registryOf(providersFrom({ OPENAI_BASE_URL: [local] }));
  const { names } = await resolve('gpt-4o', 'claude-sonnet-5-5', 'org/some-model');
  assert.deepEqual(names, ['openai/gpt-4o', 'openai/claude-sonnet-5-5', 'openai/org/some-model']);
});

test('lists the models of a custom address and caches the list', async () => {
  const { registry, resolve, scope, asked } = await registryOf(providersFrom({ OPENAI_BASE_URL: [local] }), {
    [local]: ['llama3.3', 'text-embedding-3-small', 'whisper-1'],
  });
  const { names } = await resolve('preset:cost');
  assert.deepEqual(names, ['openai/llama3.3']);
  assert.deepEqual(
    (await registry.list(scope)).map(({ name }) => name),
    ['openai/llama3.3', 'atrium/extractive'],
  );
  assert.equal(asked(), 1);
});

test('uses the administrator’s list for an address without one, or says that it is missing', async () => {
  const unheard = await registryOf(providersFrom({ OPENAI_COMPATIBLE_BASE_URL: [local] }));
  const { models, skipped } = await unheard.resolve('preset:cost');
  assert.deepEqual([models, skipped.length], [[], 1]);
  assert.match(skipped[0]?.reason ?? '', /at openai-compatible: openai-compatible can't be reached .*; list them/);
  const empty = await registryOf(providersFrom({ OPENAI_COMPATIBLE_BASE_URL: [local] }), { [local]: [] });
  const { skipped: unlisted } = await empty.resolve('preset:cost');
  assert.match(unlisted[0]?.reason ?? '', /^No models are known at openai-compatible: list them/);

  const listed = providersFrom({ OPENAI_COMPATIBLE_BASE_URL: [local], OPENAI_COMPATIBLE_MODELS: ['mine'] });
  assert.deepEqual((await (await registryOf(listed)).resolve('preset:cost')).names, ['openai-compatible/mine']);
  const catalogued = await (await registryOf(providersFrom({ OPENAI_BASE_URL: [local] }))).resolve('preset:cost');
  assert.equal(catalogued.names.length, 3);
});

test('resolves a model at each address of its provider, in order', async () => {
  const { resolve, made } = await registryOf(
    providersFrom({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: ['http://a/v1', 'http://b/v1'] }),
  );
  const { models } = await resolve('openai/gpt-4o');
  assert.equal(models[0]?.addresses(noAnonymizer).length, 2);
  assert.deepEqual(
    made.map(({ address, model }) => [address.base_url, address.api_key, model]),
    [
      ['http://a/v1', 'k', 'gpt-4o'],
      ['http://b/v1', 'k', 'gpt-4o'],
    ],
  );
});
