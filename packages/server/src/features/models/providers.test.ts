import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { providersFrom } from '../../config/providers.ts';
import { mask } from './providers-service.ts';

const upstream = await openaiProvider();
after(() => upstream.close());
const environmentKey = 'sk-environment-0123456789';
const { call, query, logged } = await testApp({
  providers: providersFrom({ MISTRAL_API_KEY: environmentKey }),
});
const secret = 'sk-very-secret-0123456789-wxyz';
const path = '/v1/admin/providers';
const create = (body: object) =>
  call('POST', path, { provider: 'openai-compatible', base_urls: [upstream.url], ...body });

test('a stored key is not in answers, the database or logs', async () => {
  const made = await create({ name: 'first', api_key: secret });
  assert.equal(made.status, 200);
  assert.equal(made.json.api_key, '********wxyz');
  const { id } = made.json;
  const answers = [
    made,
    await call('GET', path),
    await call('GET', `${path}/${id}`),
    await call('PATCH', `${path}/${id}`, { models: ['one', 'two'] }),
    await call('POST', `${path}/${id}/test`),
    await call('POST', path, { provider: 'no-such', api_key: secret }),
    await call('POST', path, { provider: 'openai', api_key: [secret] }),
  ];
  for (const { text } of answers) assert.equal(text.includes(secret) || text.includes(environmentKey), false);
  const rows = await query('select * from provider_accounts');
  assert.equal(JSON.stringify(rows).includes(secret), false);
  assert.equal(logged.join('').includes(secret), false);
  await call('DELETE', `${path}/${id}`);
  assert.equal((await call('GET', `${path}/${id}`)).status, 404);
});

test('masks a short key completely, and a long one except its end', () => {
  assert.deepEqual([mask(null), mask('short'), mask('long-enough-1234')], [null, '********', '********1234']);
});

test('an update without a key keeps the stored key, and a new key replaces it', async () => {
  upstream.models = ['m'];
  const { json: made } = await create({ name: 'second', api_key: secret });
  await call('PATCH', `${path}/${made.id}`, { name: 'renamed', api_key: null });
  const tested = await call('POST', `${path}/${made.id}/test`);
  assert.equal(upstream.last().headers.authorization, `Bearer ${secret}`);
  assert.deepEqual([tested.json.success, tested.json.addresses[0].models], [true, ['m']]);
  const { json: patched } = await call('PATCH', `${path}/${made.id}`, { api_key: 'another-secret-key-4321' });
  assert.deepEqual([patched.name, patched.api_key], ['renamed', '********4321']);
  await call('POST', `${path}/${made.id}/test`);
  assert.equal(upstream.last().headers.authorization, 'Bearer another-secret-key-4321');
  await call('DELETE', `${path}/${made.id}`);
});

test('a test reports the result of each address', async () => {
  upstream.models = ['m'];
  const { json: made } = await create({ name: 'two-homes', base_urls: [`${upstream.url}/`, 'http://127.0.0.1:9/v1'] });
  assert.deepEqual(made.base_urls, [upstream.url, 'http://127.0.0.1:9/v1']);
  const { json } = await call('POST', `${path}/${made.id}/test`);
  assert.equal(json.success, false);
  assert.partialDeepStrictEqual(json.addresses, [
    { base_url: upstream.url, ok: true, status: 200 },
    { base_url: 'http://127.0.0.1:9/v1', ok: false, status: null, models: [] },
  ]);
  assert.match(json.addresses[1].message, /could not be reached/);
  await call('DELETE', `${path}/${made.id}`);
});

test('refuses a provider that lacks a required field', async () => {
  const fieldOf = async (body: object) => {
    const { status, json } = await call('POST', path, body);
    assert.equal(status, 422, JSON.stringify(json));
    return json.detail[0].loc.slice(1).join('.');
  };
  assert.equal(await fieldOf({ provider: 'openai' }), 'api_key');
  assert.equal(await fieldOf({ provider: 'openai-compatible' }), 'base_urls');
  assert.equal(await fieldOf({ provider: 'azure', api_key: 'k' }), 'base_urls');
  assert.equal(await fieldOf({ provider: 'bedrock', api_key: 'k' }), 'region');
  assert.equal(await fieldOf({ provider: 'bedrock', region: 'eu-west-1', access_key_id: 'a' }), 'api_key');
  assert.equal(await fieldOf({ provider: 'anthropic', api_key: 'k', name: 'openai' }), 'name');
  assert.equal(await fieldOf({ provider: 'anthropic', api_key: 'k', name: 'atrium' }), 'name');
  assert.equal(await fieldOf({ provider: 'openai-compatible', base_urls: ['ftp://x'] }), 'base_urls.0');
  assert.equal(await fieldOf({ provider: 'openai-compatible', base_urls: ['http://user:pw@x/v1'] }), 'base_urls.0');
});

test('refuses a second provider with the same name', async () => {
  const { json } = await create({ name: 'twin' });
  assert.equal((await create({ name: 'twin' })).status, 409);
  await call('DELETE', `${path}/${json.id}`);
});

test('lists and tests a provider of the environment; one with the same name replaces it', async () => {
  const names = async () => (await call('GET', '/v1/models/llms')).json.map(({ name }: { name: string }) => name);
  const [own] = (await call('GET', path)).json;
  assert.partialDeepStrictEqual(own, {
    name: 'mistral',
    source: 'environment',
    api_key: '********6789',
    created_at: null,
  });
  assert.equal((await call('PATCH', `${path}/${own.id}`, { enabled: false })).status, 409);
  assert.equal((await call('DELETE', `${path}/${own.id}`)).status, 409);
  assert.ok((await names()).includes('mistral/mistral-large-4'));
  const { json: made } = await call('POST', path, { provider: 'mistral', api_key: secret, enabled: false });
  assert.deepEqual(await names(), ['atrium/extractive']);
  await call('DELETE', `${path}/${made.id}`);
});

test('models and presets are listed as bare arrays, and presets can be chosen', async () => {
  const { json: models } = await call('GET', '/v1/models/llms');
  assert.ok(models.length > 3 && models.every(({ name }: { name: string }) => name.includes('/')));
  const { json: presets } = await call('GET', '/v1/models/llms/presets');
  assert.deepEqual(
    presets.map(({ name }: { name: string }) => name),
    ['cost', 'balanced', 'quality', 'speed'],
  );
  const at = '/v1/admin/presets/cost';
  const computed = (await call('GET', at)).json;
  assert.equal(computed.overridden, false);
  const chosen = await call('PUT', at, { models: ['mistral/mistral-large-4'] });
  assert.deepEqual([chosen.json.models, chosen.json.overridden], [['mistral/mistral-large-4'], true]);
  assert.equal((await call('PUT', at, { models: ['preset:cost'] })).status, 422);
  assert.equal((await call('PUT', at, { models: [] })).status, 422);
  assert.equal((await call('GET', '/v1/admin/presets/none')).status, 404);
  await call('DELETE', at);
  assert.deepEqual((await call('GET', at)).json, computed);
});

test('keeps providers when a workspace is deleted', async () => {
  const { json: group } = await call('POST', '/v1/admin/groups', { name: 'short-lived' });
  const headers = { 'x-workspace-id': group.id };
  const made = await call(
    'POST',
    path,
    { provider: 'openai-compatible', name: 'survivor', base_urls: [upstream.url], api_key: secret },
    { headers },
  );
  await call('DELETE', `/v1/admin/groups/${group.id}`);
  upstream.models = ['m'];
  assert.equal((await call('POST', `${path}/${made.json.id}/test`)).json.success, true);
  assert.equal(upstream.last().headers.authorization, `Bearer ${secret}`);
  await call('DELETE', `${path}/${made.json.id}`);
});

test('says how providers answer when their models were called', async () => {
  const { json: fast } = await create({ name: 'fast' });
  const { json: slow } = await create({ name: 'slow' });
  const { json: broken } = await create({ name: 'broken' });
  await create({ name: 'resting', enabled: false });
  const [{ id: workspace_id }] = (await call('GET', '/v1/admin/groups')).json;
  const record = (model: string, minutes: number, ms: number | null, status = 'ok') =>
    query(
      `insert into model_calls (workspace_id, id, at, purpose, model, input_tokens, cached_tokens, output_tokens,
         reasoning_tokens, ms, ttft_ms, status)
       values ($1, gen_random_uuid(), now() - make_interval(mins => $2), 'reply', $3, 1, 0, 1, 0, 9, $4, $5)`,
      [workspace_id, minutes, model, ms, status],
    );
  for (let n = 0; n < 5; n++) {
    await record('fast/m', 60, 500);
    await record('slow/m', 60, 600);
    await record('fast/m', 5, 900);
    await record('slow/m', 5, 4000);
  }
  for (let n = 0; n < 3; n++) await record('broken/m', 1, null, 'failed');
  await record('slow/m', 60 * 25, 10);
  const health = await call('GET', `${path}/health`);
  const of = (name: string) => health.json.find((one: { name: string }) => one.name === name);
  assert.deepEqual(of('fast'), {
    ...{ provider_id: fast.id, name: 'fast', state: 'ok', failing_since: null, failing_models: [] },
    ...{ calls: 10, failed: 0, share: 10 / 23, first_token_ms: 900, usual_first_token_ms: 500 },
  });
  assert.deepEqual([of('slow').state, of('slow').provider_id, of('slow').first_token_ms], ['slow', slow.id, 4000]);
  assert.deepEqual([of('broken').state, of('broken').failing_models], ['failing', ['broken/m']]);
  assert.deepEqual([of('broken').provider_id, of('broken').failed], [broken.id, 3]);
  assert.ok(Date.parse(of('broken').failing_since) > 0);
  assert.deepEqual([of('resting').state, of('mistral').state], ['off', 'unused']);
  await record('broken/m', 0, 700);
  const after = (await call('GET', `${path}/health`)).json;
  assert.equal(after.find((one: { name: string }) => one.name === 'broken').state, 'ok');
  // A model that nobody calls any more says nothing about its provider.
  for (let n = 0; n < 3; n++) await record('fast/retired', 60 * 25, null, 'failed');
  const later = (await call('GET', `${path}/health`)).json;
  const { state, failing_since, failing_models } = later.find((one: { name: string }) => one.name === 'fast');
  assert.deepEqual([state, failing_since, failing_models], ['ok', null, []]);
});
