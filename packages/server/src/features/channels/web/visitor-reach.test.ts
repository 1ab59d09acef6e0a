import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aNode, anEdge } from '../../workflows/testing.ts';
import { channelApp } from '../testing.ts';

const { call, query, deploy, provider } = await channelApp();
const inner = await provider();
inner.server.answers = () => ({ text: 'The salary is 900 coins.' });
const definition = { model: [`${inner.name}/one`] };
const agent = (await call('POST', '/v1/agents', { name: 'Clerk', definition })).json;

/** A workflow that goes on with the conversation that its input names, or begins one. */
const nodes = [
  ...[aNode('say', 'InputNode', { label: 'Say' }), aNode('in', 'InputNode', { label: 'In' })],
  ...[aNode('ask', 'AgentCallNode', { agent_id: agent.id }), aNode('out', 'OutputNode', { label: 'Result' })],
];
const edges = ['say.output -> ask.message', 'in.output -> ask.conversation_id', 'ask.output -> out.input'].map(anEdge);
const flow = await call('POST', '/v1/workflows', { name: 'Go on', type: 'flow', definition: { nodes, edges } });
assert.equal(flow.status, 200, flow.text);

const countIn = async (id: string) => (await call('GET', `/v1/conversations/${id}/messages`)).json.items.length;

test('a workflow of a visitor goes on only with conversations that were begun for this visitor', async () => {
  const settings = {
    ...{ workflows: [{ id: flow.json.id }], pii_anonimization: [] },
    egress_approval: { mode: 'never', reason: 'The workflow sends nothing out' },
  };
  const { deployment, model } = await deploy({ channel: 'web' }, settings);
  const visit = async () => {
    const body = { token: deployment.page_path.slice('/chat/'.length) };
    const begun = await call('POST', deployment.inbound_path, body, { key: null });
    assert.equal(begun.status, 200, begun.text);
    return async (going: string) => {
      const replies = [
        { tool_calls: [{ id: 'c1', name: 'workflow_go_on', input: { Say: 'What was said?', In: going } }] },
        { text: 'Done.' },
      ];
      model.answers = () => replies.shift();
      const path = `/v1/public/conversations/${begun.json.token}/stream`;
      const said = await call('POST', path, { content: `Go on with ${going}` }, { key: null });
      assert.match(said.text, /conversation_end/);
    };
  };
  const [anna, ben] = [await visit(), await visit()];
  await anna('');
  const [child] = await query("select id from conversations where chat_transport = 'workflow'");
  assert.equal(await countIn(child.id), 2);
  await anna(child.id);
  assert.equal(await countIn(child.id), 4, 'the visitor’s own goes on');

  const others = (await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Pay' })).json.id;
  await anna(others);
  assert.equal(await countIn(others), 0);
  await ben(child.id);
  assert.equal(await countIn(child.id), 4, 'nor with what was begun for another visitor');
});
