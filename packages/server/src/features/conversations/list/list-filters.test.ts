import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { newId } from '../../../lib/ids.ts';

const testing = await testApp();
const { call, workspace, query } = testing;

const own = await workspace();
const as = async (method: string, path: string, body?: unknown, key = own.key) => {
  const answer = await call(method, path, body, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const start = async (name: string, search = '') => (await as('POST', `/v1/conversations${search}`, { name })).id;
const agent = await as('POST', '/v1/agents', { name: 'Support' });
const deployment = await as('POST', `/v1/agents/${agent.id}/deployments`, { channel: 'webhook' });
const [plain, slack, locked, rated] = [
  await start('Plain'),
  await start('beta order', `?assistant_id=${agent.id}`),
  await start('Alpha ORDER'),
  await start('100%'),
];
const topic = newId();
await query("update conversations set chat_transport = 'slack', deployment_id = $2 where id = $1", [
  slack,
  deployment.id,
]);
await as('POST', `/v1/conversations/${locked}/lock`, {});
await as('POST', `/v1/conversations/${rated}/feedback`, { rating: 'down' });
await query(
  `with topic as (
     insert into topics (workspace_id, id, agent_id, short, medium, long, named, size, weights)
     values ($1, $2, $3, 't', 't', 't', true, 1, '{}'))
   insert into conversation_topics (workspace_id, conversation_id, topic_id, agent_id, day, words)
   values ($1, $4, $2, $3, now(), '{}')`,
  [own.id, topic, agent.id, plain],
);

const list = async (search: string, key = own.key) =>
  as('GET', `/v1/conversations?include_empty=true&${search}`, undefined, key);
const idsOf = async (search: string) => (await list(search)).items.map(({ id }: { id: string }) => id);

test('a list keeps to each of its filters', async () => {
  assert.deepEqual(await idsOf('channel=slack'), [slack]);
  assert.deepEqual(await idsOf(`deployment_id=${deployment.id}`), [slack]);
  assert.deepEqual(await idsOf(`assistant_version_id=${agent.version_id}`), [slack]);
  assert.deepEqual(await idsOf('locked=true'), [locked]);
  assert.equal((await idsOf('locked=false')).length, 3);
  assert.deepEqual(await idsOf('rating=down'), [rated]);
  assert.deepEqual(await idsOf('rating=up'), []);
  assert.deepEqual(await idsOf(`topic_id=${topic}`), [plain]);
  assert.deepEqual(await idsOf(`topic_id=${newId()}`), []);
  assert.deepEqual(await idsOf('search=order&locked=true'), [locked]);
  assert.deepEqual(await idsOf('search=0%25'), [rated]);
  assert.deepEqual(await idsOf('search=_'), []);
});

test('a list is sorted by name in any case, page by page', async () => {
  const names = async (search: string) => (await list(search)).items.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names('sort=name'), ['100%', 'Alpha ORDER', 'beta order', 'Plain']);
  assert.deepEqual(await names('sort=-name&size=2&page=2'), ['Alpha ORDER', '100%']);
  assert.deepEqual(await names('sort=created_at&view=summary'), ['Plain', 'beta order', 'Alpha ORDER', '100%']);
});

test('facets name the tags in use and count them', async () => {
  await as('PATCH', `/v1/conversations/${plain}`, { tags: ['refund', 'late'] });
  await as('PATCH', `/v1/conversations/${slack}`, { tags: ['refund'] });
  const refund = { value: 'refund', count: 2 };
  assert.deepEqual((await list('facets=true&size=1')).facets.tag, [refund, { value: 'late', count: 1 }]);
  assert.deepEqual((await list('facets=true&channel=slack')).facets.tag, [{ value: 'refund', count: 1 }]);
  for (const id of [plain, slack]) await as('PATCH', `/v1/conversations/${id}`, { tags: [] });
});

test('facets count the matching conversations by status, channel, agent and lock', async () => {
  const { facets } = await list('facets=true&size=1');
  assert.deepEqual(facets, {
    tag: [],
    status: [{ value: 'queued', count: 4 }],
    channel: [
      { value: null, count: 3 },
      { value: 'slack', count: 1 },
    ],
    assistant_id: [
      { value: null, count: 3 },
      { value: agent.id, count: 1 },
    ],
    locked: [
      { value: 'false', count: 3 },
      { value: 'true', count: 1 },
    ],
  });
  assert.deepEqual((await list('facets=true&view=summary&locked=true')).facets.locked, [{ value: 'true', count: 1 }]);
  assert.equal((await list('')).facets, undefined);
});

test('a key of another workspace, and one without the permission, learn nothing by filters', async () => {
  const other = await workspace();
  for (const search of ['channel=slack', `deployment_id=${deployment.id}`, 'rating=down', `topic_id=${topic}`]) {
    const { items, total } = await list(search, other.key);
    assert.deepEqual([items, total], [[], 0]);
  }
  const { json } = await call('POST', `/v1/admin/groups/${own.id}/api-keys`, {
    name: 'weak',
    permissions: ['agents_run'],
  });
  for (const search of ['rating=down', `topic_id=${topic}`]) {
    const answer = await call('GET', `/v1/conversations?${search}`, undefined, { key: json.value });
    assert.equal(answer.status, 403, answer.text);
  }
});
