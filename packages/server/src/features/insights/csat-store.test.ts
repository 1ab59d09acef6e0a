import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { newId } from '../../lib/ids.ts';
import { isSampled } from './sampling.ts';
import { lookNow } from './testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 8 });
const { call } = app;
const { server, name } = await app.provider();
const on = { insights_enabled: true, insights_csat_enabled: true };
const base = { model: [`${name}/one`], top_k: 0 };

/** The answers of the judge; the schema of a request tells which question it is. */
let judged: Record<string, unknown> = {};
type Body = {
  response_format?: { json_schema?: { schema?: { properties?: object } } };
  tools?: { function: { name: string; description: string } }[];
};
const asksFor = (body: Body, key: string) =>
  Object.keys(body.response_format?.json_schema?.schema?.properties ?? {}).includes(key);
const isCsat = (body: Body) => asksFor(body, 'score');
const isCustom = (body: Body) => asksFor(body, 'a1');
server.answers = (body) =>
  isCsat(body) || isCustom(body)
    ? { text: JSON.stringify(judged) }
    : asksFor(body, 'topics')
      ? { text: '{"topics": []}' }
      : undefined;

const newAgent = async (definition: object) =>
  (await call('POST', '/v1/agents', { name: 'Shop', definition: { ...base, ...definition } })).json.id as string;
async function talk(agent: string, said = 'Thank you, that is great') {
  const id = await app.converse({}, `?assistant_id=${agent}`);
  return app.say(id, said);
}
const csat = async (agent: string) => (await call('GET', `/v1/agents/${agent}/insights/csat`)).json;
const custom = async (agent: string) => (await call('GET', `/v1/agents/${agent}/insights/custom`)).json.insights;
const asked = (is: (body: Body) => boolean, from = 0) =>
  server.requests.slice(from).filter(({ body }) => is(body as Body)).length;

test('counts given, changed and withdrawn feedback as satisfaction when insights_csat_enabled is set', async () => {
  const [agent, other] = [await newAgent(on), await newAgent({ insights_enabled: true })];
  const { id, reply } = await talk(agent);
  const quiet = await talk(other);
  await call('POST', `/v1/conversations/${quiet.id}/feedback`, { score: 5 });
  assert.equal((await csat(other)).count, 0);
  await call('POST', `/v1/conversations/${id}/messages/${reply.id}/feedback`, { rating: 'down' });
  await call('POST', `/v1/conversations/${id}/feedback`, { score: 4, comment: 'Nearly' });
  assert.deepEqual((await csat(agent)).distribution, [1, 0, 0, 1, 0]);
  await call('POST', `/v1/conversations/${id}/messages/${reply.id}/feedback`, { rating: 'up' });
  const now = await csat(agent);
  assert.deepEqual([now.average, now.count], [4.5, 2]);
  assert.deepEqual(now.by_source[0], { source: 'user', average: 4.5, count: 2 });
  await call('DELETE', `/v1/conversations/${id}/feedback`);
  assert.deepEqual((await csat(agent)).distribution, [0, 0, 0, 0, 1]);
  const [sum] = await app.query(
    'select sum(n)::int as n, sum(total)::int as total from csat_facts where agent_id = $1',
    [agent],
  );
  assert.deepEqual(sum, { n: 1, total: 5 });
});

test('with insights_csat_agent_tool_enabled the agent notes satisfaction, when its instructions say', async () => {
  const tool = 'insights_note_satisfaction';
  const instructions = 'Ask before you say goodbye.';
  const agent = await newAgent({
    ...on,
    insights_csat_agent_tool_enabled: true,
    insights_csat_agent_tool_instructions: instructions,
  });
  server.reply({ tool_calls: [{ name: tool, input: { score: 2, reason: 'It took too long.' } }] }, { text: 'Noted' });
  const { text } = await talk(agent, 'That took ages');
  assert.equal(text, 'Noted');
  const offered = (server.last().body as Body).tools?.find((one) => one.function.name === tool);
  assert.ok(offered?.function.description.endsWith(instructions));
  assert.deepEqual((await csat(agent)).by_source[1], { source: 'agent', average: 2, count: 1 });
  const without = await newAgent(on);
  await talk(without);
  assert.ok(!(server.last().body as Body).tools?.some((one) => one.function.name === tool));
});

test('with insights_csat_auto_enabled a judge estimates satisfaction, from insights_csat_auto_min_messages on', async () => {
  const auto = { ...on, insights_csat_auto_enabled: true };
  const [agent, long, off] = [
    await newAgent(auto),
    await newAgent({ ...auto, insights_csat_auto_min_messages: 4 }),
    await newAgent(on),
  ];
  judged = { score: 1, reason: 'Anna Berg, anna.berg@corp-mail.com, was angry.' };
  const from = server.requests.length;
  const second = await talk(long);
  await talk(agent);
  await talk(off);
  await lookNow(app);
  assert.equal(asked(isCsat, from), 1);
  assert.deepEqual((await csat(agent)).by_source[2], { source: 'judge', average: 1, count: 1 });
  const [{ reason }] = await app.query("select reason from csat_scores where agent_id = $1 and source = 'judge'", [
    agent,
  ]);
  assert.equal(reason, null);
  judged = { score: 4, reason: 'They got what they came for.' };
  await app.say(second.id, 'And thanks for that too');
  await lookNow(app);
  assert.deepEqual((await csat(long)).by_source[2], { source: 'judge', average: 4, count: 1 });
  assert.equal((await csat(off)).count, 0);
});

test('insights_csat_sampling_rate is the part of conversations that is measured, always the same ones', async () => {
  const ids = Array.from({ length: 4000 }, () => newId());
  for (const rate of [0, 0.25, 1]) {
    const part = ids.filter((id) => isSampled(id, rate)).length / ids.length;
    assert.ok(Math.abs(part - rate) < 0.04, `${part} instead of ${rate}`);
  }
  assert.ok(ids.every((id) => isSampled(id, 0.25) === isSampled(id.toUpperCase(), 0.25)));
  assert.ok(ids.every((id) => !isSampled(id, 0.25) || isSampled(id, 0.5)));
  const never = { ...on, insights_csat_auto_enabled: true, insights_csat_agent_tool_enabled: true };
  const agent = await newAgent({ ...never, insights_csat_sampling_rate: 0 });
  const from = server.requests.length;
  await talk(agent);
  await lookNow(app);
  assert.equal(asked(isCsat, from), 0);
  assert.ok(!JSON.stringify(server.requests[from]?.body).includes('insights_note_satisfaction'));
});

test('insights_custom_definitions are asked of each conversation, and their answers added up', async () => {
  const definitions = [
    { name: 'solved', question: 'Was the problem solved?', type: 'boolean' },
    { name: 'effort', question: 'How hard was it, 1 to 10?', type: 'number' },
    { name: 'product', question: 'Which product?', type: 'string' },
  ];
  const agent = await newAgent({ insights_enabled: true, insights_custom_definitions: definitions });
  const answers = [
    { a1: true, a2: 3, a3: 'lamp' },
    { a1: true, a2: 5, a3: null },
    { a1: 'yes', a2: 4, a3: 'the lamp of anna.berg@corp-mail.com' },
  ];
  for (const answer of answers) {
    judged = answer;
    await talk(agent);
    await lookNow(app);
  }
  const [solved, effort, product] = await custom(agent);
  assert.deepEqual(solved, {
    ...{ name: 'solved', question: 'Was the problem solved?', type: 'boolean', count: 2, average: null },
    answers: [{ answer: true, count: 2 }],
  });
  assert.deepEqual([effort.count, effort.average], [3, 4]);
  assert.deepEqual(product.answers, [{ answer: 'lamp', count: 1 }]);
});
