import assert from 'node:assert/strict';
import { test } from 'node:test';
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
const calling = (name: string, input: object) => ({ tool_calls: [{ id: 'c', name, input }] });
const asking = (title: string) => calling(`coworker_${title}`, { message: 'What time is it?' });

/** An agent whose model calls one tool. */
async function anAgent(name: string, reply: object, definition: object) {
  const { name: account } = await app.provider(reply, { text: 'Done' });
  const own = { model: [`${account}/one`], pii_anonimization: [], max_retries_per_model: 0, ...definition };
  return (await done('POST', '/v1/agents', { name, definition: own })).id as string;
}
const clock = (fields: object = {}) => ({ tools: [{ type: 'clock', requires_approval: true, ...fields }] });
const aClock = (name: string, fields?: object) => anAgent(name, calling('clock_now', {}), clock(fields));

interface Asked {
  id: string;
  conversation_id: string;
  waiting_for: { people: { id: string }[]; named: boolean; administrators: boolean };
}
/** Says something to an agent, and what the agent that it asks wants to do then. */
async function askedBy(agent: string, by: By, settings: object = {}) {
  const { id } = await done('POST', `/v1/conversations?assistant_id=${agent}`, { settings }, by);
  await call('POST', `/v1/conversations/${id}/chat`, { content: 'Go' }, by);
  const seen = new Set(known);
  const asked: Asked = await until('an approval waits', async () =>
    (await done('GET', '/v1/approvals')).items.find((item: Asked) => !seen.has(item.id)),
  );
  known.add(asked.id);
  const at = `/v1/conversations/${asked.conversation_id}/approvals/${asked.id}`;
  const decide = (decider: By) => outcome(call('POST', at, { decision: 'approve' }, decider));
  return { ...asked, people: asked.waiting_for.people.map((person) => person.id), decide };
}
const known = new Set<string>();

test('those who are named for a co-worker decide about what it asks, through others too', async () => {
  const low = await aClock('Low');
  const middle = await anAgent('Middle', asking('Low'), { coworkers: [low] });
  const top = await anAgent('Top', asking('Middle'), { coworkers: [{ id: middle, approvers: [cy.id] }] });
  const { people, decide, waiting_for } = await askedBy(top, as(bo.cookie));
  assert.deepEqual([people, waiting_for.named], [[cy.id], true]);
  const key = await makeAccountKey(app, home, ['workspace_admin']);
  for (const other of [as(bo.cookie), as(admin.cookie), { key: key.value }])
    assert.match(String(await decide(other)), /403 not_an_approver|404 not_found/);
  const stranger = await app.workspace();
  assert.equal(await decide({ key: stranger.key }), '404 not_found');
  assert.equal(await decide(as(cy.cookie)), 200);
});

test('those whom an agent names for a tool decide about it in the runs that the agent starts', async () => {
  const helper = await aClock('Helper', { approvers: [admin.id] });
  const named = { tools: [{ type: 'clock', approvers: [cy.id] }], coworkers: [helper] };
  const { people } = await askedBy(await anAgent('Boss', asking('Helper'), named), as(bo.cookie));
  assert.deepEqual(people.toSorted(), [admin.id, cy.id].toSorted(), 'beside those whom the helper names');
  const second = await aClock('Second', { approvers: [admin.id] });
  const other = { tools: [{ type: 'web_research', approvers: [cy.id] }], coworkers: [second] };
  const elsewhere = await askedBy(await anAgent('Chief', asking('Second'), other), as(bo.cookie));
  assert.deepEqual(elsewhere.people, [admin.id], 'not about other tools');
});

test('a caller who names itself for a co-worker does not decide about what it asks', async () => {
  const helper = await aClock('Clerk');
  const boss = await anAgent('Lead', asking('Clerk'), { coworkers: [{ id: helper }] });
  const settings = { coworkers: [{ id: helper, approvers: [bo.id, cy.id] }] };
  const { people, decide } = await askedBy(boss, as(bo.cookie), settings);
  assert.deepEqual(people, [cy.id]);
  assert.match(String(await decide(as(bo.cookie))), /403 four_eyes/);
  assert.equal(await decide(as(cy.cookie)), 200);
});

test('administrators stand in when nobody above is active', async () => {
  const gone = await aMember('Reader');
  const helper = await aClock('Aide');
  const boss = await anAgent('Head', asking('Aide'), { coworkers: [{ id: helper, approvers: [gone.id] }] });
  await done('PATCH', `/v1/admin/users/${gone.id}`, { active: false });
  const { waiting_for, people } = await askedBy(boss, as(bo.cookie));
  assert.deepEqual([people, waiting_for.named, waiting_for.administrators], [[admin.id], true, true]);
});

test('those who are named for a workflow decide about its steps', async () => {
  const workflow = await done('POST', '/v1/workflows', {
    name: 'Refunds',
    definition: {
      nodes: [aNode('in', 'InputNode', { label: 'n' }), aNode('ask', 'ApprovalNode', { question: '?' })],
      edges: [anEdge('in.output -> ask.value')],
    },
  });
  const agent = await anAgent('Desk', calling('workflow_refunds', { n: '1' }), {
    workflows: [{ id: workflow.id, approvers: [cy.id] }],
  });
  const { id } = await done('POST', `/v1/conversations?assistant_id=${agent}`, {}, as(bo.cookie));
  void call('POST', `/v1/conversations/${id}/chat`, { content: 'Go' }, as(bo.cookie));
  const asked: Asked & { run_id: string } = await until('the step asks', async () =>
    (await done('GET', '/v1/approvals?kind=workflow')).items.at(0),
  );
  assert.deepEqual(
    asked.waiting_for.people.map((person) => person.id),
    [cy.id],
  );
  const decide = (by: By) =>
    outcome(call('POST', `/v1/runs/${asked.run_id}/approvals/${asked.id}`, { decision: 'approve' }, by));
  assert.equal(await decide(as(admin.cookie)), '403 not_an_approver');
  assert.equal(await decide(as(cy.cookie)), 200);
});
