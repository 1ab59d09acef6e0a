import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openaiProvider } from '../../../../test/providers/openai-provider.ts';
import { closing, comparableAttempts, scriptedApp } from '../../../../test/support/scripted-app.ts';
import { providersFrom } from '../../../config/providers.ts';

const models_file = join(tmpdir(), `models-${process.pid}.json`);
after(() => rmSync(models_file, { force: true }));
const facts = (model: string, cost: number, quality: number, speed: number) => ({
  provider: 'openai',
  model,
  price: { input: cost, cached_input: cost / 10, output: 4 * cost },
  quality,
  speed,
});
writeFileSync(
  models_file,
  JSON.stringify([facts('cheap', 1, 5, 5), facts('clever', 9, 10, 4), facts('quick', 5, 6, 10)]),
);

const server = await closing(openaiProvider());
const app = await scriptedApp({
  models_file,
  providers: providersFrom({ OPENAI_BASE_URL: [server.url], OPENAI_MODELS: ['cheap', 'clever', 'quick', 'plain'] }),
});
const once = { max_retries_per_model: 0, top_k: 0 };
const askedSince = (from: number) => server.requests.slice(from).map(({ body }) => body.model);

test('models are tried in the order of the setting', async () => {
  const from = server.requests.length;
  server.reply({ status: 503 }, { status: 503 }, { text: 'Third' });
  const seen = await app.ask({ ...once, model: ['quick', 'openai/clever', 'cheap'] });
  assert.deepEqual(askedSince(from), ['quick', 'clever', 'cheap']);
  assert.deepEqual([seen.text, seen.metadata.model], ['Third', 'openai/cheap']);
});

test('a preset stands for its models, best first', async () => {
  for (const [preset, model] of [
    ['cost', 'cheap'],
    ['quality', 'clever'],
    ['speed', 'quick'],
  ] as const) {
    await app.ask({ ...once, model: [`preset:${preset}`] });
    assert.equal(server.last().body.model, model);
  }
  await app.call('PUT', '/v1/admin/presets/cost', { models: ['plain'] });
  await app.ask({ ...once, model: ['preset:cost'] });
  assert.equal(server.last().body.model, 'plain');
});

test('a model that is not configured is passed over with a warning on the message', async () => {
  const seen = await app.ask({ ...once, model: ['anthropic/claude-x', 'cheap'] });
  assert.equal(seen.metadata.model, 'openai/cheap');
  assert.match(seen.metadata.warnings.join(), /anthropic\/claude-x was passed over.*ANTHROPIC_API_KEY/);
  assert.ok(seen.chunks.includes('data-warning'));
});

test('the model_selection of a message comes before the setting, for that message', async () => {
  const id = await app.converse({ ...once, model: ['cheap'] });
  const seen = await app.say(id, 'Hello', { model_selection: ['clever'] });
  assert.deepEqual([server.last().body.model, seen.metadata.model], ['clever', 'openai/clever']);
  await app.say(id, 'Hello again');
  assert.equal(server.last().body.model, 'cheap');
});

test('auto_model_pick chooses by auto_model_preference and records the choice', async () => {
  for (const [auto_model_preference, model] of [
    ['cost', 'cheap'],
    ['quality', 'clever'],
    ['speed', 'quick'],
  ] as const) {
    const seen = await app.ask({ ...once, model: ['plain'], auto_model_pick: true, auto_model_preference });
    assert.equal(server.last().body.model, model);
    assert.equal(seen.metadata.model, `openai/${model}`);
    assert.deepEqual(comparableAttempts(seen.metadata), [[model, 0, 'ok']]);
  }
});

test('the price of a reply comes from the catalogue; cached tokens are cheaper', async () => {
  server.reply({ text: 'Hi', usage: { input: 1_000_000, cached: 400_000, output: 500_000, reasoning: 100 } });
  const { metadata } = await app.ask({ ...once, model: ['cheap'] });
  assert.deepEqual(metadata.usage, {
    input_tokens: 1_000_000,
    cached_tokens: 400_000,
    output_tokens: 500_000,
    reasoning_tokens: 100,
    cost: 0.6 * 1 + 0.4 * 0.1 + 0.5 * 4,
  });
});

test('the price of a reply is the sum of its steps, and not known when a model has no price', async () => {
  const usage = { input: 1_000_000, output: 0 };
  server.reply({ tool_calls: [{ name: 'clock_now', input: {} }], usage }, { text: 'Noon', usage });
  const roomy = { ...once, usage_limits_maximum_tokens: 1_000_000_000 };
  assert.equal((await app.ask({ ...roomy, model: ['cheap'] })).metadata.usage.cost, 2);
  assert.equal((await app.ask({ ...once, model: ['plain'] })).metadata.usage.cost, null);
});

test('the tokens of every reply are added to those of the conversation, failed ones too', async () => {
  const id = await app.converse({ ...once, model: ['cheap'] });
  const used = async () =>
    (await app.query('select tokens_used from conversations where id = $1', [id]))[0].tokens_used;
  server.reply({ text: 'Hi', usage: { input: 100, output: 20 } });
  await app.say(id);
  assert.equal(Number(await used()), 120);
  server.reply({ tool_calls: [{ name: 'clock_now', input: {} }], usage: { input: 200, output: 5 } }, { status: 503 });
  assert.equal((await app.say(id)).status, 'failed');
  assert.equal(Number(await used()), 325);
});
