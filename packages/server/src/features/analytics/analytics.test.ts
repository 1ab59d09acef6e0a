import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { AnalyticsQuery } from '@atrium/contract/analytics/schema.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import fc from 'fast-check';
import pg from 'pg';
import { z } from 'zod';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { openDatabase } from '../../db/database.ts';
import { makeCounters } from '../../lib/counters/make-counters.ts';
import { newId } from '../../lib/ids.ts';
import { makeLog } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import { addUp, doJob, until } from '../insights/testing.ts';
import { defineTool } from '../tools/service.ts';
import { makeRateLimit } from './rate-limit.ts';
import { makeAnalytics } from './service.ts';

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

/** Calls of models are stored with the end of their run, or a moment after it when that was long in coming. */
const storedCalls = (count: number, workspace_id: string) =>
  until(
    () => app.query('select 1 from model_calls where workspace_id = $1 and run_id is not null', [workspace_id]),
    ({ length }) => length === count,
  );

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
  await storedCalls(5, (await app.call('GET', '/v1/admin/me')).json.group_id);
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

test('counts a reply of the built-in model that found nothing as a search without an answer', async () => {
  const { key } = await app.workspace();
  const agent = await app.call(
    'POST',
    '/v1/agents',
    { name: 'Built-in', definition: { model: ['atrium/extractive'] } },
    { key },
  );
  const { id } = (await app.call('POST', `/v1/conversations?assistant_id=${agent.json.id}`, { name: 'n' }, { key }))
    .json;
  const say = (content: string) => app.call('POST', `/v1/conversations/${id}/chat`, { content }, { key });
  const count = async () => (await ask('knowledge_searches_without_answer', 'interval=none', key)).value;
  await say('Hello');
  assert.equal(await count(), null);
  const { json } = await say('Which bird stands in the river at night?');
  assert.match(JSON.stringify(json), /found nothing/);
  assert.equal(await count(), 1);
});

test('groups figures by agent, version, model and key, the largest first and in pages', async () => {
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
  // No program has said yet for whom it asks.
  assert.deepEqual((await ask('messages', 'group_by=user')).value, [{ id: null, label: 'none', value: 8 }]);
  assert.equal(await simple('runs', `agent_id=${one}`), 2);
  assert.equal((await ask('tokens', `group_by=model&agent_id=${two}`)).value[0].value, 110);
});

test('groups figures by user when the client names one, and groups add up to the whole', async () => {
  const { id: workspace_id, key } = await app.workspace();
  const at = (metric: string, more: string) => ask(metric, more, key);
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Three', definition: { top_k: 0 } }, { key });
  const messages = [{ role: 'user', content: 'Hello' }];
  for (const who of [{ user: 'kim' }, { user: 'kim' }, { safety_identifier: 'lee' }, {}]) {
    const body = { model: `agent:${agent.id}`, messages, ...who };
    assert.equal((await app.call('POST', '/v1/chat/completions', body, { key })).status, 200);
  }
  await storedCalls(4, workspace_id);
  const { items } = (await app.call('GET', '/v1/conversations', undefined, { key })).json;
  const [, , second, first] = items.map(({ user_id }: { user_id: string }) => user_id);
  assert.ok(first !== null && first === second);
  const others = items.map(({ user_id }: { user_id: string }) => user_id).slice(0, 2);
  assert.deepEqual([others[0], new Set([...others, first]).size], [null, 3]);
  for (const turn of ['before', 'after']) {
    const byUser = (await at('runs', 'group_by=user')).value;
    assert.deepEqual(
      byUser.map(({ label, value }: { label: string; value: number }) => [label, value]),
      [
        ['kim', 2],
        ...(byUser[1].label === 'lee'
          ? [
              ['lee', 1],
              ['none', 1],
            ]
          : [
              ['none', 1],
              ['lee', 1],
            ]),
      ],
      turn,
    );
    const { rows } = (await at('messages', 'group_by=user&interval=hour')).value;
    // Those who ask as an hour ends have rows of two.
    const sums: Record<string, number> = {};
    for (const { label, value } of rows) sums[label] = (sums[label] ?? 0) + value;
    assert.deepEqual(sums, { kim: 4, lee: 2, none: 2 });
    for (const group of ['agent', 'version', 'model', 'user', 'key', 'person']) {
      const groups = (await at('tokens', `group_by=${group}`)).value ?? [];
      const sum = groups.reduce((all: number, { value }: { value: number }) => all + value, 0);
      assert.equal(sum, (await at('tokens', 'interval=none')).value ?? 0, group);
    }
    if (turn === 'before') await addUp(app);
  }
  // Their names are deleted with the last of their conversations.
  const names = () => app.query('select name from end_users order by name');
  assert.deepEqual(await names(), [{ name: 'kim' }, { name: 'lee' }]);
  await app.call('DELETE', `/v1/conversations/${items[1].id}`, undefined, { key });
  await app.query("update end_users set created_at = now() - interval '1 day'");
  await doJob(app, 'usage.expire');
  assert.deepEqual(await names(), [{ name: 'kim' }]);
});

test('counts messages of people who answer in place of the agent', async () => {
  const { key } = await app.workspace();
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Four' }, { key });
  const call = async (method: string, path: string, body?: object) =>
    (await app.call(method, `/v1/conversations${path}`, body, { key })).json;
  for (const end of ['human', 'stop']) {
    const { id } = await call('POST', `?assistant_id=${agent.id}`, { name: 'n' });
    await call('PATCH', `/${id}`, { manual: true });
    await call('POST', `/${id}/chat`, { content: 'Is anybody there?' });
    await call('POST', `/${id}/${end}`, end === 'human' ? { content: 'I am.' } : undefined);
  }
  // Two questions and one answer; the second run was stopped.
  assert.equal((await ask('messages', 'interval=none', key)).value, 3);
  await addUp(app);
  assert.equal((await ask('messages', 'interval=none', key)).value, 3);
  assert.equal((await ask('runs', 'interval=none', key)).value, 2);
});

test('counts each fact once for any time range and grouping', async () => {
  const { id: workspace_id } = await app.workspace();
  const [{ name: database }] = await app.query('select current_database() as name');
  const db = openDatabase({ connection: { ...testServer(), database }, max: 2, log: makeLog('silent') });
  after(() => db.close());
  const agents = [newId(), newId()];
  const users = [newId(), newId(), null];
  const facts: { at: number; agent: string; user: string | null; ms: number }[] = [];
  const now = Date.now();
  const put = async (count: number, seed: number) => {
    const some = Array.from({ length: count }, (_, n) => ({
      at: now - ((n * 7919 + seed * 104_729) % (26 * 24 * 3600)) * 1000,
      agent: agents[n % 2] as string,
      user: users[(n + seed) % 3] as string | null,
      ms: 2 ** (n % 12),
    }));
    facts.push(...some);
    const of = (field: keyof (typeof facts)[number]) => some.map((fact) => fact[field]);
    const columns = [some.map(({ at }) => new Date(at)), of('agent'), of('user'), of('ms')];
    await app.query(
      `insert into run_facts (workspace_id, run_id, at, conversation_id, agent_id, user_id, status, ms, messages, begins,
         tool_calls, searches_without_answer, violations)
       select $1, gen_random_uuid(), t.at, gen_random_uuid(), t.agent, t.user_id, 'completed', t.ms, 2, true, 0, 0, 0
       from unnest($2::timestamptz[], $3::uuid[], $4::uuid[], $5::int[]) as t (at, agent, user_id, ms)`,
      [workspace_id, ...columns],
    );
  };
  await put(600, 1);
  await addUp(app);
  await put(150, 2);
  const day = 24 * hour;
  const round = (time: number, unit: number, way: 'floor' | 'ceil') => Math[way](time / unit) * unit;
  const span = fc.record({
    back: fc.integer({ min: 0, max: 26 * 24 * 60 }),
    minutes: fc.integer({ min: 1, max: 26 * 24 * 60 }),
  });
  const wanted = fc.record({
    span,
    group_by: fc.constantFrom('none', 'agent', 'user'),
    interval: fc.constantFrom('none', 'day', 'hour'),
    agent_id: fc.constantFrom(undefined, agents[0]),
  });
  type Asked = typeof wanted extends fc.Arbitrary<infer T> ? T : never;
  const check = async ({ span: { back, minutes }, group_by, interval, agent_id }: Asked) => {
    const [start, end] = [now - back * 60_000 - minutes * 60_000, now - back * 60_000];
    const exact = group_by !== 'user' || end - start <= 7 * day;
    fc.pre(group_by !== 'user' || interval !== 'hour' || end - start <= 3 * day);
    const [from, to] = [round(start, exact ? hour : day, 'floor'), round(end, exact ? hour : day, 'ceil')];
    const own = facts.filter(({ at, agent }) => at >= from && at < to && (!agent_id || agent === agent_id));
    const query = { group_by, interval, statistic: 'average', page: 1, page_size: 200, agent_id };
    const times = { time_start: new Date(start).toISOString(), time_end: new Date(end).toISOString() };
    const { get: analytics } = makeAnalytics({
      db,
      agents: { get: async () => undefined } as never,
      people: { names: async () => new Map() },
      workspaceNames: async () => new Map(),
      counters: makeCounters(),
    });
    const { type, value } = await analytics(
      { workspace_id, permissions: new Set<Permission>(['conversations_read']) } as unknown as Scope,
      'runs',
      {
        ...times,
        ...query,
      } as AnalyticsQuery,
    );
    if (own.length === 0) return assert.equal(type, 'empty');
    if (group_by === 'none' && interval === 'none') {
      const half = await analytics({ workspace_id } as Scope, 'latency', {
        ...times,
        ...query,
        statistic: 'p50',
      } as AnalyticsQuery);
      const sorted = own.map(({ ms }) => ms).toSorted((a, b) => a - b);
      assert.equal(half.value, sorted[Math.ceil(sorted.length / 2) - 1]);
    }
    if (type === 'simple') return assert.equal(value, own.length);
    if (type === 'horizontal-barchart') {
      const keyOf = (fact: (typeof facts)[number]) => (group_by === 'agent' ? fact.agent : fact.user);
      const counted = Map.groupBy(own, keyOf);
      assert.deepEqual(
        new Map(value.map((bar) => [bar.id, bar.value])),
        new Map([...counted].map(([id, list]) => [id, list.length])),
      );
      return;
    }
    const bars = type === 'table' ? value.rows.map((row) => ({ label: row.time, value: row.value })) : (value ?? []);
    if (type === 'table' && bars.length === 200) return;
    for (const [time, list] of Map.groupBy(bars, ({ label }) => label)) {
      const begin = Date.parse(time);
      const inside = own.filter(({ at }) => at >= begin && at < begin + (interval === 'hour' ? hour : day));
      const sum = list.reduce((all, bar) => all + (bar.value ?? 0), 0);
      assert.equal(sum, inside.length, time);
    }
    const all = bars.reduce((sum, bar) => sum + (bar.value ?? 0), 0);
    assert.equal(all, own.length);
  };
  await fc.assert(fc.asyncProperty(wanted, check), { numRuns: 60 });
});

test('rolls up while another database has an open transaction, and waits for one of this database', async () => {
  const { id: workspace_id } = await app.workspace();
  const [{ name: database }] = await app.query('select current_database() as name');
  const holding = async (where: string) => {
    const client = new pg.Client({ ...testServer(), database: where });
    await client.connect();
    await client.query('begin');
    await client.query('select pg_current_xact_id()');
    return client;
  };
  const put = () =>
    app.query(
      `insert into run_facts (workspace_id, run_id, conversation_id, status, ms, messages, begins, tool_calls,
         searches_without_answer, violations)
       values ($1, gen_random_uuid(), gen_random_uuid(), 'completed', 1, 2, true, 0, 0, 0)`,
      [workspace_id],
    );
  const counted = async () =>
    (await app.query('select sum(runs)::int as n from insight_hours where workspace_id = $1', [workspace_id]))[0].n ??
    0;
  const elsewhere = await holding('postgres');
  await put();
  await doJob(app, 'insights.roll-up');
  await until(
    () => doJob(app, 'insights.roll-up').then(counted),
    (n) => n === 1,
  );
  await elsewhere.end();
  const here = await holding(database);
  await put();
  await doJob(app, 'insights.roll-up');
  assert.equal(await counted(), 1);
  await here.end();
  await addUp(app);
  assert.equal(await counted(), 2);
});

test('keeps single calls for ATRIUM_LEDGER_DAYS, and their sums for good', async () => {
  const { id: workspace_id } = await app.workspace();
  const ids = [newId(), newId()];
  const put = (id: string | undefined, days: number) =>
    app.query(
      `insert into model_calls (workspace_id, id, at, purpose, model, input_tokens, cached_tokens, output_tokens,
         reasoning_tokens, ms, status) values ($1, $2, now() - make_interval(days => $3), 'reply', 'm', 10, 0, 1, 0, 1, 'ok')`,
      [workspace_id, id, days],
    );
  for (const [index, days] of [401, 399].entries()) await put(ids[index], days);
  const left = async () =>
    (await app.query('select id from model_calls where workspace_id = $1', [workspace_id])).length;
  await addUp(app);
  await doJob(app, 'usage.expire');
  assert.equal(await left(), 1);
  const [{ tokens }] = await app.query(
    "select sum(input_tokens + output_tokens)::int as tokens from insight_days where workspace_id = $1 and dim = ''",
    [workspace_id],
  );
  assert.equal(tokens, 22);
});

test('uses hours up to three days and days above; groups over time are a table', async () => {
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

test('keeps figures of workspaces apart, and answers empty for a time without data', async () => {
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

test('limits a workspace to five requests a second, with Retry-After', async (t) => {
  const { key } = await app.workspace();
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => app.call('GET', `/v1/analytics/runs?${range}`, undefined, { key })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 3);
  assert.equal(refused[0]?.headers['retry-after'], '1');
  assert.equal(refused[0]?.headers['ratelimit-limit'], '5');
  let now = 0;
  const limit = makeRateLimit(
    5,
    makeCounters(() => now),
  );
  for (let turn = 0; turn < 5; turn++) await limit('a');
  await assert.rejects(limit('a'));
  await limit('b');
  now += 200;
  await limit('a');
  await assert.rejects(limit('a'));
});
