import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'] });
const { call } = app;
const { home, aMember } = await makePeopleIn(app);
type By = Parameters<typeof call>[3];
const [admin, bo, cy] = [await aMember('Admin'), await aMember('Reader'), await aMember('Reader')];

async function done(method: string, path: string, body?: object, by?: By) {
  const answer = await call(method, path, body, by);
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}
const outcome = async (answer: ReturnType<typeof call>) => {
  const { status, json } = await answer;
  return status === 200 ? 200 : `${status} ${json.code}`;
};
const clock = (fields: object = {}) => ({
  ...{ model: ['atrium/extractive'], pii_anonimization: [] },
  tools: [{ type: 'clock', requires_approval: true, ...fields }],
});
const anAgent = async (definition: object) =>
  (await done('POST', '/v1/agents', { name: 'Clock', definition })).id as string;
async function ask(agent: string, by: By) {
  const { id } = await done('POST', `/v1/conversations?assistant_id=${agent}`, {}, by);
  await done('POST', `/v1/conversations/${id}`, { content: '{}', tool: 'clock_now' }, by);
  const [{ id: approval }] = (await done('GET', `/v1/conversations/${id}/approvals`, undefined, by)).items;
  const at = `/v1/conversations/${id}/approvals/${approval}`;
  const decide = (decision: string, decider: By, more: object = {}) =>
    outcome(call('POST', at, { decision, ...more }, decider));
  return { id, approval: approval as string, decide };
}

test('the caller who asked takes a request back, also with four eyes, and the run goes on with a refusal', async () => {
  const { server, name } = await app.provider(
    { tool_calls: [{ id: 'c', name: 'clock_now', input: {} }] },
    { text: 'Ok' },
  );
  const settings = { ...clock({ four_eyes: true }), model: [`${name}/one`], max_retries_per_model: 0 };
  const { id } = await done('POST', `/v1/conversations?assistant_id=${await anAgent(settings)}`, {}, as(bo.cookie));
  await done('POST', `/v1/conversations/${id}/chat`, { content: 'Time?' }, as(bo.cookie));
  const [{ id: approval }] = (await done('GET', `/v1/conversations/${id}/approvals`, undefined, as(bo.cookie))).items;
  const at = `/v1/conversations/${id}/approvals/${approval}`;
  const withdraw = (by: By, more: object = {}) => outcome(call('POST', at, { decision: 'withdraw', ...more }, by));
  const stranger = await app.workspace();
  const weak = await makeAccountKey(app, home, ['agents_run', 'conversations_read']);
  assert.deepEqual(
    [await withdraw(as(admin.cookie)), await withdraw({ key: weak.value }), await withdraw({ key: stranger.key })],
    ['403 not_the_asker', '403 not_the_asker', '404 not_found'],
  );
  assert.equal(await withdraw(as(bo.cookie), { scope: 'tool' }), '422 undefined');
  assert.equal(await withdraw(as(bo.cookie), { note: 'Not needed' }), 200);
  await until('the run ends', async () => (await done('GET', `/v1/conversations/${id}`)).status === 'completed');
  const told = JSON.stringify(server.requests.map(({ body }) => body));
  assert.match(told, /Whoever asked for this call withdrew the request, so it was not made\. They said: Not needed/);
  const [item] = (await done('GET', `/v1/approvals?status=withdrawn&conversation_id=${id}`)).items;
  assert.deepEqual([item.id, item.decided_by_actor.id], [approval, bo.id]);
  assert.equal(await withdraw(as(bo.cookie)), '409 approval_answered');
});

test('the caller who started a workflow takes back what a step asks', async () => {
  const nodes = [
    aNode('in', 'InputNode', { label: 'n' }),
    aNode('ask', 'ApprovalNode', { question: '?', four_eyes: true }),
    aNode('out', 'OutputNode', { label: 'refused' }),
  ];
  const edges = [anEdge('in.output -> ask.value'), anEdge('ask.rejected -> out.input')];
  const { id: flow } = await done('POST', '/v1/workflows', { name: 'Refunds', definition: { nodes, edges } });
  const { id: run } = await done('POST', `/v1/workflows/${flow}/runs/sync`, { input: { n: 1 } }, as(bo.cookie));
  const at = `/v1/runs/${run}/approvals`;
  const [{ id }] = await until('the step asks', async () => {
    const found = await done('GET', at, undefined, as(bo.cookie));
    return found.length > 0 && found;
  });
  const withdraw = (by: By) => outcome(call('POST', `${at}/${id}`, { decision: 'withdraw' }, by));
  assert.deepEqual(
    [await withdraw(as(admin.cookie)), await withdraw(as(cy.cookie))],
    Array(2).fill('403 not_the_asker'),
  );
  assert.equal(await withdraw(as(bo.cookie)), 200);
  const ended = await until('the run ends', async () => {
    const now = await done('GET', `/v1/runs/${run}`);
    return now.finished_at && now;
  });
  assert.equal(ended.status, 'completed');
  assert.match(JSON.stringify(ended.output), /refused/);
  const [item] = (await done('GET', '/v1/approvals?status=withdrawn&kind=workflow')).items;
  assert.deepEqual([item.id, item.note], [id, 'Withdrawn by the caller who asked']);
});

test('lists only requests that name the caller or a group of theirs', async () => {
  const { id: group } = await done('POST', '/v1/admin/user-groups', { name: 'Deciders' });
  const { json: roles } = await call('GET', '/v1/admin/roles');
  const role_id = roles.find(({ name }: { name: string }) => name === 'Reader').id;
  await done('PUT', `/v1/admin/groups/${home}/member-groups/${group}`, { role_id });
  await call('PUT', `/v1/admin/user-groups/${group}/members/${cy.id}`);
  const own = await ask(await anAgent(clock({ approvers: [cy.id] })), as(bo.cookie));
  const ofGroup = await ask(await anAgent(clock({ approver_groups: [group] })), as(bo.cookie));
  const open = await ask(await anAgent(clock()), as(cy.cookie));
  const idsFor = async (by: By, query = '') =>
    (await done('GET', `/v1/approvals?status=pending${query}`, undefined, by)).items.map(
      ({ id }: { id: string }) => id,
    );
  assert.deepEqual(
    await idsFor(as(cy.cookie)),
    [open, ofGroup, own].map(({ approval }) => approval),
  );
  assert.deepEqual(
    await idsFor(as(cy.cookie), '&named=me'),
    [ofGroup, own].map(({ approval }) => approval),
  );
  assert.deepEqual(await idsFor(as(admin.cookie), '&named=me'), [], 'an administrator who is not named');
  assert.deepEqual(await idsFor({}, '&named=me'), [], 'a key is nobody who is named');
  assert.equal((await call('GET', '/v1/approvals?named=them')).status, 422);
});

test('reads the inbox with as many statements for twenty requests as for one', async () => {
  const agent = await anAgent(clock({ approvers: [cy.id], four_eyes: true }));
  const { query: original } = pg.Client.prototype;
  async function countStatements(by: By) {
    let count = 0;
    pg.Client.prototype.query = new Proxy(original, {
      apply(target, client, given) {
        count += 1;
        return Reflect.apply(target, client, given);
      },
    });
    try {
      const { items } = await done('GET', '/v1/approvals?size=100', undefined, by);
      return { count, items: items.length as number };
    } finally {
      pg.Client.prototype.query = original;
    }
  }
  /** The fewest of several: work in the background adds statements of its own. */
  async function statementsFor(by: By) {
    const counts = [];
    for (let looks = 0; looks < 6; looks++) counts.push(await countStatements(by));
    return counts.reduce((fewest, one) => (one.count < fewest.count ? one : fewest));
  }
  await ask(agent, as(bo.cookie));
  await statementsFor(as(cy.cookie));
  const one = await statementsFor(as(cy.cookie));
  for (let made = 0; made < 20; made++) await ask(agent, as(bo.cookie));
  const many = await statementsFor(as(cy.cookie));
  assert.equal(many.items, one.items + 20);
  assert.ok(one.count > 0 && many.count <= one.count + 2, `${one.count} for one, ${many.count} for ${many.items}`);
});
