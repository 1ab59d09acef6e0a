import { setTimeout as sleep } from 'node:timers/promises';
import { plain } from '@atrium/contract/workflows/node-types/connectors.ts';
import { nodeType } from '@atrium/contract/workflows/node-types/node-type.ts';
import { z } from 'zod';
import { scriptedMcp } from '../../../src/features/mcp/testing.ts';
import { defineTool } from '../../../src/features/tools/service.ts';
import { defineNode } from '../../../src/features/workflows/nodes/define-node.ts';
import { aNode, anEdge } from '../../../src/features/workflows/testing.ts';
import { form } from '../../walk/walk-fixtures.ts';
import type { Experiment, Experiments } from '../experiment.ts';
import { inInstructions, offered } from '../experiment.ts';
import type { Observer } from '../observe.ts';

type Made = (observer: Observer) => Promise<unknown>;
let count = 0;
const next = (name: string) => `${name}${++count}`;
/** Without and with one entry: the model is offered a tool that it was not offered before. */
const offers = (tool: RegExp, entry: Made, given: Record<string, unknown> = {}): Experiment => ({
  given,
  values: async (observer) => [[], [await entry(observer)]],
  look: (seen) => offered(seen).some((name) => tool.test(name)),
  shows: [false, true],
});
const aBase: Made = async ({ good }) => (await good('POST', '/v1/knowledge-bases', { name: next('Base') })).id;
const anAgent: Made = async ({ good }) =>
  (await good('POST', '/v1/agents', { name: next('Expert'), description: 'Knows', definition: {} })).id;
const aTable: Made = async ({ good }) =>
  (await good('POST', '/v1/tables', { name: next('birds'), columns: [{ name: 'name' }] })).id;
const aWorkflow: Made = async ({ good }) => {
  const nodes = [aNode('in', 'InputNode', { label: 'in' }), aNode('out', 'OutputNode', { label: 'out' })];
  const definition = { nodes, edges: ['in.output -> out.input'].map(anEdge) };
  return (await good('POST', '/v1/workflows', { name: next('Flow'), definition })).id;
};

/** A tool that takes a permission. */
export const shopTool = defineTool({
  ...{ tool: 'shop_order', description: 'Orders', input: z.looseObject({}), output: z.string(), repeatable: true },
  permission: 'tables_edit',
  run: async () => 'ordered',
});

let atOnce = 0;
let mostAtOnce = 0;
/** A node that takes 300 ms and counts how many of it work at the same time. */
export const slowNode = defineNode(
  nodeType({
    ...{ type: 'SlowNode', title: 'Slow', description: 'Takes a while.', category: 'other', config: {} },
    inputs: [plain('value', { data_type: 'Custom', optional: true })],
    outputs: [plain('output', { data_type: 'Custom' })],
  }),
  async (_, { value }) => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    await sleep(300);
    atOnce--;
    return { output: value };
  },
);
let slow: Promise<string> | undefined;
async function slowWorkflow({ good }: Observer): Promise<string> {
  const nodes = [aNode('in', 'InputNode', { label: 'in' }), aNode('slow', 'SlowNode'), aNode('out', 'OutputNode')];
  const edges = ['in.output -> slow.value', 'slow.output -> out.input'].map(anEdge);
  slow ??= good('POST', '/v1/workflows', { name: 'Slow work', definition: { nodes, edges } }).then(({ id }) => id);
  return slow;
}

/** The things that an agent may use. */
export const capabilityExperiments: Experiments = {
  agentflow_enabled: {
    given: async ({ makeFlow }, account) => ({ agent_flow_id: await makeFlow([`${account}/one`], 'Be kind') }),
    values: [false, true],
    look: inInstructions('Be kind'),
    shows: [false, true],
  },
  agent_flow_id: {
    given: { agentflow_enabled: true },
    values: async ({ makeFlow }, account) => [
      await makeFlow([`${account}/one`], 'Be kind'),
      await makeFlow([`${account}/one`], 'Be brief'),
    ],
    look: inInstructions('Be brief'),
    shows: [false, true],
  },
  knowledge_bases: offers(/^kb_base\d+_search$/, aBase),
  multi_kb_search: {
    given: async (observer) => ({ knowledge_bases: [await aBase(observer), await aBase(observer)] }),
    values: [false, true],
    look: (seen) => offered(seen).includes('knowledge_search'),
    shows: [false, true],
  },
  tables: offers(/^tables_/, aTable),
  workflows: offers(/^workflow_/, aWorkflow),
  coworkers: offers(/^coworker_/, anAgent),
  subagents: offers(/^subagents_delegate$/, anAgent, { subagents_enabled: true }),
  subagents_enabled: {
    given: async (observer) => ({ subagents: [await anAgent(observer)] }),
    values: [false, true],
    look: (seen) => offered(seen).includes('subagents_delegate'),
    shows: [false, true],
  },
  actions: offers(/^action_/, async () => ({
    ...{ name: 'ticket', description: 'Opens a ticket', method: 'POST', url: 'https://tickets.example/' },
    input_schema: { type: 'object', properties: {} },
  })),
  databases: offers(/^database/, async ({ good }) => {
    const name = next('DSN');
    await good('POST', '/v1/variables', { name, inline_value: 'postgresql://u:p@db.example/x', is_secret: true });
    return { name: 'orders', dsn_variable: name };
  }),
  agent_files: {
    values: async ({ call }) => {
      const { body, headers } = form('file');
      return [[], [(await call('POST', '/v1/files', body, { headers })).json.id]];
    },
    replies: [{ tool_calls: [{ id: 'c1', name: 'filesystem_list', input: {} }] }, { text: 'Done' }],
    look: ({ sent }) => JSON.stringify(sent.at(-1)).includes('a.txt'),
    shows: [false, true],
  },
  workflows_parallel_enabled: {
    given: async (observer) => {
      mostAtOnce = 0;
      return { workflows: [await slowWorkflow(observer)], parallel_tool_calls: true };
    },
    values: [false, true],
    replies: [
      { tool_calls: ['c1', 'c2'].map((id) => ({ id, name: 'workflow_slow_work', input: { in: id } })) },
      { text: 'Done' },
    ],
    look: () => mostAtOnce,
    shows: [1, 2],
  },
  tool_grant_scope: {
    permissions: ['agents_run'],
    values: ['workspace', 'user'],
    replies: [{ tool_calls: [{ id: 'c1', name: 'shop_order', input: {} }] }, { text: 'Done' }],
    look: ({ sent }) => JSON.stringify(sent.at(-1)).includes('takes the permission tables_edit'),
    shows: [false, true],
  },
  mcp_servers: offers(/^mcp_/, async () => ({ name: 'echo', url: `${(await scriptedMcp()).url}` })),
};
