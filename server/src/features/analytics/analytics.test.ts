import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { scriptedApp } from '../../../test/scripted-app.ts';
import { defineTool } from '../../lib/tool.ts';
import { addUp } from '../insights/testing.ts';
import { makeRateLimit } from './limit.ts';

const look = defineTool({
  ...{ tool: 'test_look', description: 'Looks', repeatable: true },
  ...{ input: z.object({}), output: z.string(), run: async () => 'seen' },
});
/** The tool by which knowledge is searched, in a workspace where nothing is known. */
const search = defineTool({
  ...{ tool: 'knowledge_search', description: 'Searches', repeatable: true },
  ...{ input: z.object({}), output: z.object({ results: z.array(z.string()) }), run: async () => ({ results: [] }) },
});
const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 8 }, { tools: [look, search] });
const { server, name } = await app.provider();

const hour = 3_600_000;
const range = `time_start=${new Date(Date.now() - hour).toISOString()}&time_end=${new Date(Date.now() + hour).toISOString()}`;
async function ask(metric: string, more = '', key?: string, within = range) {
  for (;;) {
    const answer = await app.call('GET', `/v1/analytics/${metric}?${within}&${more}`, undefined, key ? { key } : {});
    if (answer.status !== 429) return answer.json;
    await new Promise((later) => setTimeout(later, 200));
  }
}
const simple = async (metric: string, more = '') => {
  const { type, value } = await ask(metric, `interval=none&${more}`);
  return type === 'empty' ? null : value;
};
const newAgent = async (title: string, definition: object = {}) =>
  (
    await app.call('POST', '/v1/agents', {
      name: title,
      definition: { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0, ...definition },
    })
  ).json.id as string;

const [one, two] = [
  await newAgent('One', { insights_enabled: true, insights_csat_enabled: true }),
  await newAgent('Two'),
];
async function talk(agent: string, said: string[]) {
  const id = await app.converse({}, `?assistant_id=${agent}`);
  for (const text of said) await app.say(id, text);
  return id;
}

/** Before and after the facts are added up, the figures are the same. */
async function twice(check: () => Promise<void>) {
  await check();
  await addUp(app);
  const [{ count }] = await app.query('select count(*)::int as count from insight_hours');
  assert.ok(count > 0);
  await check();
}

test('each metric counts what happened, before and after it is added up', async () => {
  server.answers = undefined;
  const usage = { input: 100, output: 10 };
  server.reply(
    {
      tool_calls: [
        { name: 'test_look', input: {} },
        { name: 'knowledge_search', input: {} },
      ],
      usage,
    },
    { text: 'Seen', usage },
    { text: 'Yes', usage },
    { text: 'No', usage },
    { status: 400 },
  );
  const id = await talk(one, ['Look', 'Again']);
  await talk(two, ['Hello']);
  await talk(two, ['Fail']);
  await app.call('POST', `/v1/conversations/${id}/feedback`, { score: 4 });
  await app.call('POST', `/v1/conversations/${id}/feedback`, { score: 2 });
  await twice(async () => {
    const figures = {
      ...{ conversations: 3, messages: 8, runs: 4, failures: 1, tokens: 440, input_tokens: 400, output_tokens: 40 },
      ...{ csat: 2, tool_calls: 2, knowledge_searches_without_answer: 1, guardrail_violations: null, cost: null },
    };
    for (const [metric, value] of Object.entries(figures)) assert.equal(await simple(metric), value, metric);
    for (const metric of ['latency', 'time_to_first_token']) {
      const [average, p99] = [await simple(metric), await simple(metric, 'statistic=p99')];
      assert.ok(average >= 0 && p99 >= average * 0.8, `${metric}: ${average}, ${p99}`);
    }
  });
});

test('figures come by agent, version, model and key, the largest first and in pages', async () => {
  const byAgent = await ask('runs', 'group_by=agent');
  assert.equal(byAgent.type, 'horizontal-barchart');
  assert.deepEqual(
    byAgent.value.map(({ label, value }: { label: string; value: number }) => [label, value]),
    [
      ['One', 2],
      ['Two', 2],
    ],
  );
  assert.deepEqual((await ask('runs', 'group_by=agent&page=2&page_size=1')).value[0].label, 'Two');
  assert.deepEqual((await ask('tokens', 'group_by=model')).value, [
    { id: `${name}/one`, label: `${name}/one`, value: 440 },
  ]);
  assert.equal((await ask('runs', 'group_by=version')).value[0].label, 'One v1');
  const [key] = (await ask('messages', 'group_by=key')).value;
  assert.equal(key.value, 8);
  assert.equal((await ask('messages', 'group_by=user')).type, 'empty');
  assert.equal(await simple('runs', `agent_id=${one}`), 2);
  assert.equal((await ask('tokens', `group_by=model&agent_id=${two}`)).value[0].value, 110);
});

test('bars are hours, and days above three days; a group over time is a table', async () => {
  const bars = await ask('runs');
  assert.equal(bars.type, 'barchart');
  assert.ok(bars.value.length >= 2 && bars.value.length <= 4);
  assert.equal(
    bars.value.reduce((sum: number, bar: { value: number }) => sum + bar.value, 0),
    4,
  );
  const long = `time_start=${new Date(Date.now() - 100 * hour).toISOString()}&time_end=${new Date(Date.now() + hour).toISOString()}`;
  const days = await ask('runs', '', undefined, long);
  assert.match(days.value[0].label, /T00:00:00.000Z$/);
  assert.ok(days.value.length >= 5 && days.value.length <= 6);
  assert.equal(
    days.value.reduce((sum: number, bar: { value: number }) => sum + bar.value, 0),
    4,
  );
  const table = await ask('runs', 'group_by=agent&interval=day');
  assert.equal(table.type, 'table');
  assert.equal(
    table.value.rows.reduce((sum: number, row: { value: number }) => sum + row.value, 0),
    4,
  );
});

test('another workspace has figures of its own, and a time in which nothing was is empty', async () => {
  const other = await app.workspace();
  assert.deepEqual(await ask('runs', '', other.key), { type: 'empty', value: null });
  const old = 'time_start=2020-01-01T00:00:00Z&time_end=2020-01-02T00:00:00Z';
  assert.deepEqual((await app.call('GET', `/v1/analytics/runs?${old}`, undefined, { key: other.key })).json, {
    type: 'empty',
    value: null,
  });
  assert.equal(
    (await app.call('GET', `/v1/analytics/runs?${range}&agent_id=${one}`, undefined, { key: other.key })).status,
    404,
  );
});

test('wrong times, metrics and statistics are refused', async () => {
  const { key } = await app.workspace();
  const at = async (path: string) =>
    (await app.call('GET', `/v1/analytics/${path}`, undefined, { key })).json.detail[0];
  assert.deepEqual((await at('runs')).loc, ['query', 'time_start']);
  assert.equal((await at(`nonsense?${range}`)).type, 'literal_error');
  assert.deepEqual((await at('runs?time_start=2026-01-02T00:00:00Z&time_end=2026-01-01T00:00:00Z')).loc, [
    'query',
    'time_end',
  ]);
  assert.deepEqual((await at(`runs?${range}&statistic=p95`)).loc, ['query', 'statistic']);
});

test('a workspace may ask five times a second, and is told when to come again', async () => {
  const { key } = await app.workspace();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => app.call('GET', `/v1/analytics/runs?${range}`, undefined, { key })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length >= 2, `${refused.length} refused`);
  assert.equal(refused[0]?.headers['retry-after'], '1');
  assert.equal(refused[0]?.headers['ratelimit-limit'], '5');
  let now = 0;
  const limit = makeRateLimit(5, () => now);
  for (let turn = 0; turn < 5; turn++) limit('a');
  assert.throws(() => limit('a'));
  limit('b');
  now += 200;
  limit('a');
  assert.throws(() => limit('a'));
});
