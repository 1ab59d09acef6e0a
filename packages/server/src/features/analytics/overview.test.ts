import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../insights/testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 8 });
const { server, name } = await app.provider();
const definition = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const newAgent = async (title: string) => (await app.call('POST', '/v1/agents', { name: title, definition })).json.id;
const [one, two] = [await newAgent('One'), await newAgent('Two')];
for (const agent of [one, one, two]) {
  server.reply({ text: 'Yes', usage: { input: 100, output: 10 } });
  await app.say(await app.converse({}, `?assistant_id=${agent}`));
}
const hour = 3_600_000;
const from = Math.floor(Date.now() / hour) * hour;
const range = (start: number, end: number) =>
  `time_start=${new Date(start).toISOString()}&time_end=${new Date(end).toISOString()}`;
const asked = async (query: string, key?: string): Promise<Json> => {
  for (;;) {
    const { status, json, text } = await app.call('GET', `/v1/analytics?${query}`, undefined, key ? { key } : {});
    if (status === 200) return json;
    // A workspace has five requests a second.
    assert.equal(status, 429, text);
    await sleep(100);
  }
};
const here = range(from - hour, from + 2 * hour);
await until(
  () => asked(`metrics=tokens&${here}`),
  ({ metrics }) => metrics[0].value === 330,
);

test('several metrics come in one request, each with the figure of the period before', async () => {
  const { metrics } = await asked(`metrics=conversations,messages,tokens,failures,csat&${here}`);
  assert.deepEqual(
    metrics.map(({ metric, value }: Json) => [metric, value]),
    [
      ['conversations', 3],
      ['messages', 6],
      ['tokens', 330],
      ['failures', null],
      ['csat', null],
    ],
  );
  // In the range after this one, what happened now happened before.
  const later = await asked(`metrics=conversations,tokens&${range(from + 2 * hour, from + 5 * hour)}`);
  assert.deepEqual(
    later.metrics.map(({ value, before }: Json) => [value, before]),
    [
      [null, 3],
      [null, 330],
    ],
  );
  assert.equal((await app.call('GET', `/v1/analytics?metrics=nonsense&${here}`)).status, 422);
});

test('each figure gives the filter that lists just its conversations', async () => {
  const { metrics, conversations } = await asked(`metrics=conversations&group_by=agent&${here}`);
  const listed = async (filter: Json) => {
    const query = new URLSearchParams(filter).toString();
    const { status, json, text } = await app.call('GET', `/v1/conversations?${query}`);
    assert.equal(status, 200, text);
    return json;
  };
  assert.equal((await listed(conversations)).total, metrics[0].value);
  assert.deepEqual(
    metrics[0].groups.map(({ label, value }: Json) => [label, value]),
    [
      ['One', 2],
      ['Two', 1],
    ],
  );
  for (const group of metrics[0].groups) {
    const { total, items } = await listed(group.conversations);
    assert.equal(total, group.value, group.label);
    assert.ok(items.every(({ assistant_id }: Json) => assistant_id === group.id));
  }
  const versions = (await asked(`metrics=conversations&group_by=version&${here}`)).metrics[0].groups;
  for (const group of versions) assert.equal((await listed(group.conversations)).total, group.value, group.label);
});

test('figures by channel, topic and tool lead to exactly the conversations and calls that they count', async () => {
  const tools = [{ type: 'clock' }];
  const agent = (await app.call('POST', '/v1/agents', { name: 'Three', definition: { ...definition, tools } })).json.id;
  const talks: string[] = [];
  for (const calls of [2, 1, 0]) {
    const talk = await app.converse({}, `?assistant_id=${agent}`);
    talks.push(talk);
    const clock = (_: unknown, at: number) => ({ id: `c${at}`, name: 'clock_now', input: {} });
    if (calls) server.reply({ tool_calls: Array.from({ length: calls }, clock) });
    server.reply({ text: 'Yes', usage: { input: 100, output: 10 } });
    await app.say(talk);
  }
  await app.query("update conversations set chat_transport = 'slack' where id = any($1)", [talks.slice(0, 2)]);
  const topic = '01a1e000-0000-7000-8000-000000000001';
  await app.query(
    `with made as (insert into topics (workspace_id, id, agent_id, short, medium, long, weights, size, named)
       select workspace_id, $1, id, 'Refunds', 'Refunds', 'Refunds', '{}', 1, true from agents where id = $2
       returning workspace_id)
     select from made`,
    [topic, agent],
  );
  await app.query(
    `insert into conversation_topics (workspace_id, conversation_id, topic_id, agent_id, day, words)
     select workspace_id, id, $1, $2, now(), '{}' from conversations where id = $3`,
    [topic, agent, talks[2]],
  );
  const groupsBy = async (metric: string, group: string): Promise<Json[]> =>
    (await asked(`metrics=${metric}&group_by=${group}&agent_id=${agent}&${here}`)).metrics[0].groups;
  const listed = async (path: string, filter: Json) =>
    (await app.call('GET', `${path}?${new URLSearchParams(filter)}`)).json;
  const channels = await groupsBy('conversations', 'channel');
  assert.deepEqual(
    channels.map(({ id, value }) => [id, value]),
    [
      ['slack', 2],
      [null, 1],
    ],
  );
  const slack = await listed('/v1/conversations', channels[0].conversations);
  assert.deepEqual(slack.items.map(({ id }: Json) => id).sort(), talks.slice(0, 2).sort());
  const [refunds] = await groupsBy('conversations', 'topic');
  assert.deepEqual([refunds.id, refunds.label, refunds.value], [topic, 'Refunds', 1]);
  const about = await listed('/v1/conversations', refunds.conversations);
  assert.deepEqual([about.total, about.items[0].id], [1, talks[2]]);
  const [clock] = await groupsBy('tool_calls', 'tool');
  assert.deepEqual([clock.label, clock.value, clock.conversations], ['clock_now', 3, null]);
  assert.equal((await listed('/v1/tool-calls', clock.tool_calls)).total, 3);
  const tokens = await until(
    () => groupsBy('tokens', 'channel'),
    ([first]) => first.value >= 220,
  );
  assert.equal(tokens.length, 2);
  const { key } = await app.workspace();
  const statusOf = async (query: string) =>
    (await app.call('GET', `/v1/analytics?${query}`, undefined, { key })).status;
  for (const query of ['metrics=csat&group_by=topic', 'metrics=runs&group_by=tool'])
    assert.equal(await statusOf(`${query}&${here}`), 422, query);
  const old = range(from - 100 * 24 * hour, from);
  assert.equal(await statusOf(`metrics=runs&group_by=topic&${old}`), 422);
  assert.deepEqual((await asked(`metrics=tool_calls&group_by=tool&${here}`, key)).metrics[0].groups, []);
});

test('refuses a range whose period before would begin before the year 1', async () => {
  const range = 'time_start=0001-01-01T00:00:00Z&time_end=9999-12-31T00:00:00Z';
  // A workspace of its own, because one has five requests a second.
  const { key } = await app.workspace();
  const { status, json } = await app.call('GET', `/v1/analytics?metrics=conversations&${range}`, undefined, { key });
  assert.deepEqual([status, json.detail[0].loc], [422, ['query', 'time_start']]);
});

test('another workspace has figures of its own, and a key without insights_read none', async () => {
  const { key } = await app.workspace();
  assert.equal((await asked(`metrics=conversations&${here}`, key)).metrics[0].value, null);
  const { key: weak } = await app.workspace(['agents_run']);
  const refused = await app.call('GET', `/v1/analytics?metrics=conversations&${here}`, undefined, { key: weak });
  assert.equal(refused.status, 403);
});
