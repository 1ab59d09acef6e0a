import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain } from '@atrium/contract/workflows/node-types/connectors.ts';
import { nodeType } from '@atrium/contract/workflows/node-types/node-type.ts';
import { defineNode } from '../src/features/workflows/nodes/define-node.ts';
import { aNode, anEdge } from '../src/features/workflows/testing.ts';
import { scriptedApp } from './support/scripted-app.ts';
import { until } from './support/two-nodes.ts';

/** The gates that a step of a workflow waits for, by the input of the step. */
const gates = new Map<unknown, { reached: () => void; open: Promise<void> }>();
const gated = defineNode(
  nodeType({
    ...{ type: 'GatedNode', title: 'Gated', description: 'Waits for a test.', category: 'other', config: {} },
    inputs: [plain('value', { data_type: 'Custom', optional: true })],
    outputs: [plain('output', { data_type: 'Custom' })],
  }),
  async (_, { value }) => {
    gates.get(value)?.reached();
    await gates.get(value)?.open;
    return { output: value };
  },
);

const app = await scriptedApp({ max_runs: 1, max_runs_per_workspace: 1 }, { nodes: [gated] });
const { call, query } = app;

async function makeFlow(name: string): Promise<string> {
  const nodes = [aNode('in', 'InputNode', { label: 'Word' }), aNode('gate', 'GatedNode'), aNode('out', 'OutputNode')];
  const edges = ['in.output -> gate.value', 'gate.output -> out.input'].map(anEdge);
  const { status, json, text } = await call('POST', '/v1/workflows', { name, definition: { nodes, edges } });
  assert.equal(status, 200, text);
  return json.id;
}

async function startFlow(id: string, word: string): Promise<string> {
  const { status, json, text } = await call('POST', `/v1/workflows/${id}/runs`, { input: { Word: word } });
  assert.equal(status, 200, text);
  return json.id;
}

async function startAgent(model: string): Promise<string> {
  const { json } = await call('POST', '/v1/conversations', { name: 'test', settings: { model: [model] } });
  // The request is answered at the end of the run, which the test does not wait for here.
  void call('POST', `/v1/conversations/${json.id}`, { content: 'Hello' });
  await until('the run is stored', async () => (await agentRun(json.id)) !== undefined);
  return json.id;
}

const agentRun = async (conversation_id: string): Promise<{ status: string } | undefined> =>
  (await query('select status from runs where conversation_id = $1', [conversation_id]))[0];
const flowRun = async (id: string): Promise<{ status: string } | undefined> =>
  (await query('select status from workflow_runs where id = $1', [id]))[0];

test('a workflow run waits while an agent run has the only slot, and starts at its end', async () => {
  const answer = Promise.withResolvers<void>();
  const { server, name } = await app.provider({ text: 'Hi.', after: answer.promise });
  server.models = ['one'];
  const conversation = await startAgent(`${name}/one`);
  assert.equal((await agentRun(conversation))?.status, 'running');
  const run = await startFlow(await makeFlow('Behind an agent'), 'free');
  assert.equal((await flowRun(run))?.status, 'queued');
  answer.resolve();
  await until('the workflow run is over', async () => (await flowRun(run))?.status === 'completed');
  assert.equal((await agentRun(conversation))?.status, 'completed');
});

test('an agent run waits while a workflow run has the only slot, and starts at its end', async () => {
  const reached = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  gates.set('held', { reached: reached.resolve, open: open.promise });
  const run = await startFlow(await makeFlow('Before an agent'), 'held');
  await reached.promise;
  const { server, name } = await app.provider({ text: 'Hi.' });
  server.models = ['one'];
  const conversation = await startAgent(`${name}/one`);
  assert.equal((await agentRun(conversation))?.status, 'queued');
  open.resolve();
  await until('the agent run is over', async () => (await agentRun(conversation))?.status === 'completed');
  assert.equal((await flowRun(run))?.status, 'completed');
});

test('an agent that has the only slot and waits for a workflow run finishes', async () => {
  const id = await makeFlow('Nested');
  const { name } = await app.provider(
    { tool_calls: [{ id: 'c1', name: 'workflow_nested', input: { Word: 'free' } }] },
    { text: 'Done.' },
  );
  const { text, parts } = await app.ask({ model: [`${name}/one`], workflows: [id], pii_anonimization: [] });
  assert.equal(text, 'Done.');
  assert.match(parts.find((part) => part.type === 'function')?.content ?? '', /completed/);
});
