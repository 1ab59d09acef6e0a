import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { providersFrom } from '../../config/providers.ts';

const [upstream, elsewhere] = [await openaiProvider(), await openaiProvider()];
after(() => Promise.all([upstream.close(), elsewhere.close()]));
upstream.models = ['m'];
elsewhere.models = ['m'];
const { call, workspace, query } = await testApp({
  providers: providersFrom({ OPENAI_BASE_URL: [upstream.url], OPENAI_API_KEY: 'sk-of-the-environment' }),
});
const path = '/v1/admin/providers';
const secret = 'sk-very-secret-0123456789-wxyz';
/** May change providers, and nothing else of the organisation. */
const { key: weak } = await workspace(['settings_read', 'settings_write', 'agents_run']);

let count = 0;
const create = (body: object, key?: string) =>
  call('POST', path, { provider: 'openai-compatible', name: `p${count++}`, ...body }, key ? { key } : {});
const patch = (id: string, body: object, key?: string) => call('PATCH', `${path}/${id}`, body, key ? { key } : {});

const refusedAt = ({ status, json }: Awaited<ReturnType<typeof call>>, loc: string, text: RegExp) => {
  assert.equal(status, 422, JSON.stringify(json));
  assert.equal(json.detail[0].loc.join('.'), loc);
  assert.match(json.detail[0].msg, text);
};

for (const url of [
  ...['http://127.0.0.1:11434/v1', 'http://10.1.2.3/v1', 'http://[::1]:8000/v1', 'http://localhost:11434/v1'],
  ...['http://0x7f000001/v1', 'http://[::ffff:192.168.0.1]/v1', 'http://ollama.localhost/v1'],
])
  test(`refuses ${url} to a key without org:admin, and takes it from one with it`, async () => {
    refusedAt(await create({ base_urls: ['https://models.example', url] }, weak), 'body.base_urls.1', /org:admin/);
    const { json } = await create({ base_urls: [url] });
    assert.equal(json.private_allowed, 'org_admin');
  });

for (const url of ['http://169.254.169.254/v1', 'http://[fd00:ec2::254]/v1', 'http://metadata.google.internal/v1'])
  test(`refuses ${url} to every key`, async () => {
    refusedAt(await create({ base_urls: [url] }, weak), 'body.base_urls.0', /metadata/);
    refusedAt(await create({ base_urls: [url] }), 'body.base_urls.0', /metadata/);
    const { json } = await create({ base_urls: [upstream.url] });
    refusedAt(await patch(json.id, { base_urls: [url] }), 'body.base_urls.0', /metadata/);
  });

test('does not send a stored key to an address that a caller moves the provider to', async () => {
  const { json: made } = await create({ base_urls: [upstream.url], api_key: secret });
  for (const base_urls of [[elsewhere.url], [upstream.url, elsewhere.url], [`${upstream.url}/other`]])
    for (const [key, body] of [
      [undefined, {}],
      [weak, {}],
      [weak, { api_key: null }],
      [weak, { api_key: '********wxyz' }],
    ] as const)
      refusedAt(await patch(made.id, { base_urls, ...body }, key), 'body.base_urls', /needs the api_key/);
  await call('POST', `${path}/${made.id}/test`, undefined, { key: weak });
  assert.equal(upstream.last().headers.authorization, `Bearer ${secret}`);
  assert.equal(elsewhere.requests.length, 0);

  const { json: moved } = await patch(made.id, { base_urls: [elsewhere.url], api_key: 'sk-another-one-0123456789' });
  assert.deepEqual(moved.base_urls, [elsewhere.url]);
  await call('POST', `${path}/${made.id}/test`);
  assert.equal(elsewhere.last().headers.authorization, 'Bearer sk-another-one-0123456789');
});

test("does not send a stored key from a provider's own address elsewhere, nor back", async () => {
  const { json: made } = await create({ provider: 'mistral', api_key: secret });
  refusedAt(await patch(made.id, { base_urls: [elsewhere.url] }), 'body.base_urls', /needs the api_key/);
  const { json: other } = await create({ provider: 'mistral', api_key: secret, base_urls: [upstream.url] });
  refusedAt(await patch(other.id, { base_urls: [] }), 'body.base_urls', /needs the api_key/);
});

test('asks for each of the keys of a provider that has several', async () => {
  const aws = { provider: 'bedrock', region: 'eu-west-1', access_key_id: 'AKIA0123456789', secret_access_key: secret };
  const { json: made } = await create(aws);
  const moved = { base_urls: [elsewhere.url] };
  refusedAt(await patch(made.id, moved), 'body.base_urls', /needs the access_key_id/);
  const withOne = { ...moved, access_key_id: 'AKIA9876543210' };
  refusedAt(await patch(made.id, withOne), 'body.base_urls', /needs the secret_access_key/);
  assert.equal((await patch(made.id, { ...withOne, secret_access_key: 'another-secret' })).status, 200);
});

test('keeps the key of a provider that loses an address, is renamed or has its mask sent back', async () => {
  const { json: made } = await create({ base_urls: [elsewhere.url, upstream.url], api_key: secret });
  const { json } = await patch(made.id, { base_urls: [`${upstream.url}/`], api_key: '********wxyz' }, weak);
  assert.deepEqual([json.base_urls, json.api_key, json.private_allowed], [[upstream.url], '********wxyz', 'org_admin']);
  const { json: tested } = await call('POST', `${path}/${made.id}/test`);
  assert.equal(tested.success, true);
  assert.equal(upstream.last().headers.authorization, `Bearer ${secret}`);
});

test('connects to no private address that neither the operator nor org:admin allowed, however it was stored', async () => {
  const { json: made } = await create({ base_urls: [upstream.url] });
  const { port } = new URL(upstream.url);
  await query('update provider_accounts set base_urls = $1, private_allowed = null where id = $2', [
    [`http://127.0.0.1:${port}/v1`],
    made.id,
  ]);
  // Notifies the nodes of the changed row.
  await patch(made.id, { enabled: true });
  const asked = upstream.requests.length;
  const { json } = await call('POST', `${path}/${made.id}/test`);
  assert.equal(json.success, false);
  assert.match(json.addresses[0].message, /private or reserved address/);
  assert.equal(upstream.requests.length, asked);
});

test('keeps what was stored before at its private address, until its address is moved', async () => {
  const { json: made } = await create({ base_urls: [upstream.url] });
  await query("update provider_accounts set private_allowed = 'stored_before' where id = $1", [made.id]);
  const { json: patched } = await patch(made.id, { models: ['m'] }, weak);
  assert.equal(patched.private_allowed, 'stored_before');
  assert.equal((await call('POST', `${path}/${made.id}/test`)).json.success, true);
  refusedAt(await patch(made.id, { base_urls: [elsewhere.url] }, weak), 'body.base_urls.0', /org:admin/);
  const { json: confirmed } = await patch(made.id, { base_urls: [upstream.url] });
  assert.equal(confirmed.private_allowed, 'org_admin');
});

test('reaches a provider of the environment at its private address', async () => {
  const [own] = (await call('GET', path)).json;
  assert.deepEqual([own.source, own.private_allowed], ['environment', 'environment']);
  assert.equal((await call('POST', `${path}/${own.id}/test`)).json.success, true);
});

test('takes a private address of ATRIUM_PROVIDER_ALLOW or ATRIUM_WEB_ALLOW from any key that may save providers', async () => {
  for (const changes of [{ provider_allow: ['127.0.0.1'] }, { web_allow: ['127.0.0.0/8'] }]) {
    const app = await testApp(changes);
    const { key } = await app.workspace(['settings_read', 'settings_write']);
    const body = { provider: 'openai-compatible', name: 'listed', base_urls: [upstream.url] };
    const { json: made } = await app.call('POST', path, body, { key });
    assert.equal(made.private_allowed, null);
    assert.equal((await app.call('POST', `${path}/${made.id}/test`, undefined, { key })).json.success, true);
    const other = await app.call('POST', path, { ...body, name: 'other', base_urls: ['http://10.0.0.1/v1'] }, { key });
    assert.equal(other.status, 422);
  }
});
