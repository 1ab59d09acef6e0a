import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { asProvider, fakeProvider } from '../../src/features/knowledge-bases/testing.ts';
import { scriptedApp } from '../support/scripted-app.ts';
import { listenOnSocket } from '../support/socket-client.ts';

const fake = await fakeProvider();
const app = await scriptedApp({ providers: asProvider(fake.url), embedding_model: 'fake/embedder' });
const { call, query } = app;
const { port } = await listenOnSocket(app.app);
const { json: any } = await call('POST', '/v1/agents', { name: 'Any' });
const keyWith = async (more: object) =>
  (await call('POST', `/v1/admin/groups/${any.group_id}/api-keys`, { name: 'k', ...more })).json.value as string;
/** All of it works for a key that may run agents and nothing else. */
const weak = await keyWith({ permissions: ['agents_run'] });
const client = new OpenAI({ apiKey: weak, baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
const post = (body: object, key: string | null = weak) => call('POST', '/v1/embeddings', body, { key });

test('the OpenAI client gets one vector for each text, in the default model or a named one', async () => {
  const one = await client.embeddings.create({ model: 'default', input: 'A kitten' });
  assert.deepEqual([one.object, one.model, one.data.length], ['list', 'fake/embedder', 1]);
  assert.equal(fake.embeddings.at(-1).model, 'embedder');
  const many = await client.embeddings.create({ model: 'fake/other', input: ['A kitten', 'A car'] });
  assert.deepEqual(
    many.data.map(({ index, embedding }) => [index, embedding.length]),
    [
      [0, 3],
      [1, 3],
    ],
  );
  assert.deepEqual([many.model, fake.embeddings.at(-1).input], ['fake/other', ['A kitten', 'A car']]);
  assert.deepEqual(many.usage, { prompt_tokens: 1, total_tokens: 1 });
});

test('base64 has the same numbers as the list', async () => {
  const floats = (await post({ input: 'A kitten' })).json.data[0].embedding;
  const text = (await post({ input: 'A kitten', encoding_format: 'base64' })).json.data[0].embedding;
  const bytes = Buffer.from(text, 'base64');
  assert.deepEqual(
    floats.map((_: number, at: number) => bytes.readFloatLE(at * 4)),
    floats,
  );
  assert.equal(bytes.length, floats.length * 4);
});

test('dimensions reach the provider, and a model that ignores them is refused', async () => {
  assert.equal((await post({ input: 'A kitten', dimensions: 3 })).status, 200);
  assert.equal(fake.embeddings.at(-1).dimensions, 3);
  const { status, json } = await post({ input: 'A kitten', dimensions: 5 });
  assert.deepEqual([status, json.error.param], [422, 'dimensions']);
  assert.match(json.error.message, /made vectors of 3 numbers/);
});

test('refuses tokens and other input that is no text, and says why', async () => {
  const refused: [input: unknown, told: RegExp][] = [
    [[1, 2, 3], /arrays of tokens are not supported/],
    [[[1, 2], [3]], /arrays of tokens are not supported/],
    ['', /should not be empty/],
    [['a', ''], /should not be empty/],
    [[], /1 to 2048 texts/],
    [Array.from({ length: 2049 }, () => 'a'), /1 to 2048 texts/],
    [{ text: 'a' }, /a text or a list of texts/],
    ['a'.repeat(400_001), /at most 400000 characters/],
  ];
  const before = fake.embeddings.length;
  for (const [input, told] of refused) {
    const { status, json } = await post({ input });
    assert.deepEqual([status, json.error.type, json.error.param], [422, 'invalid_request_error', 'input']);
    assert.match(json.error.message, told);
  }
  assert.equal((await post({})).json.error.param, 'input');
  assert.equal((await post({ input: 'a', encoding_format: 'hex' })).json.error.param, 'encoding_format');
  assert.equal(fake.embeddings.length, before);
});

test('a model that there is not is 404 in the shape of the protocol', async () => {
  // Its server has no /embeddings.
  const { name } = await app.provider();
  for (const model of ['anthropic/claude-x', `agent:${any.id}`, `${name}/one`]) {
    const { status, json } = await post({ input: 'A kitten', model });
    assert.deepEqual([status, json.error.code, json.error.type], [404, 'model_not_found', 'not_found_error'], model);
  }
});

test('a provider that does not answer is 503 in the shape of the protocol', async () => {
  fake.down = true;
  const { status, json } = await post({ input: 'A kitten' });
  fake.down = false;
  assert.deepEqual([status, json.error.code, json.error.type], [503, 'model_failed', 'server_error']);
});

test('no private value reaches the provider', async () => {
  await post({ input: ['Write to kim@corp.example', 'kim@corp.example wrote'] });
  assert.deepEqual(fake.embeddings.at(-1).input, ['Write to <EMAIL_ADDRESS>', '<EMAIL_ADDRESS> wrote']);
});

test('tokens count as usage of the key and of the end user', async () => {
  await post({ input: 'A kitten', user: 'customer-7' });
  const calls = () =>
    query("select * from model_calls where purpose = 'embedding' and user_id is not null order by at desc");
  let [row] = await calls();
  for (let look = 0; !row && look < 100; look++) {
    await new Promise((wake) => setTimeout(wake, 50));
    [row] = await calls();
  }
  assert.deepEqual([row.model, Number(row.input_tokens), row.status], ['fake/embedder', 1, 'ok']);
  assert.deepEqual([row.actor_kind, row.workspace_id], ['api_key', any.group_id]);
  assert.ok(!JSON.stringify(fake.embeddings.at(-1)).includes('customer-7'));
});

test('needs a key that may run agents, and counts in its rate limit', async () => {
  const reader = await keyWith({ permissions: ['kbs_query'] });
  const { status, json } = await post({ input: 'A kitten' }, reader);
  assert.deepEqual([status, json.error.type], [403, 'permission_error']);
  assert.equal((await post({ input: 'A kitten' }, null)).status, 401);
  const slow = await keyWith({ permissions: ['agents_run'], rate_limit: 1 });
  assert.equal((await post({ input: 'A kitten' }, slow)).status, 200);
  const second = await post({ input: 'A kitten' }, slow);
  assert.deepEqual([second.status, second.json.error.type], [429, 'rate_limit_error']);
});

test('without a default model the caller is told to name one', async () => {
  const bare = await scriptedApp();
  const { status, json } = await bare.call('POST', '/v1/embeddings', { input: 'A kitten' });
  assert.deepEqual([status, json.error.code], [409, 'model_not_configured']);
  assert.match(json.error.message, /name one as provider\/model/);
});
