import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { plain } from '@atrium/contract/workflows/node-types/connectors.ts';
import { nodeType } from '@atrium/contract/workflows/node-types/node-type.ts';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { defineNode } from '../nodes/define-node.ts';
import { aNode, anEdge } from '../testing.ts';

let running = 0;
let most = 0;
/** Waits until this many calls are under way. */
let wanted = 1;
const slow = defineNode(
  nodeType({
    type: 'SlowNode',
    title: 'Slow',
    description: 'Takes a while.',
    category: 'other',
    inputs: [plain('value', { data_type: 'Custom', optional: true })],
    outputs: [plain('output', { data_type: 'Custom' })],
    config: {},
  }),
  async (_, { value }) => {
    most = Math.max(most, ++running);
    for (let looks = 0; looks === 0 || (most < wanted && looks < 600); looks++) await sleep(50);
    running--;
    return { output: value };
  },
);

/** Continues once its progress was reported. */
const patient = defineNode(
  nodeType({
    ...{ type: 'PatientNode', title: 'Patient', description: 'Waits to be seen.', category: 'other', config: {} },
    inputs: [plain('value', { data_type: 'Custom', optional: true })],
    outputs: [plain('output', { data_type: 'Custom' })],
  }),
  async () => {
    const told = () =>
      app.query(
        "select 1 from run_events e join runs r on r.id = e.run_id where r.finished_at is null and e.type = 'workflow-progress'",
      );
    for (let looks = 0; looks < 1200 && (await told()).length === 0; looks++) await sleep(50);
    return { output: 'seen' };
  },
);

const app = await scriptedApp({}, { nodes: [slow, patient] });
const { call } = app;

async function flow(name: string, nodes: object[], edges: string[], type = 'flow') {
  const made = await call('POST', '/v1/workflows', { name, type, definition: { nodes, edges: edges.map(anEdge) } });
  assert.equal(made.status, 200, made.text);
  return made.json.id as string;
}
const greeting = () =>
  flow(
    'Greet somebody',
    [
      aNode('in', 'InputNode', { label: 'Author' }),
      aNode('slow', 'SlowNode'),
      aNode('text', 'ComposeTextNode', { template: 'Hello ((Author))!' }),
      aNode('out', 'OutputNode', { label: 'Greeting' }),
    ],
    ['in.output -> slow.value', 'slow.output -> text.variables[x]', 'text.output -> out.input'],
  );
interface Offered {
  name: string;
  parameters: { properties: Record<string, object> };
}
/** The workflows among the tools that the model was offered. */
function named(server: { requests: { body: unknown }[] }): Offered[] {
  const body = server.requests.at(0)?.body as { tools: { function: Offered }[] } | undefined;
  return (body?.tools ?? []).map((tool) => tool.function).filter(({ name }) => name.startsWith('workflow_'));
}

test('offers workflows as tools of an agent, and shows their progress in the reply', async () => {
  const id = await greeting();
  const { server, name } = await app.provider(
    { tool_calls: [{ id: 'c1', name: 'workflow_greet_somebody', input: { Author: 'Ada' } }] },
    { text: 'Done.' },
  );
  const workflows = [{ id, inputs_descriptions: { Author: 'Whom to greet' } }];
  const { text, parts, conversation } = await app.ask({ model: [`${name}/one`], workflows, pii_anonimization: [] });
  assert.equal(text, 'Done.');
  const [tool] = named(server);
  assert.deepEqual(tool?.parameters.properties['Author'], { type: 'string', description: 'Whom to greet' });
  const result = parts.find((part) => part.type === 'function');
  assert.match(result?.content ?? '', /Hello Ada!/);
  const shown = conversation.ui_messages
    .at(-1)
    .parts.find(({ type }: { type: string }) => type === 'data-workflow-progress');
  assert.deepEqual([shown.data.status, shown.data.workflow_id, shown.data.nodes.length], ['completed', id, 4]);
  // The model reads the result, not the progress.
  assert.ok(!(result?.content ?? '').includes('"nodes"'));
});

test('shows the progress of a workflow while it runs', async () => {
  const made = await call('POST', '/v1/workflows', {
    name: 'Slow',
    definition: { nodes: [aNode('wait', 'PatientNode')], edges: [] },
  });
  const call_ = { tool_calls: [{ id: 'c1', name: 'workflow_slow', input: {} }] };
  const { name } = await app.provider(call_, { text: 'Done.' });
  const { chunks } = await app.ask({ model: [`${name}/one`], workflows: [made.json.id], pii_anonimization: [] });
  const said = chunks.filter((type) => type === 'data-workflow-progress' || type === 'tool-output-available');
  // Its progress may be read once more between its last step and its end.
  assert.deepEqual(said.slice(0, 2), ['data-workflow-progress', 'data-workflow-progress']);
  assert.equal(said.indexOf('tool-output-available'), said.length - 1);
});

test('hide_workflow_progress leaves the progress of workflows out', async () => {
  const id = await greeting();
  const call_ = { tool_calls: [{ id: 'c1', name: 'workflow_greet_somebody', input: { Author: 'Ada' } }] };
  const { name } = await app.provider(call_, { text: 'Done.' });
  const settings = { model: [`${name}/one`], workflows: [id], hide_workflow_progress: true, pii_anonimization: [] };
  const { chunks, conversation } = await app.ask(settings);
  assert.ok(!chunks.includes('data-workflow-progress'));
  assert.ok(!JSON.stringify(conversation.ui_messages).includes('data-workflow-progress'));
});

test('a tool entry of the type workflow runs the version it names', async () => {
  const id = await greeting();
  const definition = {
    nodes: [aNode('t', 'ComposeTextNode', { template: 'The old way' }), aNode('o', 'OutputNode', { label: 'o' })],
    edges: [anEdge('t.output -> o.input')],
  };
  const { json: version } = await call('POST', `/v1/workflows/${id}/versions`, { name: 'old', definition });
  const { name } = await app.provider(
    { tool_calls: [{ id: 'c1', name: 'workflow_greet_somebody', input: {} }] },
    { text: 'Done.' },
  );
  const tools = [{ type: 'workflow', workflow_id: id, version_id: version.id, enabled: true }];
  const { parts } = await app.ask({ model: [`${name}/one`], tools, pii_anonimization: [] });
  assert.match(parts.find((part) => part.type === 'function')?.content ?? '', /The old way/);
});

test('an agent runs the published workflow while it has a draft', async () => {
  const id = await greeting();
  const definition = { nodes: [aNode('t', 'ComposeTextNode', { template: 'A draft' })], edges: [] };
  assert.equal((await call('PATCH', `/v1/workflows/${id}?preview=true`, { definition })).status, 200);
  const call_ = { tool_calls: [{ id: 'c1', name: 'workflow_greet_somebody', input: { Author: 'Ada' } }] };
  const { name } = await app.provider(call_, { text: 'Done.' });
  const { parts } = await app.ask({ model: [`${name}/one`], workflows: [id], pii_anonimization: [] });
  assert.match(parts.find((part) => part.type === 'function')?.content ?? '', /Hello Ada!/);
});

test('workflows_parallel_enabled runs workflow tools side by side, else they take turns', async () => {
  const id = await greeting();
  const twice = {
    tool_calls: ['c1', 'c2'].map((call_id) => ({
      id: call_id,
      name: 'workflow_greet_somebody',
      input: { Author: call_id },
    })),
  };
  for (const [workflows_parallel_enabled, together] of [
    [false, 1],
    [true, 2],
  ] as const) {
    [most, wanted] = [0, together];
    const { name } = await app.provider(twice, { text: 'Done.' });
    await app.ask({
      model: [`${name}/one`],
      workflows: [id],
      workflows_parallel_enabled,
      parallel_tool_calls: true,
      pii_anonimization: [],
    });
    assert.equal(most, together);
  }
  wanted = 1;
});

test('runs a workflow that a message names, also without a language model', async () => {
  const id = await greeting();
  const conversation = await app.converse({ model: ['atrium/extractive'], workflows: [id] });
  const { parts } = await app.say(conversation, 'Ada', { tool: 'workflow', workflow_id: id });
  assert.match(parts.find((part) => part.type === 'function')?.content ?? '', /Hello Ada!/);
});

test('a flow drives the conversation when agentflow_enabled is set', async () => {
  const { server, name } = await app.provider({ text: '{"choice": 2}' }, { text: 'You want your money back.' });
  const model = [`${name}/one`];
  const agent_flow_id = await flow(
    'Support',
    [
      aNode('start', 'AgentStartNode'),
      aNode('choose', 'ChoiceAgentNode', { choices: ['wants to buy', 'wants a refund'], model }),
      aNode('buy', 'AgentMessageSendNode', { template: 'Buy!' }),
      aNode('chat', 'ChatAgentNode', { instructions: 'Be kind', model }),
      aNode('end', 'AgentEndNode'),
    ],
    [
      'start.message -> choose.message',
      'choose.choice_1 -> buy.message',
      'choose.choice_2 -> chat.message',
      'chat.output -> end.message',
    ],
    'agent_flow',
  );
  const id = await app.converse({ model: ['atrium/extractive'], agentflow_enabled: true, agent_flow_id });
  const { shown, status, chunks } = await app.say(id, 'I want a refund');
  assert.deepEqual([shown, status], ['You want your money back.', 'completed']);
  assert.ok(chunks.includes('data-workflow-progress'));
  server.reply({ text: '{"choice": 1}' });
  assert.equal((await app.say(id, 'I want to buy')).shown, 'Buy!');
  const asked = JSON.stringify(server.requests.at(-1)?.body);
  assert.ok(asked.includes('You want your money back.'), 'the flow knows what was said before');
  const off = await app.converse({ agentflow_enabled: false, agent_flow_id, model: [`${name}/one`] });
  server.reply({ text: 'Free' });
  assert.equal((await app.say(off, 'Hello')).shown, 'Free');
});

test('hide_state_transitions leaves out where a flow that drives the conversation has gone', async () => {
  const nodes = [aNode('Hear', 'AgentStartNode'), aNode('Say', 'AgentEndNode')];
  const agent_flow_id = await flow('Echo', nodes, ['Hear.message -> Say.message'], 'agent_flow');
  const own = { model: ['atrium/extractive'], agentflow_enabled: true, agent_flow_id };
  const moves = ({ conversation }: Awaited<ReturnType<typeof app.say>>) =>
    (conversation.ui_messages.at(-1).parts as { type: string; data: unknown }[])
      .filter(({ type }) => type === 'data-state-transition')
      .map(({ data }) => data);
  const whole = await app.say(await app.converse(own), 'Hi');
  assert.deepEqual(moves(whole), [{ from: 'Hear', to: 'Say' }]);
  assert.ok(whole.chunks.includes('data-state-transition'));
  const hidden = await app.say(await app.converse({ ...own, hide_state_transitions: true }), 'Hi');
  assert.deepEqual([moves(hidden), hidden.chunks.includes('data-state-transition')], [[], false]);
  assert.ok(JSON.stringify(hidden.parts).includes('state_transition'), 'it is kept all the same');
});

test('chatflow_tools says which types of tools the flow of a conversation may call', async () => {
  const { json: table } = await call('POST', '/v1/tables', { name: 'Birds', columns: [{ name: 'name' }] });
  await call('POST', `/v1/tables/${table.id}/rows`, { name: 'Heron' });
  const tables = { tables: [table.id] };
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Keeper', definition: tables });
  const config = { agent_id: agent.id, tool: 'tables_query', fixed: { table: 'birds' } };
  const nodes = [aNode('call', 'ToolCallNode', config), aNode('end', 'AgentEndNode')];
  const inner = await flow(
    'Birds',
    [aNode('call', 'ToolCallNode', config), aNode('o', 'OutputNode')],
    ['call.output -> o.input'],
  );
  const nested = [aNode('sub', 'SubWorkflowNode', { workflow_id: inner }), aNode('end', 'AgentEndNode')];
  const flows = [
    await flow('Ask', nodes, ['call.output -> end.message'], 'agent_flow'),
    await flow('Ask by another', nested, ['sub.output -> end.message'], 'agent_flow'),
  ];
  for (const agent_flow_id of flows) {
    const said = async (own: object) =>
      app.say(await app.converse({ agentflow_enabled: true, agent_flow_id, model: ['atrium/extractive'], ...own }));
    assert.match((await said({ chatflow_tools: ['action', 'tables'] })).shown, /Heron/);
    assert.match((await said({ chatflow_tools: [] })).shown, /Heron/);
    const { status, error } = await said({ chatflow_tools: ['action', 'web_research'] });
    assert.deepEqual([status, error?.code], ['failed', 'tool_not_allowed']);
    // A retry is limited in the same way as the conversation was.
    const [failed] = (await call('GET', `/v1/workflows/${agent_flow_id}/runs`)).json.items;
    const { json: again } = await call('POST', `/v1/runs/${failed.id}/retry`);
    await call('GET', `/v1/runs/${again.id}/events`);
    assert.equal((await call('GET', `/v1/runs/${again.id}`)).json.error?.code, 'tool_not_allowed');
  }
  const tools = [{ type: 'tables', chatflow_usable: false }];
  await call('PATCH', `/v1/agents/${agent.id}`, { definition: { ...tables, tools } });
  const own = { agentflow_enabled: true, agent_flow_id: flows[0], model: ['atrium/extractive'] };
  assert.match((await app.ask(own)).error?.content ?? '', /chatflow_usable of its entry is false/);
});

test('asks for the fields of a form until it is complete', async () => {
  const { name } = await app.provider(
    { text: '{"values": {"city": null}, "question": "Which city?"}' },
    { text: '{"values": {"city": "Rome"}, "question": ""}' },
  );
  const agent_flow_id = await flow(
    'Form',
    [
      aNode('form', 'FormExtractionAgentNode', { fields: [{ name: 'city' }], model: [`${name}/one`] }),
      aNode('ask', 'AgentEndNode'),
      aNode('done', 'AgentMessageSendNode', { template: 'Going to ((form))' }),
    ],
    ['form.missing -> ask.message', 'form.complete -> done.variables[form]'],
    'agent_flow',
  );
  const id = await app.converse({ model: ['atrium/extractive'], agentflow_enabled: true, agent_flow_id });
  assert.equal((await app.say(id, 'I want to travel')).shown, 'Which city?');
  assert.equal((await app.say(id, 'Rome')).shown, 'Going to {"city":"Rome"}');
});

test('fails the turn with a helpful message when the flow fails or does not exist', async () => {
  const agent_flow_id = await flow(
    'Bad',
    [aNode('c', 'ConditionNode', { expression: 'nobody > 1' }), aNode('o', 'OutputNode')],
    ['c.true -> o.input'],
    'agent_flow',
  );
  const id = await app.converse({ model: ['atrium/extractive'], agentflow_enabled: true, agent_flow_id });
  const { status, error } = await app.say(id, 'Hello');
  assert.deepEqual([status, error?.content], ['failed', 'There is nothing named nobody']);
  await call('DELETE', `/v1/workflows/${agent_flow_id}`);
  assert.equal((await app.say(id, 'Hello')).error?.content, 'The flow of this agent is gone');
});

test('a flow calls the base tools of its agent in its conversation, unless chatflow_usable of the tool is false', async () => {
  const base_tools = [{ type: 'todos', enabled: true }];
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Lister', definition: { base_tools } });
  const config = { agent_id: agent.id, tool: 'todos_add_todo', fixed: { text: 'Buy herons' } };
  const nodes = [aNode('call', 'ToolCallNode', config), aNode('end', 'AgentEndNode')];
  const agent_flow_id = await flow('Note', nodes, ['call.output -> end.message'], 'agent_flow');
  const settings = { agentflow_enabled: true, agent_flow_id, model: ['atrium/extractive'] };
  const driven = await app.ask(settings);
  assert.equal(driven.status, 'completed', driven.error?.content);
  assert.deepEqual(
    driven.conversation.todos.map(({ text }: { text: string }) => text),
    ['Buy herons'],
  );
  const off = { base_tools: [{ ...base_tools[0], chatflow_usable: false }] };
  await call('PATCH', `/v1/agents/${agent.id}`, { definition: off });
  const refused = await app.ask(settings);
  assert.match(refused.error?.content ?? '', /chatflow_usable of its entry is false/);
  assert.deepEqual(refused.conversation.todos, []);
  const alone = await flow('Alone', [aNode('call', 'ToolCallNode', config)], []);
  const { json: run } = await call('POST', `/v1/workflows/${alone}/runs/sync`, { input: {} });
  assert.match(run.error.message, /this run belongs to none/);
});
