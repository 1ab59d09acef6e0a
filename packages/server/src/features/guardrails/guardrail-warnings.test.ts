import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';

const { call, provider } = await scriptedApp();
const settings = { crime: 'Low' };
const off = { crime: 'Off', context_leak: true, temperature: 0.1 };

/** Sends the settings to every operation that takes some, and returns the warnings of each answer. */
async function warnedBy(sent: object) {
  const agent = await call('POST', '/v1/agents', { name: 'A', definition: sent });
  const conversation = await call('POST', '/v1/conversations', { settings: sent });
  const path = `/v1/agents/${agent.json.id}`;
  const answers = {
    'POST agents': agent,
    'PATCH agents': await call('PATCH', path, { definition: sent }),
    'PATCH agents, the draft': await call('PATCH', `${path}?preview=true`, { definition: sent }),
    'POST versions': await call('POST', `${path}/versions`, { definition: sent }),
    'POST conversations': conversation,
    'PATCH conversations': await call('PATCH', `/v1/conversations/${conversation.json.id}`, { settings: sent }),
  };
  const others = [
    await call('GET', path),
    await call('PATCH', path, { name: 'B' }),
    await call('GET', `/v1/conversations/${conversation.json.id}`),
    await call('POST', `/v1/conversations?assistant_id=${agent.json.id}`, {}),
  ];
  for (const { status, json } of others) assert.deepEqual([status, 'warnings' in json], [200, false]);
  return Object.entries(answers).map(([what, { status, json }]) => {
    assert.equal(status, 200, what);
    return [what, json.warnings];
  });
}

test('warns when a guardrail is turned on without a language model', async () => {
  for (const [what, warnings] of await warnedBy(settings)) {
    assert.deepEqual([what, warnings?.length, warnings?.[0].type], [what, 1, 'guardrail_unavailable']);
    assert.match(warnings[0].msg, /need a language model.*runs with these guardrails are refused/);
  }
  assert.equal((await warnedBy({ prompt_injection: true })).length, 6);
});

test('does not warn about settings that need no language model', async () => {
  for (const [what, warnings] of await warnedBy(off)) assert.equal(warnings, undefined, what);
});

test('repeats the warning for a repeated request', async () => {
  const headers = { 'idempotency-key': 'once' };
  const make = () => call('POST', '/v1/agents', { name: 'A', definition: settings }, { headers });
  const [first, second] = [await make(), await make()];
  assert.equal(first.json.warnings.length, 1);
  assert.deepEqual(second.json, first.json);
});

test('does not warn when there is a language model', async () => {
  await provider();
  for (const [what, warnings] of await warnedBy(settings)) assert.equal(warnings, undefined, what);
});
