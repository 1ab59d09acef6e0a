import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { anthropicProvider } from '../../../../test/providers/anthropic-provider.ts';
import { closing, scriptedApp } from '../../../../test/support/scripted-app.ts';
import { defineTool } from '../../tools/service.ts';

let running = 0;
let most = 0;
/** Takes its time, and counts how many of it do so at once. */
const nap = defineTool({
  tool: 'test_nap',
  description: 'Sleeps',
  input: z.object({ ms: z.number() }),
  output: z.object({ slept: z.number() }),
  repeatable: true,
  async run(_, { ms }, signal) {
    most = Math.max(most, ++running);
    try {
      await sleep(ms, undefined, { signal });
    } finally {
      running--;
    }
    return { slept: ms };
  },
});
/** Ends when so many of it work at once. */
const meeting = Promise.withResolvers<void>();
const meet = defineTool({
  tool: 'test_meet',
  description: 'Waits for others',
  input: z.object({ count: z.number(), place: z.number() }),
  output: z.object({ met: z.number() }),
  repeatable: true,
  async run(_, { count, place }) {
    if (++running === count) meeting.resolve();
    await meeting.promise;
    running--;
    return { met: place };
  },
});
const broken = defineTool({
  tool: 'test_broken',
  description: 'Fails',
  input: z.object({}),
  output: z.object({}),
  repeatable: true,
  async run() {
    throw new Error('password hunter2 was refused');
  },
});
const long = defineTool({
  tool: 'test_long',
  description: 'Says much',
  input: z.object({}),
  output: z.string(),
  repeatable: true,
  run: async () => 'word '.repeat(40_000),
});

const app = await scriptedApp({}, { tools: [nap, meet, broken, long] });
const { server, name } = await app.provider();
const settings = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const naps = (...times: number[]) => ({
  tool_calls: times.map((ms, index) => ({ id: `c${index}`, name: 'test_nap', input: { ms } })),
});
const results = () =>
  (server.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

test('parallel_tool_calls runs the calls of a step side by side, or one after another', async () => {
  const meetings = [1, 2].map((place) => ({ id: `c${place}`, name: 'test_meet', input: { count: 2, place } }));
  server.reply({ tool_calls: meetings }, { text: 'Rested' });
  const seen = await app.ask(settings);
  assert.equal(seen.text, 'Rested');
  assert.ok(!('parallel_tool_calls' in server.last().body));
  assert.deepEqual(results(), ['{"met":1}', '{"met":2}']);

  server.reply(naps(100, 50), { text: 'Rested' });
  most = 0;
  await app.ask({ ...settings, parallel_tool_calls: false });
  assert.equal(most, 1);
  assert.equal(server.last().body.parallel_tool_calls, false);
  assert.deepEqual(results(), ['{"slept":100}', '{"slept":50}']);
});

test('sends parallel_tool_calls to each provider in its own format', async () => {
  const claude = await closing(anthropicProvider());
  const model = [`${await app.account([claude.url], 'anthropic')}/one`];
  await app.ask({ model, enable_reasoning: false, parallel_tool_calls: false });
  assert.equal(claude.last().body.tool_choice.disable_parallel_tool_use, true);
});

test('tool_timeout ends a call; the model reads so and continues', async () => {
  server.reply(naps(5000, 10), { text: 'Never mind' });
  const seen = await app.ask({ ...settings, tool_timeout: 1 });
  assert.deepEqual([seen.status, seen.text], ['completed', 'Never mind']);
  const told = '{"error":"The tool did not answer within 1 s"}';
  assert.deepEqual(results(), [told, '{"slept":10}']);
  assert.partialDeepStrictEqual(seen.parts[0], { type: 'function', content: told, is_error: true });
  assert.ok(seen.chunks.includes('tool-output-error'));
});

test('a tool that throws is data to the model, without its words', async () => {
  server.reply({ tool_calls: [{ name: 'test_broken', input: {} }] }, { text: 'Sorry' });
  const seen = await app.ask(settings);
  assert.deepEqual([seen.status, seen.text, results()], ['completed', 'Sorry', ['{"error":"The tool failed"}']]);
  assert.ok(!JSON.stringify([seen.conversation, seen.events, server.last().body]).includes('hunter2'));
  const log = app.logged.join('\n');
  assert.ok(log.includes('"tool":"test_broken"') && !log.includes('hunter2'));
});

test('arguments that are no JSON are shown back to the model', async () => {
  server.reply({ tool_calls: [{ name: 'test_nap', input: '{"ms": 1' }] }, { text: 'Again' });
  const seen = await app.ask(settings);
  assert.equal(seen.text, 'Again');
  assert.match(results()[0] ?? '', /does not fit the tool/);
});

test('a later turn reads a tool’s result as the first one did', async () => {
  server.reply({ tool_calls: [{ name: 'test_long', input: {} }] }, { text: 'Much' });
  const { id } = await app.ask(settings);
  const [first] = results();
  const [, file_id] = /more characters; the whole is kept as the file \S+, id (\S+)\]$/.exec(first ?? '') ?? [];
  const whole = await app.app.server.inject({ url: `/v1/files/${file_id}`, headers: { 'x-api-key': app.admin } });
  assert.equal(whole.payload, 'word '.repeat(40_000), 'what was cut off is kept');
  await app.say(id, 'And now?');
  assert.ok(results()[0] === first);
  server.reply({ tool_calls: [{ name: 'test_broken', input: {} }] }, { text: 'Sorry' });
  await app.say(id, 'Break');
  await app.say(id, 'Why?');
  assert.equal(results()[1], '{"error":"The tool failed"}');
});

test('usage_limits_agent_timeout ends the run while a tool still works', async () => {
  // Of its own: a run that ends before it asks would leave the answer to the next one.
  const own = await app.provider(naps(60_000));
  const started = Date.now();
  const limits = { tool_timeout: 60, usage_limits_agent_timeout: 1 };
  const seen = await app.ask({ ...settings, ...limits, model: [`${own.name}/one`] });
  assert.ok(Date.now() - started < 50_000);
  assert.equal(seen.error?.code, 'run_timeout');
});

test('stopping a run ends all tools that work side by side', async () => {
  server.reply(naps(20_000, 20_000, 20_000));
  const id = await app.converse(settings);
  const going = app.say(id);
  while (running < 3) await sleep(20);
  await app.call('POST', `/v1/conversations/${id}/stop`);
  const seen = await going;
  assert.equal(seen.status, 'stopped');
  assert.ok(seen.chunks.includes('abort'));
  assert.equal(running, 0);
  assert.equal((await app.say(id, 'SAY Still here')).text, 'Still here');
});
