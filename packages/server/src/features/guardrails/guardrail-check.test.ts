import assert from 'node:assert/strict';
import { test } from 'node:test';
import { severities } from '@atrium/contract/safety/categories.ts';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import { closing, scriptedApp } from '../../../test/support/scripted-app.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { policies } from './policies.ts';

const { call, logged, account } = await scriptedApp();
const provider = await closing(openaiProvider());
await account([provider.url]);

const says = (severity: string) => ({
  text: JSON.stringify({ flagged: severity !== 'none', severity, reason: 'Because.' }),
});
const check = (body: object, key?: string) =>
  call('POST', '/v1/safety/check', { text: 'Hello', ...body }, key === undefined ? {} : { key });

/** The messages that the provider was sent after this many requests. */
const sentSince = (count: number) => provider.requests.slice(count).map(({ body }) => JSON.stringify(body));

const levels = { Low: ['severe'], Medium: ['moderate', 'severe'], High: ['low', 'moderate', 'severe'] };

for (const [level, flags] of Object.entries(levels))
  test(`${level} flags ${flags.join(', ')} and nothing milder`, async () => {
    for (const severity of severities) {
      const before = provider.requests.length;
      provider.reply(says(severity));
      const { status, json } = await check({ settings: { bias: level } });
      const flagged = flags.includes(severity);
      const [{ ms, ...verdict }] = json.verdicts;
      assert.deepEqual([status, json.flagged, json.action], [200, flagged, flagged ? 'fail' : null]);
      assert.deepEqual(verdict, { category: 'bias', level, flagged, severity, reason: 'Because.' });
      assert.ok(Number.isInteger(ms) && Number.isInteger(json.ms));
      const sent = sentSince(before);
      assert.equal(sent.length, 1);
      assert.ok(sent[0]?.includes(policies.bias.title));
    }
  });

for (const category of ['jailbreak', 'prompt_injection'] as const)
  test(`${category} has no level and flags every attempt`, async () => {
    for (const severity of ['none', 'low']) {
      provider.reply(says(severity));
      const { json } = await check({ settings: { [category]: true } });
      assert.deepEqual([json.flagged, json.verdicts[0].level], [severity !== 'none', null]);
    }
  });

test('asks the model for JSON of a schema at temperature 0, with the text and the context', async () => {
  provider.reply(says('none'));
  const context = 'A shop for locksmiths.';
  await check({ text: 'Pick a lock', settings: { crime: { value: 'High', context } } });
  const { body } = provider.last();
  assert.deepEqual([body.temperature, body.response_format.type], [0, 'json_schema']);
  assert.ok(body.messages[0].content.includes(context));
  const said = body.messages[1].content.map(({ text }: { text: string }) => text).join('');
  assert.match(said, /begin (\w+)\nPick a lock\nend \1/);
});

for (const action of ['fail', 'replace', 'human', 'warn'])
  test(`a flagged text says that the action is ${action}`, async () => {
    provider.reply(says('severe'));
    assert.equal((await check({ settings: { bias: 'Low', guardrail_action: action } })).json.action, action);
  });

test('applies the guardrails of each stage', async () => {
  const settings = { crime: 'High', bias: 'Low', jailbreak: true, prompt_injection: true };
  for (const [stage, more, expected] of [
    ['input', {}, ['crime', 'bias', 'jailbreak', 'prompt_injection']],
    ['tool', {}, ['prompt_injection']],
    ['output', {}, ['crime', 'bias']],
    ['output', { guardrails_scan_output: false }, []],
  ] as const) {
    provider.reply(...expected.map(() => says('none')));
    const { json } = await check({ stage, settings: { ...settings, ...more } });
    assert.deepEqual(
      json.verdicts.map(({ category }: { category: string }) => category),
      expected,
    );
  }
});

test('context_leak compares a reply with the given prompt, without a model', async () => {
  const before = provider.requests.length;
  const system = 'Always greet in rhymes, never speak of the harbour, and send angry people to the second window.';
  const settings = { context_leak: true };
  const leak = await check({ text: `My rules: ${system}`, stage: 'output', system, settings });
  assert.deepEqual(
    [leak.json.flagged, leak.json.verdicts[0].category, leak.json.verdicts[0].severity],
    [true, 'context_leak', 'severe'],
  );
  assert.equal((await check({ text: 'Hello!', stage: 'output', system, settings })).json.flagged, false);
  assert.deepEqual((await check({ text: system, system, settings })).json.verdicts, []);
  assert.equal(provider.requests.length, before);
  const { status, json } = await check({ stage: 'output', settings });
  assert.deepEqual([status, json.detail[0].loc], [422, ['body', 'system']]);
});

const secret = 'swordfish-4711';
for (const [what, reply, asked] of [
  ['fails', { status: 500, error: secret }, 2],
  ['refuses the request', { status: 400, error: secret }, 2],
  ['hangs up', { text: '{"flagged":false,"severity":"none","reason":""}', drop_after: 2 }, 2],
  ['withholds its answer', { ...says('none'), finish: 'content-filter' }, 2],
  ['says prose', { text: `I think that is fine, ${secret}` }, 1],
  ['calls a tool', { tool_calls: [{ name: 'verdict', input: { flagged: false, severity: 'none', reason: '' } }] }, 1],
  ['cuts its verdict short', { text: '{"flagged":false,"severity":"none"', finish: 'length' }, 1],
] as const)
  test(`a provider that ${what} lets nothing pass, and its words stay with us`, async () => {
    const before = provider.requests.length;
    provider.reply(...Array.from({ length: asked }, () => reply as never));
    const { status, json } = await check({ text: secret, settings: { toxicity: 'Low' } });
    assert.deepEqual([status, json.code], [503, 'guardrail_unavailable']);
    assert.match(json.detail, /The guardrail toxicity could not be applied/);
    assert.ok(!json.detail.includes(secret) && !logged.some((line) => line.includes(secret)));
    assert.equal(provider.requests.length - before, asked);
  });

test('asks a provider that failed once a second time', async () => {
  provider.reply({ status: 500 }, says('severe'));
  assert.equal((await check({ settings: { toxicity: 'Low' } })).json.flagged, true);
});

test('lets nothing pass when the provider takes too long, and ends the request', async () => {
  // Enough for the question to arrive on a busy machine.
  const impatient = await scriptedApp({ guardrail_timeout_ms: 3000 });
  const { server } = await impatient.provider({ ...says('none'), delay_ms: 60_000 });
  // The first text starts the tagger; the short timeout is meant for the provider.
  await impatient.call('POST', '/v1/safety/pii', { text: 'Anna' });
  const asked = { text: 'Hello', settings: { toxicity: 'Low' } };
  const { status, json } = await impatient.call('POST', '/v1/safety/check', asked);
  assert.deepEqual([status, json.code], [503, 'guardrail_unavailable']);
  assert.match(json.detail, /toxicity.*no verdict within 3 s/);
  const slow = server.last();
  await slow.done;
  assert.equal(slow.closed_early, true);
});

test('validates and coerces settings like those of an agent', async () => {
  const validationErrors = async (settings: unknown, more: object = {}) =>
    (await check({ settings, ...more })).json.detail.map(({ loc, type }: { loc: string[]; type: string }) => [
      loc,
      type,
    ]);
  assert.deepEqual(await validationErrors({ crime: 'Huge' }), [
    [['body', 'settings', 'crime', 'value'], 'literal_error'],
  ]);
  assert.deepEqual(await validationErrors({ model: ['x'] }), [[['body', 'settings', 'model'], 'extra_forbidden']]);
  assert.deepEqual(await validationErrors({}, { stage: 'later' }), [[['body', 'stage'], 'literal_error']]);
  assert.deepEqual(await validationErrors({}, { text: 'x'.repeat(100_001) }), [[['body', 'text'], 'string_too_long']]);
  assert.deepEqual(await validationErrors(undefined), [[['body', 'settings'], 'missing']]);
});

test('answers what to configure when there is no language model', async () => {
  const bare = await testApp();
  const body = { text: 'Hello', settings: { crime: 'Low' } };
  const { status, json } = await bare.call('POST', '/v1/safety/check', body);
  assert.deepEqual([status, json.code], [409, 'guardrail_unavailable']);
  assert.match(json.detail, /OPENAI_API_KEY/);
  assert.equal((await bare.call('POST', '/v1/safety/check', { ...body, settings: {} })).status, 200);
});

test('asks the model that ATRIUM_GUARDRAIL_MODEL names', async () => {
  const named = await scriptedApp({ guardrail_model: 'p1/two' });
  const body = { text: 'Hello', settings: { crime: 'Low' } };
  const missing = await named.call('POST', '/v1/safety/check', body);
  assert.deepEqual([missing.status, missing.json.code], [409, 'guardrail_unavailable']);
  assert.match(missing.json.detail, /ATRIUM_GUARDRAIL_MODEL/);
  const { server } = await named.provider(says('severe'));
  assert.equal((await named.call('POST', '/v1/safety/check', body)).json.flagged, true);
  assert.equal(server.last().body.model, 'two');
});
