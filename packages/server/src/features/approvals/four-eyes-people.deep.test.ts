import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await testApp({ roles: ['http', 'worker'] });
const { call } = app;
const { home, aMember } = await makePeopleIn(app);
type Caller = { key: string | null; headers?: Record<string, string> };
const keyOf = async (by: Caller, body: object = {}) => {
  const made = await call('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'k', ...body }, by);
  assert.equal(made.status, 200, made.text);
  return { id: made.json.id as string, value: made.json.value as string };
};
const tools = [{ type: 'clock', requires_approval: true }];
const definition = { model: ['atrium/extractive'], tools, four_eyes: true, pii_anonimization: [] };
const { json: agent } = await call('POST', '/v1/agents', { name: 'Ada', definition });
const { json: flow } = await call('POST', '/v1/workflows', {
  name: 'A flow',
  definition: {
    nodes: [
      aNode('in', 'InputNode', { label: 'n' }),
      aNode('ask', 'ApprovalNode', { question: '?', wait_seconds: 900, four_eyes: true }),
    ],
    edges: [anEdge('in.output -> ask.value')],
  },
});

/** Has a caller start what waits for an approval. Returns what decides it for another caller. */
const starts: Record<string, (by: Caller) => Promise<(decider: Caller) => Promise<number>>> = {
  async conversation(by) {
    const { json: talk } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, {}, by);
    const at = `/v1/conversations/${talk.id}`;
    const said = await call('POST', at, { content: 'Now', tool: 'clock_now' }, by);
    assert.equal(said.json.status, 'awaiting_human_feedback', said.text);
    const [asked] = (await call('GET', `${at}/approvals`)).json.items;
    return async (decider) => {
      const answer = await call('POST', `${at}/approvals/${asked.id}`, { decision: 'approve' }, decider);
      return answer.json.code === 'four_eyes' ? 403 : answer.status;
    };
  },
  workflow: async (by) => {
    const { json: run } = await call('POST', `/v1/workflows/${flow.id}/runs/sync`, { input: { n: 'x' } }, by);
    return decideRun(run.id);
  },
};

async function decideRun(id: string) {
  const [asked] = await until('somebody is asked', async () => {
    const { json } = await call('GET', `/v1/runs/${id}/approvals`);
    return json.length ? json : undefined;
  });
  return async (decider: Caller) => {
    const answer = await call('POST', `/v1/runs/${id}/approvals/${asked.id}`, { decision: 'approve' }, decider);
    return answer.json.code === 'four_eyes' ? 403 : answer.status;
  };
}

for (const [kind, start] of Object.entries(starts))
  suite(`four_eyes by person in a ${kind}`, () => {
    test('two keys of a person, and a session and a key of a person, are one person', async () => {
      const [person, other] = [await aMember('Admin'), await aMember('Admin')];
      const [one, two] = [await keyOf(as(person.cookie)), await keyOf(as(person.cookie))];
      const byKey = await start({ key: one.value });
      assert.equal(await byKey({ key: two.value }), 403);
      assert.equal(await byKey(as(person.cookie)), 403);
      assert.equal(await byKey(as(other.cookie)), 200);
      const bySession = await start(as(person.cookie));
      assert.equal(await bySession({ key: one.value }), 403);
      assert.equal(await bySession({ key: (await keyOf({ key: one.value })).value }), 403, 'a key that a key made');
      assert.equal(await bySession({ key: (await keyOf(as(other.cookie))).value }), 200);
    });

    test('keys of one service account are one, and those of two are two', async () => {
      const first = await makeAccountKey(app, home, ['agents_run', 'flows_run', 'flows_edit']);
      const second = await keyOf({ key: app.admin }, { service_account_id: first.owner.id });
      const other = await makeAccountKey(app, home, ['agents_run', 'flows_run', 'flows_edit']);
      const decide = await start({ key: first.value });
      assert.equal(await decide({ key: second.value }), 403);
      assert.equal(await decide({ key: other.value }), 200);
    });

    test('a person who made or rotated the key of a service account, or handed a key over, is not a second person', async () => {
      const person = await aMember('Admin');
      const account = (await makeAccountKey(app, home, ['workspace_admin'])).owner;
      const made = await keyOf(as(person.cookie), { service_account_id: account.id });
      assert.equal(await (await start(as(person.cookie)))({ key: made.value }), 403, 'made');
      const keys = `/v1/admin/groups/${home}/api-keys`;
      const { id } = await keyOf({ key: app.admin }, { service_account_id: account.id });
      const rotated = (await call('POST', `${keys}/${id}/rotate`, {}, as(person.cookie))).json.value;
      assert.equal(await (await start(as(person.cookie)))({ key: rotated }), 403, 'rotated');
      const own = await keyOf(as(person.cookie));
      const owner = { service_account_id: account.id };
      assert.equal((await call('PATCH', `${keys}/${own.id}`, { owner }, as(person.cookie))).status, 200);
      assert.equal(await (await start(as(person.cookie)))({ key: own.value }), 403, 'handed over');
      const further = await keyOf({ key: made.value });
      assert.equal(await (await start(as(person.cookie)))({ key: further.value }), 403, 'made with a key that it made');
    });
  });

test('a trigger that a person owns is that person', async () => {
  const [person, other] = [await aMember('Admin'), await aMember('Admin')];
  const key = await keyOf(as(person.cookie));
  const body = { definition: { type: 'webhook' } };
  const { json: trigger } = await call('POST', `/v1/workflows/${flow.id}/triggers`, body, { key: key.value });
  const { json: fired } = await call('POST', `/v1/triggers/${trigger.id}/fire`, { input: { n: 'x' } });
  const decide = await decideRun(fired.id);
  assert.equal(await decide(as(person.cookie)), 403);
  assert.equal(await decide(as(other.cookie)), 200);
});
