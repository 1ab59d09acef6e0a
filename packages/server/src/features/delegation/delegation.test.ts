import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { form } from '../../../test/walk/walk-fixtures.ts';
import { defineTool } from '../tools/service.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const brings = ['untrusted', 'private'] as const;
const read = defineTool({
  ...{
    tool: 'test_read',
    description: 'Reads',
    input: z.looseObject({}),
    output: z.looseObject({}),
    repeatable: true,
    brings,
  },
  run: async () => ({ text: 'private words' }),
});
const rows = defineTool({
  ...{ tool: 'test_rows', description: 'Reads', input: z.object({}), output: z.object({ code: z.int() }) },
  ...{ repeatable: true, brings: ['private'] as const },
  run: async () => ({ code: 4711 }),
});
const sent: unknown[] = [];
const send = defineTool({
  ...{ tool: 'test_send', description: 'Sends', input: z.looseObject({}), output: z.string(), repeatable: false },
  sends: true,
  run: async (_, input) => {
    sent.push(input);
    return 'sent';
  },
});
const app = await scriptedApp({}, { tools: [read, rows, send] });

/** An agent with a separate provider, so that each test scripts its replies. */
async function agent(name: string, definition: object = {}) {
  const { server, name: account } = await app.provider();
  const own = { model: [`${account}/one`], pii_anonimization: [], max_retries_per_model: 0, ...definition };
  const { json, text, status } = await app.call('POST', '/v1/agents', {
    name,
    definition: own,
    description: `${name}!`,
  });
  assert.equal(status, 200, text);
  return { id: json.id as string, model: server, own };
}
type Made = Awaited<ReturnType<typeof agent>>;
const talk = async ({ id }: Made, content = 'Hello') => app.say(await app.converse({}, `?assistant_id=${id}`), content);
const calls = (name: string, input: object, id = 'c') => ({ tool_calls: [{ id, name, input }] });
const results = ({ model }: Made) =>
  (model.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content));
const offered = ({ model }: Made) =>
  (model.last().body.tools as { function: { name: string; description: string } }[]).map((tool) => tool.function);

test('coworkers are agents that can be asked, in conversations of their own that go on', async () => {
  const expert = await agent('Tax Expert', { persona: 'You know taxes.' });
  const boss = await agent('Boss', { coworkers: [{ id: expert.id, max_turns: 2 }] });
  expert.model.reply({ text: 'Which year?' }, { text: '19 percent.' });
  boss.model.reply(calls('coworker_Tax_Expert', { message: 'What is the rate?' }), { text: 'Let me see.' });
  const first = await talk(boss);
  assert.equal(
    offered(boss)
      .find(({ name }) => name === 'coworker_Tax_Expert')
      ?.description.includes('Tax Expert!'),
    true,
  );
  const [one] = results(boss);
  assert.deepEqual([one.status, one.reply], ['completed', 'Which year?']);
  assert.match(JSON.stringify(expert.model.last().body), /You know taxes/);

  const more = { message: '2026', conversation_id: one.conversation_id };
  boss.model.reply(calls('coworker_Tax_Expert', more), calls('coworker_Tax_Expert', more, 'd'), { text: 'Done.' });
  await app.say(first.id, 'The year is 2026');
  const [, two, three] = results(boss);
  assert.equal(two.reply, '19 percent.');
  assert.match(three.error, /can be asked 2 times/);
  const { json: child } = await app.call('GET', `/v1/conversations/${one.conversation_id}`);
  assert.deepEqual(
    [child.assistant_id, child.chat_transport, child.messages.length, child.status],
    [expert.id, 'agent', 4, 'completed'],
  );
  assert.equal((await app.call('GET', `/v1/runs/${two.run_id}`)).json.status, 'completed');
  // Two calls of the expert's model count where it was asked, besides its own five.
  const [{ tokens_used }] = await app.query('select tokens_used from conversations where id = $1', [first.id]);
  assert.equal(tokens_used, String((5 + 2) * 18));
});

test('an exchange belongs to the conversation that began it', async () => {
  const expert = await agent('E');
  const boss = await agent('B', { coworkers: [expert.id] });
  boss.model.reply(calls('coworker_E', { message: 'x' }), { text: 'ok' });
  await talk(boss);
  const [{ conversation_id }] = results(boss);
  boss.model.reply(calls('coworker_E', { message: 'x', conversation_id }), { text: 'ok' });
  await talk(boss);
  assert.match(results(boss)[0].error, /no such exchange/);
});

test('an agent that would wait for itself by way of another is refused, and so is a line without end', async () => {
  const a = await agent('A');
  const b = await agent('B', { coworkers: [a.id] });
  await app.call('PATCH', `/v1/agents/${a.id}`, { definition: { coworkers: [b.id] } });
  a.model.reply(calls('coworker_B', { message: 'x' }), { text: 'A is done' });
  b.model.reply(calls('coworker_A', { message: 'y' }), { text: 'B is done' });
  const { text } = await talk(a);
  assert.equal(text, 'A is done');
  assert.match(results(b)[0].error, /A already waits for this answer/);

  const line = [await agent('L0')];
  for (let at = 1; at < 10; at++) line.push(await agent(`L${at}`, { coworkers: [line.at(-1)?.id] }));
  for (const [at, one] of line.entries())
    if (at > 0) one.model.reply(calls(`coworker_L${at - 1}`, { message: 'down' }), { text: `${at}` });
  await talk(line[9] as Made);
  assert.match(results(line[2] as Made)[0].error, /8 runs wait for one another/);
  assert.equal(line[1]?.model.requests.length, 0);
});

test('agents and workflows that call each other come to an end', async () => {
  const one = await agent('Ping');
  const nodes = [
    aNode('in', 'InputNode', { label: 'Say' }),
    aNode('ask', 'AgentCallNode', { agent_id: one.id }),
    aNode('out', 'OutputNode', { label: 'Said' }),
  ];
  const edges = ['in.output -> ask.message', 'ask.output -> out.input'].map(anEdge);
  const made = await app.call('POST', '/v1/workflows', { name: 'Pong', definition: { nodes, edges } });
  await app.call('PATCH', `/v1/agents/${one.id}`, { definition: { workflows: [made.json.id] } });
  one.model.answers = ({ messages }) =>
    messages.at(-1).role === 'tool' ? { text: messages.at(-1).content } : calls('workflow_pong', { Say: 'Again' });
  const { status, text } = await talk(one);
  assert.equal(status, 'completed');
  assert.match(text, /8 runs wait for one another already, agents and workflows together/);
  const [{ count }] = await app.query('select count(*) from workflow_runs');
  assert.equal(count, '4');
});

test('taint passes from an agent through a workflow to the next agent', async () => {
  sent.length = 0;
  const far = await agent('Far');
  const nodes = [
    aNode('in', 'InputNode', { label: 'Say' }),
    aNode('ask', 'AgentCallNode', { agent_id: far.id }, { retries: 0 }),
    aNode('out', 'OutputNode', { label: 'Said' }),
  ];
  const edges = ['in.output -> ask.message', 'ask.output -> out.input'].map(anEdge);
  const made = await app.call('POST', '/v1/workflows', { name: 'Relay', definition: { nodes, edges } });
  const near = await agent('Near', { workflows: [made.json.id] });
  near.model.reply(calls('test_rows', {}), calls('workflow_relay', { Say: 'The code is 4711' }), { text: 'Done.' });
  far.model.reply(calls('test_send', { code: 4711 }), { text: 'Sent.' });
  await talk(near);
  assert.match(results(near)[1].error, /The agent waits for a person/);
  assert.deepEqual(sent, []);
});

test('agent_tool entries of tools are co-workers, whose questions back are counted', async () => {
  const expert = await agent('Expert');
  const boss = await agent('Boss', {
    tools: [{ type: 'agent_tool', agent_id: expert.id, max_clarification_turns: 1, name: 'Oracle' }],
  });
  boss.model.reply(calls('coworker_Oracle', { message: 'x' }), { text: 'ok' });
  await talk(boss);
  assert.equal(results(boss)[0].reply, 'You said: x');
});

test('subagents get a task in a fresh context, and only when they are enabled', async () => {
  const helper = await agent('Helper');
  const boss = await agent('Boss', { subagents: [{ id: helper.id, max_turns: 1 }] });
  await talk(boss);
  assert.ok(!offered(boss).some(({ name }) => name === 'subagents_delegate'));
  await app.call('PATCH', `/v1/agents/${boss.id}`, { definition: { subagents_enabled: true } });
  helper.model.reply({ text: 'Counted: 3' });
  boss.model.reply(calls('subagents_delegate', { agent: 'Helper', task: 'Count' }), { text: 'ok' });
  await talk(boss, 'My secret plan is X');
  assert.equal(results(boss)[0].reply, 'Counted: 3');
  assert.doesNotMatch(JSON.stringify(helper.model.last().body), /secret plan/);

  // Its model may speak once: a tool call leaves nothing for the answer.
  helper.model.reply(calls('clock_now', {}), { text: 'Noon' });
  boss.model.reply(calls('subagents_delegate', { agent: 'Helper', task: 'Time?' }), { text: 'ok' });
  await talk(boss);
  assert.match(results(boss)[0].error, /Helper gave no answer: .*limit/i);
});

test('an entry subagent of tools lets an agent give tasks to itself, once', async () => {
  const boss = await agent('Boss', { tools: [{ type: 'subagent' }] });
  boss.model.reply(
    calls('subagents_delegate', { agent: 'itself', task: 'Think' }),
    { text: 'Thought' },
    { text: 'ok' },
  );
  const { text } = await talk(boss);
  assert.equal(text, 'ok');
  assert.equal(results(boss)[0].reply, 'Thought');
  const inner = boss.model.requests.at(-2)?.body.tools as { function: { name: string } }[];
  assert.ok(!inner.some((tool) => tool.function.name === 'subagents_delegate'));
});

test('stopping a run stops those it waits for', async () => {
  const slow = await agent('Slow');
  const boss = await agent('Boss', { coworkers: [slow.id] });
  slow.model.reply({ text: 'Never', after: new Promise(() => {}) });
  boss.model.reply(calls('coworker_Slow', { message: 'x' }));
  const id = await app.converse({}, `?assistant_id=${boss.id}`);
  const going = app.say(id);
  for (let look = 0; slow.model.requests.length === 0 && look < 6000; look++) await sleep(10);
  await app.call('POST', `/v1/conversations/${id}/stop`);
  assert.equal((await going).status, 'stopped');
  await slow.model.last().done;
  assert.equal(slow.model.last().closed_early, true);
});

test('a co-worker reports failures and waiting, and its taint applies to the asking agent and back', async () => {
  const broken = await agent('Broken');
  broken.model.reply({ status: 500 });
  const boss = await agent('Boss', { coworkers: [broken.id] });
  boss.model.reply(calls('coworker_Broken', { message: 'x' }), { text: 'ok' });
  await talk(boss);
  assert.match(results(boss)[0].error, /^Broken gave no answer: No model answered/);

  // The asking agent has read private and untrusted sources, so its co-worker must not send data out.
  const sender = await agent('Sender');
  const careful = await agent('Careful', { coworkers: [sender.id] });
  careful.model.reply(calls('test_read', {}), calls('coworker_Sender', { message: 'Send it' }, 'd'), {
    text: 'Waiting',
  });
  sender.model.reply(calls('test_send', { what: 'private words' }), { text: 'Sent' });
  const { status } = await talk(careful);
  assert.equal(status, 'completed');
  const [, waiting] = results(careful);
  assert.equal(waiting.status, 'awaiting_human_feedback');
  assert.match(waiting.reply, /Sender waits for a person/);
  assert.deepEqual(sent, []);
  const { json } = await app.call('GET', `/v1/conversations/${waiting.conversation_id}/approvals`);
  assert.equal(json.items[0].reason, 'egress');

  // The taint of a co-worker also applies to the agent that asked it.
  const reader = await agent('Reader');
  reader.model.reply(calls('test_read', {}), { text: 'I read: private words' });
  const relay = await agent('Relay', { coworkers: [reader.id] });
  relay.model.reply(calls('coworker_Reader', { message: 'Read' }), calls('test_send', { x: 1 }, 'd'), { text: 'Sent' });
  assert.equal((await talk(relay)).status, 'awaiting_human_feedback');
  assert.deepEqual(sent, []);
});

test('the taint of a flow applies to the agents that get its answer or tool result', async () => {
  sent.length = 0;
  const variable = { name: 'greeting', inline_value: 'private words' };
  assert.equal((await app.call('POST', '/v1/variables', variable)).status, 200);
  const flow = async (name: string, type: string, nodes: object[], edges: string[]) => {
    const { json, text } = await app.call('POST', '/v1/workflows', {
      ...{ name, type, definition: { nodes, edges: edges.map(anEdge) } },
    });
    assert.ok(json.id, text);
    return json.id as string;
  };
  const nodes = [aNode('var', 'VariableNode', { name: 'greeting' }), aNode('end', 'AgentEndNode')];
  const agent_flow_id = await flow('Tells', 'agent_flow', nodes, ['var.output -> end.message']);
  const teller = await agent('Teller', { agentflow_enabled: true, agent_flow_id });
  const relay = await agent('Relay', { coworkers: [teller.id] });
  relay.model.reply(calls('coworker_Teller', { message: 'Tell' }), calls('test_send', { x: 1 }, 'd'), { text: 'Sent' });
  assert.equal((await talk(relay)).status, 'awaiting_human_feedback');
  assert.match(JSON.stringify(results(relay)[0]), /private words/);

  const { body, headers } = form('file');
  const { json: file } = await app.call('POST', '/v1/files', body, { headers });
  const reading = [
    aNode('in', 'FileInputNode', { label: 'File' }),
    ...[aNode('text', 'FileTextNode'), aNode('out', 'OutputNode', { label: 'Text' })],
  ];
  const reads = await flow('Reads', 'flow', reading, ['in.output -> text.file', 'text.output -> out.input']);
  const reader = await agent('Reader', { workflows: [reads] });
  const given = { File: { uri: file.uri } };
  reader.model.reply(calls('workflow_reads', given), calls('test_send', { x: 1 }, 'd'), { text: 'Sent' });
  assert.equal((await talk(reader)).status, 'awaiting_human_feedback');
  assert.match(JSON.stringify(results(reader)[0]), /hello/);
  assert.deepEqual(sent, []);
});
