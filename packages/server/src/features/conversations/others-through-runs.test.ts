import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'] });
const { call } = app;
const people = await makePeopleIn(app);
const ada = await people.aMember('Reader');
const model = await app.provider();
model.server.answers = () => ({ text: 'Good day.' });
const definition = { model: [`${model.name}/one`] };
const agent = (await call('POST', '/v1/agents', { name: 'Desk', definition })).json;

/** A workflow that goes on with the conversation that its input names. */
const nodes = [
  ...[aNode('say', 'InputNode', { label: 'Say', type: 'Custom' }), aNode('in', 'InputNode', { label: 'In' })],
  ...[aNode('ask', 'AgentCallNode', { agent_id: agent.id }), aNode('out', 'OutputNode', { label: 'Result' })],
];
const edges = ['say.output -> ask.message', 'in.output -> ask.conversation_id', 'ask.output -> out.input'].map(anEdge);
const flow = await call('POST', '/v1/workflows', { name: 'Go on', type: 'flow', definition: { nodes, edges } });
assert.equal(flow.status, 200, flow.text);
const into = (id: string) => ({ Say: 'What was said before?', In: id });

type Caller = ReturnType<typeof as> | { key: string };
async function begin(by: Caller): Promise<string> {
  const made = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Pay' }, by);
  assert.equal(made.status, 200, made.text);
  return made.json.id;
}
const countIn = async (id: string) => (await call('GET', `/v1/conversations/${id}/messages`)).json.items.length;
const runIn = (id: string, by: Caller) =>
  call('POST', `/v1/workflows/${flow.json.id}/runs/sync`, { input: into(id) }, by);
const demote = (id: string) =>
  call('PUT', `/v1/admin/groups/${people.home}/members/${id}`, { role_id: people.roleNamed('Editor') });

test('a workflow does not go on with conversations that the person or the owner of the key may not see', async () => {
  const person = await people.aMember('Admin');
  const made = await call('POST', `/v1/admin/groups/${people.home}/api-keys`, { name: 'Mine' }, as(person.cookie));
  const key = { key: made.json.value as string };
  await demote(person.id);
  const session = as((await people.aMember('Editor')).cookie);
  const others = await begin(as(ada.cookie));
  for (const by of [key, session]) {
    const { text } = await runIn(others, by);
    assert.match(text, /not_found|not found/i, text);
    assert.equal(await countIn(others), 0);
    const own = await begin(by);
    assert.match((await runIn(own, by)).text, /Good day/);
    assert.equal(await countIn(own), 2);
  }
});

test('a trigger of a person does not go on with conversations that the person may not see', async () => {
  const person = await people.aMember('Admin');
  const path = `/v1/workflows/${flow.json.id}/triggers`;
  const made = await call('POST', path, { definition: { type: 'webhook', auth: 'none' } }, as(person.cookie));
  assert.equal(made.status, 200, made.text);
  const [others, own] = [await begin(as(ada.cookie)), await begin(as(person.cookie))];
  await demote(person.id);
  const { id: trigger_id, routing_key } = made.json;
  const runOver = async (id: string) => {
    const fired = await call('POST', `/hooks/${routing_key}`, into(id), { key: null });
    const delivery = await until('the run has begun', async () =>
      (await call('GET', `/v1/triggers/${trigger_id}/deliveries`)).json.items.find(
        (row: { id: string; run_id: string | null }) => row.id === fired.json.id && row.run_id,
      ),
    );
    await until('the run is over', async () => {
      const { json } = await call('GET', `/v1/runs/${delivery.run_id}`);
      return json.finished_at;
    });
  };
  await runOver(own);
  assert.equal(await countIn(own), 2);
  await runOver(others);
  assert.equal(await countIn(others), 0);
});
