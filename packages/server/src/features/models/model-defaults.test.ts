import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import { closing } from '../../../test/support/scripted-app.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { makeImageGenerators } from '../images/service.ts';
import { makeRerankers } from '../knowledge-bases/search/make-rerankers.ts';
import { makeModelQuestions } from '../model-questions/service.ts';

const upstream = await closing(openaiProvider());
const { call, logged, workspace } = await testApp({ guardrail_model: 'home/one', insights_model: 'home/one' });
const models = ['one', 'judge', 'text-embedding-3', 'rerank-2', 'gpt-image-1'];
const made = await call('POST', '/v1/admin/providers', {
  ...{ provider: 'openai-compatible', name: 'home', base_urls: [upstream.url], api_key: 'key-of-home', models },
});
assert.equal(made.status, 200, made.text);
const path = '/v1/admin/defaults';
const put = (body: object) => call('PUT', path, body);

/** For parts that the test does not reach. */
const unused = (): never => assert.fail('this is not called');

/** Has a text checked and answers the model that was asked. */
async function judgeAsked(): Promise<unknown> {
  upstream.reply({ text: JSON.stringify({ flagged: false, severity: 'none', reason: 'Fine.' }) });
  const { status, text } = await call('POST', '/v1/safety/check', { text: 'Hello', settings: { toxicity: 'High' } });
  assert.equal(status, 200, text);
  return upstream.last().body.model;
}

test('answers what the environment sets while nothing is stored', async () => {
  const none = { model: null, source: 'none', environment: null };
  const set = { model: 'home/one', source: 'environment', environment: 'home/one' };
  assert.deepEqual((await call('GET', path)).json, {
    ...{ embedding: none, ranking: none, image: none, guardrail: set, insights: set },
  });
});

test('a stored default wins over the environment without a restart, and goes when it is left out', async () => {
  assert.equal(await judgeAsked(), 'one');
  const base = await call('POST', '/v1/knowledge-bases', { name: 'Defaults' });
  const embedding = async () =>
    (await call('GET', `/v1/knowledge-bases/${base.json.id}`)).json.embedding_health.embedding_model;
  const before = await embedding();
  const { status, json, text } = await put({ guardrail: 'home/judge', embedding: 'home/text-embedding-3' });
  assert.equal(status, 200, text);
  assert.deepEqual(json.guardrail, { model: 'home/judge', source: 'api', environment: 'home/one' });
  assert.equal(await judgeAsked(), 'judge');
  assert.equal(await embedding(), 'home/text-embedding-3');
  assert.deepEqual((await put({ guardrail: null })).json.guardrail.source, 'environment');
  assert.equal(await judgeAsked(), 'one');
  assert.equal(await embedding(), before);
});

test('refuses a model that no provider has, and callers who may not', async () => {
  for (const kind of ['embedding', 'ranking', 'image', 'guardrail', 'insights']) {
    const refused = await put({ [kind]: 'nowhere/model' });
    assert.deepEqual([refused.status, refused.json.detail?.[0]?.loc], [422, ['body', kind]], refused.text);
  }
  const { key } = await workspace();
  assert.equal((await call('GET', path, undefined, { key })).status, 403);
  assert.equal((await call('PUT', path, {}, { key })).status, 403);
});

test('lists models of each kind, and language models as before', async () => {
  const names = async (query: string) =>
    (await call('GET', `/v1/models/llms${query}`)).json.map(({ name, kind }: { name: string; kind: string }) => [
      name,
      kind,
    ]);
  assert.deepEqual(await names('?kind=embedding'), [['home/text-embedding-3', 'embedding']]);
  assert.deepEqual(await names('?kind=ranking'), [['home/rerank-2', 'ranking']]);
  assert.deepEqual(await names('?kind=image'), [['home/gpt-image-1', 'image']]);
  assert.deepEqual(await names(''), await names('?kind=llm'));
  const all = await names('?kind=all');
  assert.deepEqual(new Set(all.map(([name]: string[]) => name)).size, all.length, 'each once');
  assert.deepEqual(
    all.filter(([, kind]: string[]) => kind === 'llm'),
    [
      ['home/one', 'llm'],
      ['home/judge', 'llm'],
    ],
  );
  assert.equal((await call('GET', '/v1/models/llms?kind=fish')).status, 422);
});

test('tests a provider before it is stored, and stores nothing', async () => {
  upstream.models = ['m'];
  const secret = 'sk-tried-0123456789';
  const body = { provider: 'openai-compatible', name: 'tried', base_urls: [`${upstream.url}/`], api_key: secret };
  const tried = await call('POST', '/v1/admin/providers/test', body);
  assert.deepEqual([tried.status, tried.json.success, tried.json.addresses[0].models], [200, true, ['m']]);
  assert.equal(upstream.last().headers.authorization, `Bearer ${secret}`);
  const listed = (await call('GET', '/v1/admin/providers')).json;
  assert.ok(!listed.some(({ name }: { name: string }) => name === 'tried'));
  const off = await call('POST', '/v1/admin/providers/test', { ...body, base_urls: ['http://127.0.0.1:9/v1'] });
  assert.deepEqual([off.status, off.json.success], [200, false]);
  const lacking = await call('POST', '/v1/admin/providers/test', { provider: 'openai' });
  assert.deepEqual([lacking.status, lacking.json.detail[0].loc], [422, ['body', 'api_key']]);
});

test('a tested provider that repeats its key shows a mask, and no log has it', async () => {
  const secret = 'sk-echoed-0123456789';
  const echo = createServer((request, response) => {
    const said = String(request.headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: `model ${said}` }], error: { message: said } }));
  });
  await new Promise<void>((ready) => echo.listen(0, '127.0.0.1', ready));
  after(() => void echo.close());
  const { port } = echo.address() as AddressInfo;
  const body = { provider: 'openai-compatible', base_urls: [`http://127.0.0.1:${port}/v1`], api_key: secret };
  const tried = await call('POST', '/v1/admin/providers/test', body);
  assert.equal(tried.status, 200, tried.text);
  const wrong = await call('POST', '/v1/admin/providers/test', { ...body, api_key: [secret] });
  assert.equal(wrong.status, 422);
  for (const { text } of [tried, wrong]) assert.ok(!text.includes(secret), text);
  assert.ok(!logged.join('').includes(secret));
});

test('a key without org:admin can not try private addresses, and none can try the metadata service', async () => {
  const tryAt = (url: string, by = {}) =>
    call('POST', '/v1/admin/providers/test', { provider: 'openai-compatible', base_urls: [url] }, by);
  const { key } = await workspace(['settings_read', 'settings_write']);
  const before = upstream.requests.length;
  const refused = await tryAt(upstream.url, { key });
  assert.deepEqual([refused.status, refused.json.detail[0].loc], [422, ['body', 'base_urls', '0']]);
  assert.equal(upstream.requests.length, before, 'nothing was sent');
  assert.equal((await tryAt('http://169.254.169.254/latest')).status, 422);
  const weak = await workspace();
  assert.equal((await tryAt(upstream.url, { key: weak.key })).status, 403);
});

test('images, insights and the reranker `hosted` ask for the default at each use', async () => {
  let current = 'home/first';
  const default_model = () => current;
  const asked: string[] = [];
  const locateModel = async (_: unknown, name: string) => {
    asked.push(`image ${name}`);
    return { reason: 'only the name matters here' };
  };
  const images = makeImageGenerators({ locateModel, default_model, makeImageModel: unused, meter: unused as never });
  const registry = {
    resolve: async (_: unknown, [name]: readonly string[]) => {
      asked.push(`insights ${name}`);
      return { models: [], skipped: [] };
    },
  };
  const questions = makeModelQuestions(registry as never, default_model);
  const rerankers = makeRerankers({
    ...{ questions, meter: unused as never, hosted: undefined, default_model, connect: unused },
    findRankingService: async (_, name) => {
      asked.push(`ranking ${name}`);
      return undefined;
    },
  });
  const caller = {} as never;
  for (const name of ['home/first', 'home/second']) {
    current = name;
    await images.resolve(caller);
    await questions(caller, caller, 'topic');
    await rerankers(caller, caller).named('hosted', '');
  }
  assert.deepEqual(asked, [
    ...['image home/first', 'insights home/first', 'ranking home/first'],
    ...['image home/second', 'insights home/second', 'ranking home/second'],
  ]);
});
