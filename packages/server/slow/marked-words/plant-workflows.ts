import { aNode, anEdge } from '../../src/features/workflows/testing.ts';
import { hiddenTopic } from './plant-knowledge.ts';
import type { Planting } from './planting.ts';

const input = aNode('in', 'InputNode', { label: 'Value', type: 'Custom' });
const output = aNode('out', 'OutputNode', { label: 'Result' });
const between = (node: object, into: string, from: string) => ({
  nodes: [input, node, output],
  edges: [`in.output -> it.${into}`, `it.${from} -> out.input`].map(anEdge),
});

interface Targets {
  agent_id: string;
  kb_id: string;
}

/** Plants workflows, and runs of them that person A or a trigger of A's started. */
export async function plantWorkflows(planting: Planting, { agent_id, kb_id }: Targets): Promise<void> {
  const { ask, note, query } = planting;
  const plain = { nodes: [input, output], edges: ['in.output -> out.input'].map(anEdge) };
  const create = async (name: string, definition: object): Promise<string> =>
    note('workflow', (await ask('POST', '/v1/workflows', { name, type: 'flow', definition })).id);
  const start = async (id: string, value: string, more: object = {}): Promise<string> =>
    (await ask('POST', `/v1/workflows/${id}/runs/sync`, { input: { Value: value }, ...more })).id;
  const noteRun = (id: string, workflow: string) => {
    for (const kind of ['run', 'workflow_run']) note(kind, id, { workflow });
    return id;
  };

  const text = aNode('it', 'ComposeTextNode', { template: planting.word('workflow', 'definition') });
  const workflow = await create(planting.word('workflow', 'name'), { ...plain, nodes: [input, output, text] });
  const draft = aNode('it', 'ComposeTextNode', { template: planting.word('draft of a workflow', 'definition') });
  await ask('PATCH', `/v1/workflows/${workflow}?preview=true`, {
    definition: { ...plain, nodes: [input, output, draft] },
  });
  const version = {
    name: planting.word('workflow', 'version'),
    description: planting.word('workflow', 'version note'),
  };
  note('workflow_version', (await ask('POST', `/v1/workflows/${workflow}/versions`, version)).id, { workflow });
  const sample = { node_id: 'in', outputs: { output: planting.word('sample of a step', 'value') } };
  await ask('POST', `/v1/workflows/${workflow}/samples`, sample);
  note('path:node_id', 'in', { workflow });

  const echo = await create('echo', plain);
  const run = noteRun(await start(echo, planting.word('run of a workflow', 'input')), echo);
  await query("update workflow_runs set progress_details = jsonb_build_object('note', $2::text) where id = $1", [
    ...[run, planting.word('run of a workflow', 'progress')],
  ]);
  await plantRunLeftovers(planting, run);
  const runNew = async (name: string, definition: object, value: string) => {
    const created = await create(name, definition);
    return noteRun(await start(created, value), created);
  };
  const broken = between(aNode('it', 'JsonTransformNode', { expression: 'value.missing' }), 'value', 'output');
  await runNew('broken', broken, planting.word('run of a workflow', 'input of a failed run'));
  const child = await create('child', plain);
  const calls = between(aNode('it', 'SubWorkflowNode', { workflow_id: child }), 'inputs[Value]', 'output');
  await runNew('parent', calls, planting.word('run of a workflow', 'input of a child'));
  for (const { id } of await query('select id from workflow_runs where workflow_id = $1', [child])) noteRun(id, child);
  const asks = between(aNode('it', 'AgentCallNode', { agent_id }), 'message', 'output');
  await runNew('asks', asks, planting.word('conversation of a workflow', 'message'));
  const searches = between(aNode('it', 'KnowledgeSearchNode', { kb_id, top_k: 1 }), 'query', 'text');
  await runNew('searches', searches, hiddenTopic);

  const question = { question: planting.word('workflow', 'question of an approval') };
  const edges = ['in.output -> ask.value', 'in.output -> out.input'].map(anEdge);
  const flow = await create('decides', { nodes: [aNode('ask', 'ApprovalNode', question), input, output], edges });
  const waiting = noteRun(await start(flow, planting.word('approval of a workflow', 'details')), flow);
  const [approval] = await ask('GET', `/v1/runs/${waiting}/approvals`);
  note('workflow_approval', approval.id, { run: waiting });
  await plantTriggers(planting, { workflow: echo, agent_id });
}

/** Rows that only a crash or a long run leaves behind. */
async function plantRunLeftovers(planting: Planting, run_id: string): Promise<void> {
  const { query, workspace_id } = planting;
  const value = JSON.stringify(planting.word('text of the server', 'value of a run'));
  await query('insert into workflow_values (workspace_id, run_id, id, value) values ($1, $2, gen_random_uuid(), $3)', [
    workspace_id,
    run_id,
    value,
  ]);
  await query('insert into workflow_effects (workspace_id, key, answer) values ($1, $2, $3) on conflict do nothing', [
    ...[workspace_id, `${run_id}:planted`, value],
  ]);
}

async function plantTriggers(planting: Planting, { workflow, agent_id }: { workflow: string; agent_id: string }) {
  const { ask, note, query } = planting;
  for (const [kind, path, definition] of [
    ['trigger of a workflow', `/v1/workflows/${workflow}/triggers`, { type: 'webhook' }],
    ['trigger of an agent', `/v1/agents/${agent_id}/triggers`, { type: 'webhook', message: 'Do it: ((Value))' }],
  ] as const) {
    const name = planting.word(kind, 'name');
    const trigger = await ask('POST', path, {
      name,
      definition: { ...definition, input: { fixed: planting.word(kind, 'input') } },
    });
    note('trigger', trigger.id);
    note('path:routing_key', trigger.routing_key);
    await ask('POST', `/hooks/${trigger.routing_key}`, { Value: planting.word(kind, 'payload') });
    const delivered = await ask('GET', `/v1/triggers/${trigger.id}/deliveries`);
    note('trigger_delivery', delivered.items[0].id, { trigger: trigger.id });
  }
  for (let tries = 0; tries < 500; tries++) {
    const open = await query(
      "select 1 from trigger_deliveries where run_id is null union all select 1 from runs where status in ('queued', 'running') union all select 1 from workflow_runs where status in ('queued', 'running')",
    );
    if (open.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const { id, workflow_id } of await query(
    'select id, workflow_id from workflow_runs where trigger_id is not null',
  ))
    for (const kind of ['run', 'workflow_run']) note(kind, id, { workflow: workflow_id });
}
