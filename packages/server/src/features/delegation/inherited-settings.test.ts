import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await scriptedApp({ guardrail_model: 'p1/one' });
const { server: judge } = await app.provider();
let objectsTo = 'nothing at all';
judge.answers = ({ messages }) => {
  const severity = JSON.stringify(messages).includes(objectsTo) ? 'low' : 'none';
  return { text: JSON.stringify({ flagged: severity !== 'none', severity, reason: 'As graded' }) };
};

async function agent(name: string, definition: object = {}) {
  const { server, name: account } = await app.provider();
  const own = { model: [`${account}/one`], pii_anonimization: [], max_retries_per_model: 0, ...definition };
  const { json, text, status } = await app.call('POST', '/v1/agents', { name, definition: own });
  assert.equal(status, 200, text);
  return { id: json.id as string, model: server, account };
}
type Made = Awaited<ReturnType<typeof agent>>;
const talk = async ({ id }: Pick<Made, 'id'>, content: string, settings: object = {}) =>
  app.say(await app.converse(settings, `?assistant_id=${id}`), content);
const calls = (name: string, input: object, id = 'c') => ({ tool_calls: [{ id, name, input }] });
const sentTo = ({ model }: Pick<Made, 'model'>) => JSON.stringify(model.requests.map(({ body }) => body));
const results = ({ model }: Made) =>
  (model.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content));

/** The user's message. Where the phone number is repeated, no word near it reveals its type. */
const said = 'I am Emma Johnson, my phone number is 5550142, write to emma@corp.example';
const task = 'Look for Emma Johnson, 5550142 and emma@corp.example in the list';
const hiding = { pii_anonimization: ['PERSON', 'PHONE_NUMBER', 'EMAIL_ADDRESS'] };
/** The model gets placeholders; other agents get the real values. */
const placeholders = 'Look for <PERSON_1>, <PHONE_NUMBER_1> and <EMAIL_ADDRESS_1> in the list';

function refuteRaw(made: Pick<Made, 'model'>) {
  const sent = sentTo(made);
  assert.ok(made.model.requests.length > 0, 'it was never asked');
  assert.doesNotMatch(sent, /Emma|Johnson|5550142|emma@/);
  assert.match(sent, /<PERSON_\d+>, <PHONE_NUMBER_\d+> and <EMAIL_ADDRESS_\d+> in the list/);
}

const flowOf = (node: object, kind = 'InputNode') => ({
  nodes: [aNode('in', kind, { label: 'Say' }), node, aNode('out', 'OutputNode', { label: 'Said' })],
  edges: ['in.output -> ask.message', 'ask.output -> out.input'].map(anEdge),
});
async function workflow(name: string, definition: object, more: object = {}) {
  const { json, text, status } = await app.call('POST', '/v1/workflows', { name, definition, ...more });
  assert.equal(status, 200, text);
  return json.id as string;
}

test('a co-worker without anonymizing of its own gets no raw value, in the first question and the next', async () => {
  const expert = await agent('Expert');
  const boss = await agent('Boss', { ...hiding, coworkers: [expert.id] });
  boss.model.reply(calls('coworker_Expert', { message: placeholders }), { text: 'ok' });
  const first = await talk(boss, said);
  refuteRaw(expert);
  const [{ conversation_id, reply }] = results(boss);
  // The answer has the real values; the asking model gets its own placeholders.
  assert.match(reply, /You said: Look for <PERSON_1>, <PHONE_NUMBER_1>/);
  const { json: child } = await app.call('GET', `/v1/conversations/${conversation_id}`);
  assert.equal(child.messages[0].message_parts[0].content, task);

  // The asking agent now anonymizes more, and so does the continued exchange.
  await app.call('PATCH', `/v1/conversations/${first.id}`, {
    settings: { pii_anonimization: [...hiding.pii_anonimization, 'IBAN_CODE'] },
  });
  const iban = 'DE89 3704 0044 0532 0130 00';
  boss.model.reply(calls('coworker_Expert', { message: 'Account <IBAN_CODE_1>', conversation_id }), { text: 'ok' });
  await app.say(first.id, `My account is ${iban}`);
  assert.match(sentTo(expert), /Account <IBAN_CODE_1>/);
  assert.doesNotMatch(sentTo(expert), /DE89/);
});

test('the conversation of a co-worker shows the settings it inherits, and no caller loosens them', async () => {
  const expert = await agent('Expert');
  const boss = await agent('Boss', { ...hiding, toxicity: 'Low', coworkers: [expert.id] });
  boss.model.reply(calls('coworker_Expert', { message: 'Hello' }), { text: 'ok' });
  await talk(boss, said);
  const [{ conversation_id }] = results(boss);
  const path = `/v1/conversations/${conversation_id}`;
  await app.call('PATCH', path, { settings: { pii_anonimization: [], toxicity: 'Off' } });
  const { json } = await app.call('GET', path);
  assert.deepEqual(
    json.settings.pii_anonimization.map(({ value }: { value: string }) => value),
    hiding.pii_anonimization,
  );
  assert.deepEqual([json.settings.toxicity.value, 'inherits' in json], ['Low', false]);
  await app.say(conversation_id, task);
  refuteRaw(expert);
});

test('a subagent, and the subagent it asks, get no raw value', async () => {
  const last = await agent('Last');
  const helper = await agent('Helper', { subagents_enabled: true, subagents: [last.id] });
  const boss = await agent('Boss', { ...hiding, subagents_enabled: true, subagents: [helper.id] });
  boss.model.reply(calls('subagents_delegate', { agent: 'Helper', task: placeholders }), { text: 'ok' });
  helper.model.reply(calls('subagents_delegate', { agent: 'Last', task: placeholders }), { text: 'ok' });
  await talk(boss, said);
  refuteRaw(helper);
  refuteRaw(last);
});

test('the flow that drives a conversation sends its models no raw value', async () => {
  const near = await agent('Flow model');
  const start = aNode('in', 'AgentStartNode');
  const ask = aNode('ask', 'ChatAgentNode', { model: [`${near.account}/one`], anonymize: [] });
  const nodes = [start, ask, aNode('out', 'AgentEndNode')];
  const edges = ['in.message -> ask.message', 'ask.output -> out.message'].map(anEdge);
  const flow = await workflow('Driver', { nodes, edges }, { type: 'agent_flow' });
  const boss = await agent('Boss', { ...hiding, agentflow_enabled: true, agent_flow_id: flow });
  const { id, text } = await talk(boss, said);
  assert.match(text, /Emma Johnson/);
  await app.say(id, task);
  refuteRaw(near);
});

test('a workflow tool sends no raw value to its model or to the agent it asks', async () => {
  const near = await agent('Near');
  const far = await agent('Far');
  const ask = aNode('ask', 'TextGenerationNode', {
    model: [`${near.account}/one`],
    anonymize: [],
    template: '((message))',
  });
  const { nodes } = flowOf(ask);
  const edges = ['in.output -> ask.variables[message]', 'ask.output -> out.input'].map(anEdge);
  const asking = await workflow('Model', { nodes, edges });
  const relay = await workflow('Relay', flowOf(aNode('ask', 'AgentCallNode', { agent_id: far.id })));
  const boss = await agent('Boss', { ...hiding, workflows: [asking, relay] });
  boss.model.reply(
    calls('workflow_model', { Say: placeholders }),
    calls('workflow_relay', { Say: placeholders }, 'd'),
    { text: 'ok' },
  );
  await talk(boss, said);
  refuteRaw(near);
  refuteRaw(far);
  // The limits are stored with the runs, so a node that takes one over applies them too.
  const rows = await app.query('select principal from workflow_runs where workflow_id = any($1)', [[asking, relay]]);
  assert.equal(rows.length, 2);
  for (const { principal } of rows)
    assert.deepEqual(
      principal.inherits.settings.pii_anonimization.map(({ value }: { value: string }) => value),
      hiding.pii_anonimization,
    );
  // Tried again by hand, they are held to the same.
  near.model.requests.length = 0;
  const [{ id }] = await app.query('select id from workflow_runs where workflow_id = $1', [asking]);
  const again = await app.call('POST', `/v1/runs/${id}/retry`);
  assert.equal(again.status, 200, again.text);
  for (let tries = 0; tries < 500 && near.model.requests.length === 0; tries++)
    await new Promise((wake) => setTimeout(wake, 20));
  refuteRaw(near);
});

test('the guardrails of a conversation check the input and output of its co-workers and workflows', async () => {
  const expert = await agent('Expert', { toxicity: 'Low' });
  const near = await agent('Near');
  const ask = aNode('ask', 'TextGenerationNode', { model: [`${near.account}/one`], template: '((message))' });
  const { nodes } = flowOf(ask);
  const edges = ['in.output -> ask.variables[message]', 'ask.output -> out.input'].map(anEdge);
  const asking = await workflow('Guarded', { nodes, edges });
  const own = { toxicity: 'High', guardrails_scan_output: true, guardrail_action: 'fail' };
  const boss = await agent('Boss', { ...own, coworkers: [expert.id], workflows: [asking] });

  objectsTo = 'NASTY';
  expert.model.reply({ text: 'A NASTY reply' });
  near.model.reply({ text: 'A NASTY answer' });
  boss.model.reply(
    calls('coworker_Expert', { message: 'Say something' }),
    calls('workflow_guarded', { Say: 'Say something' }, 'd'),
    { text: 'ok' },
  );
  await talk(boss, 'Hello');
  const [first, second] = results(boss);
  assert.match(first.error, /stopped by a guardrail: toxicity/);
  assert.match(second.error, /guardrail of the conversation objected: toxicity/);
  assert.doesNotMatch(sentTo(boss), /NASTY/);

  // Without the conversation's grade the same words pass: the co-worker's own is too low for them.
  expert.model.reply({ text: 'A NASTY reply' });
  await talk(expert, 'Say something');
  const free = await talk(expert, 'Say something');
  assert.equal(free.status, 'completed');
  objectsTo = 'nothing at all';
});

test('the limits of a conversation bound those that it asks, and their own bound them too', async () => {
  const expert = await agent('Expert', { usage_limits_maximum_request: 50, usage_limits_maximum_tokens: 700 });
  const boss = await agent('Boss', {
    usage_limits_maximum_request: 3,
    usage_limits_maximum_tokens: 90_000,
    coworkers: [expert.id],
  });
  boss.model.reply(calls('coworker_Expert', { message: 'Hello' }), { text: 'ok' });
  await talk(boss, 'Hello');
  const [{ conversation_id }] = await app.query(
    'select conversation_id from delegations where agent_ids @> array[$1]::uuid[]',
    [expert.id],
  );
  const { json } = await app.call('GET', `/v1/conversations/${conversation_id}`);
  const { usage_limits_maximum_request: requests, usage_limits_maximum_tokens: tokens } = json.settings;
  assert.deepEqual([requests, tokens], [3, 700]);
});

test('four_eyes of a conversation applies to the approvals of the flow that drives it', async () => {
  const nodes = [aNode('start', 'AgentStartNode'), aNode('ask', 'ApprovalNode', { question: 'May I?' })];
  const definition = {
    nodes: [...nodes, aNode('end', 'AgentEndNode')],
    edges: ['start.message -> ask.value', 'ask.approved -> end.message'].map(anEdge),
  };
  const { json: me } = await app.call('GET', '/v1/admin/me');
  const permissions = ['agents_run', 'flows_run', 'flows_edit'];
  const other = await makeAccountKey(app, me.group_id, permissions);
  for (const four_eyes of [false, true]) {
    const agent_flow_id = await workflow(`Ask ${four_eyes}`, definition, { type: 'agent_flow' });
    const driven = await agent(`Driven ${four_eyes}`, { four_eyes, agentflow_enabled: true, agent_flow_id });
    const said = talk(driven, 'Go on');
    const asked = await until('the flow asks', async () => {
      const { json } = await app.call('GET', '/v1/approvals');
      return json.items.find(({ workflow_id }: { workflow_id: string }) => workflow_id === agent_flow_id);
    });
    assert.equal(asked.four_eyes, four_eyes);
    const decide = (key?: string) =>
      app.call('POST', `/v1/runs/${asked.run_id}/approvals/${asked.id}`, { decision: 'approve' }, key ? { key } : {});
    if (four_eyes) assert.deepEqual((await decide()).json.code, 'four_eyes');
    assert.equal((await decide(four_eyes ? other.value : undefined)).status, 200);
    assert.equal((await said).status, 'completed');
  }
});
