import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await scriptedApp({ roles: ['http', 'worker'] });
const { call } = app;
const people = await makePeopleIn(app);
const model = await app.provider();
model.server.answers = () => ({ text: 'Good day.' });
const definition = { model: [`${model.name}/one`] };
const agent = (await call('POST', '/v1/agents', { name: 'Desk', definition })).json;

type Caller = ReturnType<typeof as> | { key: string };
const aCaller = async (role: string) => as((await people.aMember(role)).cookie);
/** An editor sees no conversations of others. */
const [ada, owner, firer, boss] = [
  ...[await aCaller('Reader'), await aCaller('Editor'), await aCaller('Editor'), await aCaller('Admin')],
] as const;
const admin = { key: app.admin };

async function makeFlow(name: string, ask: object, ...edges: string[]): Promise<string> {
  const nodes = [
    ...[aNode('say', 'InputNode', { label: 'Say', type: 'Custom' }), aNode('in', 'InputNode', { label: 'In' })],
    ...[aNode('ask', 'AgentCallNode', { agent_id: agent.id }), aNode('out', 'OutputNode', { label: 'Result' })],
    ...Object.entries(ask).map(([id, config]) => aNode(id, 'AgentCallNode', config)),
  ];
  const made = await call('POST', '/v1/workflows', {
    name,
    type: 'flow',
    definition: { nodes, edges: edges.map(anEdge) },
  });
  assert.equal(made.status, 200, made.text);
  return made.json.id;
}
/** A workflow that goes on with the conversation that its input names. */
const flow = await makeFlow(
  'Go on',
  {},
  ...['say.output -> ask.message', 'in.output -> ask.conversation_id', 'ask.output -> out.input'],
);

async function begin(by: Caller): Promise<string> {
  const made = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Pay' }, by);
  assert.equal(made.status, 200, made.text);
  return made.json.id;
}
const countIn = async (id: string) => (await call('GET', `/v1/conversations/${id}/messages`)).json.items.length;

async function makeTrigger(by: Caller, target = `/v1/workflows/${flow}/triggers`) {
  const made = await call('POST', target, { definition: { type: 'webhook', auth: 'none' } }, by);
  assert.equal(made.status, 200, made.text);
  return made.json as { id: string; routing_key: string };
}

/** Waits for the end of the run of a delivery. */
async function endOf(trigger_id: string, { status, json, text }: Awaited<ReturnType<typeof call>>) {
  assert.equal(status, 200, text);
  const run_id = await until('the run has begun', async () => {
    const { items } = (await call('GET', `/v1/triggers/${trigger_id}/deliveries`)).json;
    return items.find((row: { id: string }) => row.id === json.id)?.run_id as string | null;
  });
  return until('the run is over', async () => {
    const run = (await call('GET', `/v1/runs/${run_id}`)).json;
    return run.finished_at && run;
  });
}
const inputFor = (id: string) => ({ Say: 'What was said before?', In: id });
async function fire(trigger_id: string, by: Caller, input: object) {
  const fired = await call('POST', `/v1/triggers/${trigger_id}/fire`, { input }, by);
  return { run: await endOf(trigger_id, fired), delivery_id: fired.json.id as string };
}
async function redeliver(trigger_id: string, delivery_id: string, by: Caller) {
  const path = `/v1/triggers/${trigger_id}/deliveries/${delivery_id}/redeliver`;
  return endOf(trigger_id, await call('POST', path, undefined, by));
}

test('a trigger fired by another caller does not go on with conversations that either may not see', async () => {
  const [others, ofOwner, ofFirer] = [await begin(ada), await begin(owner), await begin(firer)];
  const { id } = await makeTrigger(owner);
  for (const conversation of [others, ofOwner, ofFirer]) {
    await fire(id, firer, inputFor(conversation));
    assert.equal(await countIn(conversation), 0);
  }
  // The caller sees all, the owner their own.
  await fire(id, boss, inputFor(others));
  await fire(id, boss, inputFor(ofOwner));
  assert.deepEqual([await countIn(others), await countIn(ofOwner)], [0, 2]);
  await fire(id, owner, inputFor(ofOwner));
  assert.equal(await countIn(ofOwner), 4);
});

test('a trigger whose owner sees all goes on with the conversations of the person who fires it alone', async () => {
  const [others, ofFirer] = [await begin(ada), await begin(firer)];
  for (const by of [boss, admin]) {
    const { id } = await makeTrigger(by);
    await fire(id, firer, inputFor(others));
    assert.equal(await countIn(others), 0);
    const before = await countIn(ofFirer);
    await fire(id, firer, inputFor(ofFirer));
    assert.equal(await countIn(ofFirer), before + 2);
  }
  const { id } = await makeTrigger(boss);
  await fire(id, admin, inputFor(others));
  assert.equal(await countIn(others), 2);
});

test('a delivery that is repeated sees what its first caller and the one who repeats it both see', async () => {
  const [others, ofFirer] = [await begin(ada), await begin(firer)];
  const { id, routing_key } = await makeTrigger(boss);
  const { delivery_id } = await fire(id, boss, inputFor(others));
  assert.equal(await countIn(others), 2);
  await redeliver(id, delivery_id, firer);
  assert.equal(await countIn(others), 2);
  await redeliver(id, delivery_id, admin);
  assert.equal(await countIn(others), 4);
  const weak = await fire(id, firer, inputFor(others));
  await redeliver(id, weak.delivery_id, boss);
  assert.equal(await countIn(others), 4, 'the input is still of the first caller');
  const hook = await call('POST', `/hooks/${routing_key}`, inputFor(others), { key: null });
  await endOf(id, hook);
  assert.equal(await countIn(others), 6);
  await redeliver(id, hook.json.id, firer);
  assert.equal(await countIn(others), 6);
  const own = await call('POST', `/hooks/${routing_key}`, inputFor(ofFirer), { key: null });
  await endOf(id, own);
  await redeliver(id, own.json.id, firer);
  assert.equal(await countIn(ofFirer), 4);
});

test('a run of a trigger that neither sees conversations for goes on with those that it makes itself', async () => {
  const ofAgent = await makeTrigger(owner, `/v1/agents/${agent.id}/triggers`);
  const { run } = await fire(ofAgent.id, firer, { text: 'Hello' });
  assert.equal(run.status, 'completed', JSON.stringify(run));
  assert.equal(await countIn(run.workflow_id), 2);

  const twice = await makeFlow(
    'Twice',
    { again: { agent_id: agent.id } },
    ...['say.output -> ask.message', 'ask.conversation -> again.conversation_id'],
    ...['ask.output -> again.message', 'again.conversation -> out.input'],
  );
  const { id } = await makeTrigger(owner, `/v1/workflows/${twice}/triggers`);
  const first = await fire(id, firer, { Say: 'Hello', In: 'nothing' });
  assert.equal(first.run.status, 'completed', JSON.stringify(first.run));
  const [made = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(JSON.stringify(first.run.output)) ?? [];
  assert.equal(await countIn(made), 4);

  // Another firing of the same trigger does not reach it.
  const other = await makeTrigger(owner);
  await fire(other.id, firer, inputFor(made));
  assert.equal(await countIn(made), 4);
});
