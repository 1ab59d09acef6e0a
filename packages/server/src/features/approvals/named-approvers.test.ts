import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'] });
const { call } = app;
const { home, aMember } = await makePeopleIn(app);
type Member = Awaited<ReturnType<typeof aMember>>;
type By = Parameters<typeof call>[3];

async function done(method: string, path: string, body?: object, by?: By) {
  const answer = await call(method, path, body, by);
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}
const outcome = async (answer: ReturnType<typeof call>) => {
  const { status, json } = await answer;
  return status === 200 ? 200 : `${status} ${json.code}`;
};
const clock = (fields: object) => ({
  ...{ model: ['atrium/extractive'], pii_anonimization: [] },
  tools: [{ type: 'clock', requires_approval: true, ...fields }],
});
const anAgent = async (fields: object, more: object = {}) =>
  (await done('POST', '/v1/agents', { name: 'Clock', definition: { ...clock(fields), ...more } })).id as string;

/** A chat of a caller whose agent wants to call a tool that waits. */
async function ask(agent: string, by: By, settings: object = {}, tool = 'clock_now', content = '{}') {
  const { id } = await done('POST', `/v1/conversations?assistant_id=${agent}`, { settings }, by);
  const said = await done('POST', `/v1/conversations/${id}`, { content, tool }, by);
  assert.equal(said.status, 'awaiting_human_feedback');
  const [{ id: approval }] = (await done('GET', `/v1/conversations/${id}/approvals`, undefined, by)).items;
  const decide = (decider: By) =>
    outcome(call('POST', `/v1/conversations/${id}/approvals/${approval}`, { decision: 'approve' }, decider));
  return { id, approval: approval as string, decide };
}
const inbox = async (by: By): Promise<{ id: string; [field: string]: unknown }[]> =>
  (await done('GET', '/v1/approvals', undefined, by)).items;
const inInbox = async (by: By, id: string) => (await inbox(by)).find((item) => item.id === id);
/** What the inbox of a caller says of who decides. */
async function standing(by: By, id: string) {
  const item = await inInbox(by, id);
  if (!item) return 'not listed';
  const { people, named, administrators } = item['waiting_for'] as {
    people: { id: string }[];
    named: boolean;
    administrators: boolean;
  };
  return { people: people.map((one) => one.id), named, administrators, may_decide: item['may_decide'] };
}
const isTold = async ({ cookie }: Member, approval: string) =>
  (await done('GET', '/v1/me/notifications', undefined, as(cookie))).items.some(
    ({ kind, target }: { kind: string; target: { id: string } }) => kind === 'approval_asked' && target.id === approval,
  );
const aGroup = async (...people: Member[]) => {
  const { id } = await done('POST', '/v1/admin/user-groups', { name: crypto.randomUUID() });
  const { json: roles } = await call('GET', '/v1/admin/roles');
  const role_id = roles.find(({ name }: { name: string }) => name === 'Reader').id;
  await done('PUT', `/v1/admin/groups/${home}/member-groups/${id}`, { role_id });
  for (const person of people) await call('PUT', `/v1/admin/user-groups/${id}/members/${person.id}`);
  return id as string;
};

const [admin, bo, cy] = [await aMember('Admin'), await aMember('Reader'), await aMember('Reader')];

suite('who decides', () => {
  test('four_eyes lists a request with all who may decide, tells them, and says who asked', async () => {
    const { id, approval, decide } = await ask(await anAgent({ four_eyes: true }), as(bo.cookie));
    const expected = { people: [admin.id], named: false, administrators: false };
    assert.deepEqual(await standing(as(bo.cookie), approval), { ...expected, may_decide: false });
    assert.deepEqual(await standing(as(admin.cookie), approval), { ...expected, may_decide: true });
    const item = await inInbox(as(admin.cookie), approval);
    assert.deepEqual(item?.['asked_by_actor'], { id: bo.id, name: 'Bo', kind: 'person' });
    assert.equal(await standing(as(cy.cookie), approval), 'not listed');
    const { items } = await done('GET', `/v1/conversations/${id}/approvals`, undefined, as(bo.cookie));
    assert.deepEqual([items[0].may_decide, items[0].waiting_for.people.length], [false, 1]);
    await until('the administrator is told', () => isTold(admin, approval));
    assert.equal(await isTold(bo, approval), false);
    assert.deepEqual([await decide(as(bo.cookie)), await decide(as(admin.cookie))], ['403 four_eyes', 200]);
    assert.equal(await inInbox(as(admin.cookie), approval), undefined);
  });

  test('a guest who caused a request is named in the inbox', async () => {
    const { name } = await app.provider({ tool_calls: [{ id: 'c', name: 'clock_now', input: {} }] });
    const agent = await anAgent({}, { model: [`${name}/one`], max_retries_per_model: 0 });
    const { id } = await done('POST', `/v1/conversations?assistant_id=${agent}`, {}, as(admin.cookie));
    const { public_access_token: token } = await done('POST', `/v1/conversations/${id}/share`);
    const said = { content: 'What time is it?' };
    await call('POST', `/v1/public/conversations/${token}/stream`, said, { key: null });
    const asked = (await inbox(as(admin.cookie))).find((item) => item['conversation_id'] === id);
    const causer = asked?.['asked_by_actor'] as { kind: string } | undefined;
    assert.equal(causer?.kind, 'link');
  });
});

suite('named approvers', () => {
  test('decide about calls of conversations that they can not read, and nobody else does', async () => {
    const agent = await anAgent({ approvers: [cy.id], approver_groups: [await aGroup()] });
    const { id, approval, decide } = await ask(agent, as(bo.cookie));
    const expected = { people: [cy.id], named: true, administrators: false };
    assert.deepEqual(await standing(as(cy.cookie), approval), { ...expected, may_decide: true });
    assert.deepEqual(await standing(as(bo.cookie), approval), { ...expected, may_decide: false });
    assert.deepEqual(await standing(as(admin.cookie), approval), { ...expected, may_decide: false });
    assert.equal((await call('GET', `/v1/conversations/${id}`, undefined, as(cy.cookie))).status, 404);
    await until('who is named is told', () => isTold(cy, approval));
    assert.deepEqual([await isTold(admin, approval), await isTold(bo, approval)], [false, false]);
    const key = await makeAccountKey(app, home, ['workspace_admin']);
    for (const other of [as(bo.cookie), as(admin.cookie), { key: key.value }])
      assert.equal(await decide(other), '403 not_an_approver');
    await done('POST', `/v1/conversations/${id}/shares`, { person_id: cy.id, access: 'read' }, as(bo.cookie));
    assert.equal(await decide(as(cy.cookie)), 200);
  });

  test('people of a group count as long as they are in it, and administrators stand in when nobody named is active', async () => {
    const dan = await aMember('Reader');
    const group = await aGroup(dan, bo);
    const { approval, decide } = await ask(await anAgent({ approver_groups: [group], four_eyes: true }), as(bo.cookie));
    const item = await inInbox(as(dan.cookie), approval);
    const waiting = item?.['waiting_for'] as Record<'people' | 'groups', { id: string }[]> | undefined;
    const ids = [waiting?.people, waiting?.groups].map((list) => list?.map((one) => one.id));
    assert.deepEqual(ids, [[dan.id], [group]], 'not who asked');
    assert.equal(await decide(as(bo.cookie)), '403 four_eyes');
    assert.equal(await decide(as(admin.cookie)), '403 not_an_approver');
    await done('PATCH', `/v1/admin/users/${dan.id}`, { active: false });
    const standIns = { people: [admin.id], named: true, administrators: true };
    assert.deepEqual(await standing(as(admin.cookie), approval), { ...standIns, may_decide: true });
    await done('DELETE', `/v1/admin/user-groups/${group}`);
    assert.deepEqual(await standing(as(bo.cookie), approval), { ...standIns, may_decide: false });
    const editor = await makeAccountKey(app, home, ['agents_run', 'agents_edit', 'conversations_read']);
    assert.equal(await decide({ key: editor.value }), '403 not_an_approver');
    assert.equal(await decide(as(admin.cookie)), 200);
  });

  test('are people and groups of the workspace', async () => {
    const { id: elsewhere } = await done('POST', '/v1/admin/groups', { name: 'Elsewhere' });
    const stranger = await aMember('Reader', elsewhere);
    const group = (await done('POST', '/v1/admin/user-groups', { name: 'Not a member' })).id;
    for (const fields of [{ approvers: [stranger.id] }, { approver_groups: [group] }, { approvers: [group] }]) {
      const made = await call('POST', '/v1/agents', { name: 'x', definition: clock(fields) });
      assert.equal(made.status, 422, made.text);
      assert.match(made.text, /no such (person|user group) in this workspace/);
      const action = { name: 'a', url: 'https://desk.example.com', ...fields };
      assert.equal((await call('POST', '/v1/agents', { name: 'x', definition: { actions: [action] } })).status, 422);
    }
    const nodes = [aNode('ask', 'ApprovalNode', { question: '?', approvers: [stranger.id] })];
    assert.equal((await call('POST', '/v1/workflows', { name: 'x', definition: { nodes, edges: [] } })).status, 422);
  });

  test('a caller with agents_run adds to them on a conversation and removes none, and who is added has four eyes', async () => {
    const agent = await anAgent({ approvers: [cy.id] });
    const named = (...approvers: string[]) => clock({ approvers }).tools;
    const create = (tools: object[]) =>
      outcome(call('POST', `/v1/conversations?assistant_id=${agent}`, { settings: { tools } }, as(bo.cookie)));
    for (const tools of [named(), named(bo.id), []]) assert.equal(await create(tools), '403 setting_forbidden');
    assert.equal(await create(named(cy.id)), 200);
    const { id, decide } = await ask(agent, as(bo.cookie), { tools: named(cy.id, bo.id, admin.id) });
    const narrowed = { settings: { tools: named(cy.id) } };
    assert.equal(
      await outcome(call('PATCH', `/v1/conversations/${id}`, narrowed, as(bo.cookie))),
      '403 setting_forbidden',
    );
    assert.equal(await decide(as(bo.cookie)), '403 four_eyes');
    assert.equal(await decide(as(admin.cookie)), 200);
  });

  test('stay the only ones when a caller with agents_run names itself on another entry, or first, which brings four_eyes', async () => {
    const address = { name: 'send', url: 'https://desk.example.com' };
    const definition = {
      tools: [{ type: 'action_send', requires_approval: true, approvers: [cy.id] }],
      actions: [address],
    };
    const settings = { actions: [{ ...address, approvers: [bo.id] }] };
    const asked = await ask(await anAgent({}, definition), as(bo.cookie), settings, 'action_send');
    assert.deepEqual((await standing(as(cy.cookie), asked.approval)) as object, {
      ...{ people: [cy.id], named: true, administrators: false, may_decide: true },
    });
    assert.equal(await asked.decide(as(bo.cookie)), '403 four_eyes');
    assert.equal(await asked.decide(as(cy.cookie)), 200);
    const first = await ask(await anAgent({}), as(admin.cookie), clock({ approvers: [admin.id] }));
    assert.equal(await first.decide(as(admin.cookie)), '403 four_eyes');
  });

  test('are those of the record that a call names, where a tool is for several', async () => {
    const base = async (name: string, approvers: string[]) => {
      await done('POST', '/v1/variables', { name, inline_value: 'postgresql://u:p@db.example/x', is_secret: true });
      return { name, dsn_variable: name, requires_approval: true, approvers };
    };
    const agent = await anAgent({}, { databases: [await base('one', [bo.id]), await base('two', [cy.id])] });
    const content = JSON.stringify({ database: 'two' });
    const { approval, decide } = await ask(agent, as(bo.cookie), {}, 'databases_schema', content);
    assert.deepEqual(((await standing(as(cy.cookie), approval)) as { people: string[] }).people, [cy.id]);
    assert.equal(await decide(as(bo.cookie)), '403 not_an_approver');

    const table = async (name: string, approvers: string[]) => {
      const { id, sql_name } = await done('POST', '/v1/tables', { name });
      return { sql_name, entry: { id, access: 'write', requires_approval: true, approvers } };
    };
    const [mine, theirs] = [await table('Mine', [bo.id]), await table('Theirs', [cy.id])];
    const clerk = await anAgent({}, { tables: [mine.entry, theirs.entry] });
    const row = JSON.stringify({ table: theirs.sql_name, rows: [{}] });
    const write = await ask(clerk, as(bo.cookie), {}, 'tables_insert', row);
    assert.equal(await write.decide(as(bo.cookie)), '403 not_an_approver');
    assert.equal(await write.decide(as(cy.cookie)), 200);
  });

  test('decide about the step of a workflow, which the inbox names', async () => {
    const { id: flow } = await done('POST', '/v1/workflows', {
      name: 'Refunds',
      definition: {
        nodes: [
          aNode('in', 'InputNode', { label: 'n' }),
          { ...aNode('ask', 'ApprovalNode', { question: '?', approvers: [cy.id] }), name: 'Lead agrees' },
        ],
        edges: [anEdge('in.output -> ask.value')],
      },
    });
    const { id: run } = await done('POST', `/v1/workflows/${flow}/runs/sync`, { input: { n: 1 } }, as(bo.cookie));
    const asked = await until('cy is asked', async () =>
      (await inbox(as(cy.cookie))).find((item) => item['run_id'] === run),
    );
    assert.deepEqual([asked['node_name'], asked['may_decide']], ['Lead agrees', true]);
    assert.equal((asked['asked_by_actor'] as { id: string }).id, bo.id);
    const at = `/v1/runs/${run}/approvals`;
    assert.equal((await done('GET', at, undefined, as(cy.cookie)))[0].may_decide, true);
    await until('cy is told', () => isTold(cy, asked.id));
    const decide = (by: By) => outcome(call('POST', `${at}/${asked.id}`, { decision: 'approve' }, by));
    assert.deepEqual(
      [await decide(as(bo.cookie)), await decide(as(admin.cookie))],
      Array(2).fill('403 not_an_approver'),
    );
    assert.equal(await decide(as(cy.cookie)), 200);
  });
});
