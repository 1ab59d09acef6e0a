import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { until } from '../../insights/testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 8 });
const { server, name } = await app.provider();
const { call } = app;
server.answers = (body) => ({
  text: JSON.stringify(body['messages']).includes('You are rude') ? 'No idea' : 'A refund takes five days',
});
const good = async (method: string, path: string, body?: unknown, key?: string): Promise<Json> => {
  const answer = await call(method, path, body, key ? { key } : {});
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
};
const base = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const saying = (persona: string) => ({ ...base, persona });
const cases = [
  { name: 'refund', messages: ['How long does a refund take?'], expected: 'five days', match: 'contains' },
  { name: 'hello', messages: ['Hello'] },
];

/** An agent with a gate. */
async function makeGated(threshold?: number) {
  const agent = await good('POST', '/v1/agents', { name: 'Shop', definition: saying('You are kind.') });
  const set = await good('POST', '/v1/evaluations', { name: 'Set', agent_id: agent.id, cases });
  const at = `/v1/agents/${agent.id}`;
  const { gate } = await good('PUT', `${at}/publish-gate`, { evaluation_id: set.id, ...(threshold && { threshold }) });
  assert.deepEqual([gate.evaluation_id, gate.threshold], [set.id, threshold ?? 1]);
  const finish = (id: string) =>
    until(
      () => good('GET', `/v1/evaluations/${set.id}/runs/${id}`),
      ({ status }) => status === 'completed',
    );
  const runs = async () => (await good('GET', `/v1/evaluations/${set.id}/runs`)).total as number;
  const keyWith = async (...permissions: string[]): Promise<string> =>
    (await good('POST', `/v1/admin/groups/${agent.group_id}/api-keys`, { name: 'weak', permissions })).value;
  return { agent, at, set, finish, runs, keyWith };
}

test('publishing starts the evaluation, waits for it, and goes through once it has passed', async () => {
  const { at, finish, runs } = await makeGated();
  const { id } = await good('POST', `${at}/versions`, { definition: saying('You are brief.') });
  const [first, second] = [
    await call('POST', `${at}/versions/${id}/publish`),
    await call('POST', `${at}/versions/${id}/publish`),
  ];
  assert.deepEqual([first.status, first.json.code], [409, 'evaluation_running'], first.text);
  assert.equal(await runs(), 1, 'a second request uses the run of the first');
  await finish(first.json.evaluation_run_id);
  if (second.status !== 200) assert.equal(second.json.evaluation_run_id, first.json.evaluation_run_id);
  const published = await good('POST', `${at}/versions/${id}/publish`);
  assert.deepEqual([published.is_published, published.override_reason], [true, null]);
  assert.equal((await good('GET', at)).definition.persona[0].text, 'You are brief.');
  // What is published already needs no run.
  await good('POST', `${at}/versions/${id}/publish`);
  await good('PATCH', at, { name: 'Renamed' });
  assert.equal(await runs(), 1);
});

test('publishing settings that fail is answered with the run and the cases that failed', async () => {
  const { at, finish, keyWith } = await makeGated();
  const { id } = await good('POST', `${at}/versions`, { definition: saying('You are rude.') });
  const { json } = await call('POST', `${at}/versions/${id}/publish`);
  await finish(json.evaluation_run_id);
  const refused = await call('POST', `${at}/versions/${id}/publish`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'evaluation_failed'], refused.text);
  const { pass_rate, threshold, summary, failed_cases, evaluation_run_id } = refused.json;
  assert.deepEqual([pass_rate, threshold, summary.passed, evaluation_run_id], [0.5, 1, 1, json.evaluation_run_id]);
  assert.deepEqual(
    failed_cases.map((one: Json) => [one.name, one.answer]),
    [['refund', 'No idea']],
  );
  assert.equal((await good('GET', at)).definition.persona[0].text, 'You are kind.');
  // Without insights_read the cases stay hidden.
  const key = await keyWith('agents_edit', 'agents_run');
  const bare = await call('POST', `${at}/versions/${id}/publish`, undefined, { key });
  assert.deepEqual([bare.json.code, bare.json.failed_cases], ['evaluation_failed', []]);
});

test('a lower threshold lets settings through of which some cases fail', async () => {
  const { at, finish } = await makeGated(0.5);
  const body = { definition: saying('You are rude.') };
  const { json } = await call('PATCH', at, body);
  assert.equal(json.code, 'evaluation_running');
  await finish(json.evaluation_run_id);
  assert.equal((await good('PATCH', at, body)).definition.persona[0].text, 'You are rude.');
});

test('a run of the draft counts for the version that is made of it, until draft or cases change', async () => {
  const { at, set, finish, runs } = await makeGated();
  const draft = (persona: string) => good('PATCH', `${at}?preview=true`, { definition: { persona } });
  await draft('You are calm.');
  const started = await good('POST', `/v1/evaluations/${set.id}/runs`, { draft: true });
  assert.equal(started.version_id, null);
  // The run tries what the draft was when it began.
  await draft('You are rude.');
  assert.equal((await finish(started.id)).summary.passed, 2);
  const changed = await call('POST', `${at}/versions`, { publish: true });
  assert.deepEqual([changed.status, changed.json.code], [409, 'evaluation_running'], changed.text);
  await finish(changed.json.evaluation_run_id);
  await draft('You are calm.');
  assert.equal((await good('POST', `${at}/versions`, { publish: true })).is_published, true);
  assert.equal(await runs(), 2);

  const calm = (await good('GET', at)).version_id;
  await draft('You are calm and brief.');
  const again = await good('POST', `/v1/evaluations/${set.id}/runs`, { draft: true });
  await finish(again.id);
  await good('POST', `/v1/evaluations/${set.id}/cases`, { messages: ['Another?'] });
  const late = await call('POST', `${at}/versions`, { publish: true });
  assert.deepEqual([late.status, late.json.code], [409, 'evaluation_running']);
  assert.equal((await good('GET', at)).version_id, calm);
});

test('an administrator publishes all the same with a reason, which the version and the audit log keep', async () => {
  const { at, agent, keyWith } = await makeGated();
  const { id } = await good('POST', `${at}/versions`, { definition: saying('You are rude.') });
  const body = { override_reason: 'The shop is down' };
  const key = await keyWith('agents_edit', 'agents_run');
  const refused = await call('POST', `${at}/versions/${id}/publish`, body, { key });
  assert.deepEqual([refused.status, refused.json.code], [403, 'forbidden']);
  const published = await good('POST', `${at}/versions/${id}/publish`, body);
  assert.deepEqual([published.is_published, published.override_reason], [true, 'The shop is down']);
  assert.equal(published.override_by_actor.id, published.override_by);
  const { items } = await good('GET', `/v1/admin/audit?target_kind=agent_version&target_id=${id}`);
  assert.ok(JSON.stringify(items).includes('The shop is down'), JSON.stringify(items));
  const patched = await good('PATCH', at, { definition: saying('You are ruder.'), ...body });
  const version = await good('GET', `${at}/versions/${patched.version_id}`);
  assert.equal(version.override_reason, 'The shop is down');
  const file = await good('GET', `${at}/export`);
  file.agent.definition.persona = 'You are imported.';
  const imported = await call('POST', `/v1/agents/import?agent_id=${agent.id}`, file);
  assert.deepEqual([imported.status, imported.json.code], [409, 'evaluation_running'], imported.text);
});

test('only administrators set and remove a gate, of an evaluation of the agent, which then is not deleted', async () => {
  const { at, set, agent, keyWith } = await makeGated();
  const gate = `${at}/publish-gate`;
  const editor = await keyWith('agents_edit', 'agents_run');
  for (const [method, body] of [['DELETE'], ['PUT', { evaluation_id: set.id, threshold: 0.1 }]] as const)
    assert.equal((await call(method, gate, body, { key: editor })).status, 403);
  assert.equal((await good('GET', gate, undefined, editor)).gate.evaluation_id, set.id);
  const kept = await call('DELETE', `/v1/evaluations/${set.id}`);
  assert.deepEqual([kept.status, kept.json.code], [409, 'evaluation_in_use']);
  const { json: other } = await call('POST', '/v1/agents', { name: 'Other' });
  const foreign = await call('PUT', `/v1/agents/${other.id}/publish-gate`, { evaluation_id: set.id });
  assert.equal(foreign.status, 422);
  assert.equal((await call('PUT', gate, { evaluation_id: set.id, threshold: 0 })).status, 422);
  await good('DELETE', gate);
  assert.deepEqual(await good('GET', gate), { agent_id: agent.id, gate: null });
  await good('PATCH', at, { definition: saying('You are rude.') });
  await good('DELETE', `/v1/evaluations/${set.id}`);
});
