import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../src/lib/ids.ts';
import { testApp } from '../support/test-app.ts';
import { makePlace } from '../walk/walk-fixtures.ts';

const testing = await testApp({ web_allow: ['127.0.0.1'] });
const place = await makePlace(testing);
const { workspace } = testing;

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

const list = async (path: string, key = place.system_key): Promise<Json> => {
  const answer = await testing.call('GET', path, undefined, { key });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.json;
};
const counts = (facet: { value: string | null; count: number }[] = []) =>
  Object.fromEntries(facet.map(({ value, count }) => [value, count]));

const [run_id, conversation_id] = [await place.record('run'), newId()];
await place.record('workflow_run');
await place.record('approval');
const agent_id = await place.record('agent');
const evaluation_id = await place.record('evaluation');
for (const [tool, outcome] of [
  ['clock_now', 'ok'],
  ['clock_now', 'error'],
  ['web_search', 'ok'],
])
  await testing.query(
    `insert into tool_calls (workspace_id, id, conversation_id, run_id, step, call_id, tool, actor_kind, actor_id, input_hash,
       outcome, ms, cost) values ($1, $2, $3, $4, 1, 'c', $5, 'api_key', 'a', 'h', $6, 1, 0)`,
    [place.workspace_id, newId(), conversation_id, run_id, tool, outcome],
  );

test('facets of tool calls count tools and outcomes within the filters', async () => {
  const { facets } = await list(`/v1/tool-calls?facets=true&size=1&conversation_id=${conversation_id}`);
  assert.deepEqual(
    [counts(facets.tool), counts(facets.outcome)],
    [
      { clock_now: 2, web_search: 1 },
      { ok: 2, error: 1 },
    ],
  );
  const { facets: failed } = await list(`/v1/tool-calls?facets=true&outcome=error&conversation_id=${conversation_id}`);
  assert.deepEqual(counts(failed.tool), { clock_now: 1 });
});

test('facets of runs add up both kinds, and keep to the filters', async () => {
  const { facets, total } = await list('/v1/runs?facets=true&size=1');
  const { conversation, workflow } = counts(facets.kind) as Record<string, number>;
  assert.equal((conversation ?? 0) + (workflow ?? 0), total);
  assert.ok(conversation && workflow, JSON.stringify(facets));
  const { facets: flows, total: all } = await list('/v1/runs?facets=true&kind=workflow');
  assert.deepEqual([counts(flows.kind), flows.assistant_id], [{ workflow: all }, undefined]);
});

test('facets of approvals count kinds, statuses and tools', async () => {
  const { facets, total } = await list('/v1/approvals?facets=true&status=all&size=1');
  const sum = (facet: object) => Object.values(facet).reduce((all: number, count) => all + Number(count), 0);
  for (const field of ['kind', 'status', 'tool']) assert.equal(sum(counts(facets[field])), total, field);
  assert.ok(total > 0);
});

test('facets of agents and evaluations count their entries', async () => {
  const agents = await list('/v1/agents?facets=true&size=1');
  assert.deepEqual(Object.keys(agents.facets), ['visible', 'allow_public_access', 'has_draft']);
  const evaluations = await list('/v1/evaluations?facets=true');
  const ofAgent = evaluations.items.find(({ id }: { id: string }) => id === evaluation_id).agent_id;
  assert.ok(Number(counts(evaluations.facets.agent_id)[ofAgent]) > 0);
  const { facets } = await list(`/v1/evaluations?facets=true&agent_id=${agent_id}&search=no%20such`);
  assert.deepEqual(facets, { agent_id: [] });
});

test('facets are left out unless asked for, and count nothing of another workspace', async () => {
  const permissions = ['agents_run', 'flows_run', 'audit_read', 'insights_read'];
  const other = await workspace(permissions);
  for (const path of ['/v1/agents', '/v1/runs', '/v1/tool-calls', '/v1/approvals', '/v1/evaluations']) {
    assert.equal((await list(path)).facets, undefined, path);
    const { facets } = await list(`${path}?facets=true`, other.key);
    assert.deepEqual(Object.values(facets).flat(), [], path);
  }
});

test('a key that may not run workflows has no workflow runs in its facets', async () => {
  const { json } = await testing.call(
    'POST',
    `/v1/admin/groups/${place.workspace_id}/api-keys`,
    {
      ...{ name: 'weak', permissions: ['agents_run', 'conversations_read'] },
    },
    { key: place.system_key },
  );
  const { facets } = await list('/v1/runs?facets=true', json.value);
  assert.deepEqual(Object.keys(counts(facets.kind)), ['conversation']);
});
