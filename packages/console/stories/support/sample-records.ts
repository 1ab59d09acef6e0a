import assert from 'node:assert/strict';
import type { consoleApp } from './console-app.ts';

type ConsoleApp = Awaited<ReturnType<typeof consoleApp>>;

/** What stands in lists besides agents and chats: variables, a webhook, an evaluation with a run, a failed workflow run. */
export async function fillRecords(app: ConsoleApp, agentId: string) {
  const make = async (path: string, body: object) => {
    const { status, json, text } = await app.call('POST', path, body);
    assert.ok(status < 300, `${path}: ${text}`);
    return json;
  };
  await make('/v1/variables', { name: 'shop_address', type: 'string', source: 'inline', inline_value: 'Kiel, 4 Quay' });
  await make('/v1/variables', {
    ...{ name: 'stripe_token', type: 'string', source: 'inline', is_secret: true, inline_value: 'hidden' },
    allowed_hosts: ['api.stripe.example'],
  });
  await make('/v1/webhooks', { url: 'https://example.com/atrium', events: ['run.failed', 'document'] });
  const cases = ['How long does a refund take?', 'Where is my parcel?'].map((question) => ({
    ...{ messages: [question], expected: 'five days', match: 'contains' },
  }));
  const set = await make('/v1/evaluations', { name: 'Before we publish', agent_id: agentId, cases });
  const evaluationRun = (await make(`/v1/evaluations/${set.id}/runs`, {})).id as string;
  const nodes = [
    { id: 'in', type: 'InputNode', name: 'Order', node_config: { label: 'Order' }, display: at(0) },
    {
      id: 'count',
      type: 'JsonTransformNode',
      name: 'Count',
      node_config: { expression: 'number(value)' },
      display: at(1),
    },
    { id: 'out', type: 'OutputNode', name: 'Tell', node_config: { label: 'Count' }, display: at(2) },
  ];
  const edges = [
    { id: 'a', ...edge('in', 'count', 'value') },
    { id: 'b', ...edge('count', 'out', 'input') },
  ];
  const flow = (await make('/v1/workflows', { name: 'Count letters', definition: { nodes, edges } })).id as string;
  const { id: failedRun } = await make(`/v1/workflows/${flow}/runs/sync`, {
    input: { Order: 'kettle' },
    tracing: true,
  });
  return { set: set.id as string, evaluationRun, flow, failedRun: failedRun as string };
}

const at = (column: number) => ({ position: { x: column * 232, y: 0 } });
const edge = (from: string, to: string, input: string) => ({
  from_id: { node_id: from, connector_name: 'output' },
  to_id: { node_id: to, connector_name: input },
});
