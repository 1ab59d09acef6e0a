import assert from 'node:assert/strict';
import { z } from 'zod';
import { defineTool } from '../../../server/src/features/tools/service.ts';
import { aNode, anEdge } from '../../../server/src/features/workflows/testing.ts';
import type { consoleApp } from './console-app.ts';

type ConsoleApp = Awaited<ReturnType<typeof consoleApp>>;

/** A tool that sends something out, for requests to people. */
export const refundTool = defineTool({
  tool: 'payments_refund',
  description: 'Sends money back',
  input: z.object({ order: z.string(), amount: z.string() }),
  output: z.object({ sent: z.boolean() }),
  repeatable: false,
  run: async () => ({ sent: true }),
});

/** An agent that asks before it sends money back, answered by a scripted model. */
export async function makeRefundAgent(app: ConsoleApp, fields: object = {}) {
  const { server, name } = await app.provider();
  const definition = {
    ...{ model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 },
    ...{
      tools: [{ type: 'payments', requires_approval: true, ...fields }],
      base_tools: [{ type: 'human_in_the_loop', enabled: true }],
    },
  };
  const made = await app.call('POST', '/v1/agents', { name: 'Support Desk', definition });
  assert.equal(made.status, 200, made.text);
  return { server, agent_id: made.json.id as string };
}

type By = Parameters<ConsoleApp['call']>[3];
const converse = async (app: ConsoleApp, agent_id: string, name: string, by?: By) =>
  (await app.call('POST', `/v1/conversations?assistant_id=${agent_id}`, { name }, by)).json.id as string;

/** A chat whose agent waits for an approval. */
export async function waitForRefund(
  app: ConsoleApp,
  agent: Awaited<ReturnType<typeof makeRefundAgent>>,
  order: string,
  by?: By,
) {
  agent.server.reply({ tool_calls: [{ id: 'c0', name: 'payments_refund', input: { order, amount: '€184.00' } }] });
  const id = await converse(app, agent.agent_id, `Refund for order ${order}`, by);
  const content = `Order ${order} arrived broken. Can we refund it?`;
  const { json } = await app.call('POST', `/v1/conversations/${id}`, { content }, by);
  assert.equal(json.status, 'awaiting_human_feedback');
  return id;
}

/** A chat whose agent asks a person. */
export async function waitForAnswer(
  app: ConsoleApp,
  agent: Awaited<ReturnType<typeof makeRefundAgent>>,
  question: string,
) {
  agent.server.reply({ tool_calls: [{ id: 'q0', name: 'human_in_the_loop_ask', input: { question } }] });
  const id = await converse(app, agent.agent_id, 'Price match');
  const { status } = await app.say(id, 'Do you match prices?');
  assert.equal(status, 'awaiting_human_feedback');
  return id;
}

/** A run of a workflow that waits for a person. */
export async function waitForStep(app: ConsoleApp, question: string, wait_seconds = 900) {
  const nodes = [aNode('in', 'InputNode', { label: 'n' }), aNode('lead', 'ApprovalNode', { question, wait_seconds })];
  const definition = { nodes, edges: [anEdge('in.output -> lead.value')] };
  const { json: flow } = await app.call('POST', '/v1/workflows', { name: 'Label batch', definition });
  const { json: run } = await app.call('POST', `/v1/workflows/${flow.id}/runs/sync`, { input: { n: '48 labels' } });
  assert.equal(run.status, 'awaiting_human_feedback');
  return run.id as string;
}
