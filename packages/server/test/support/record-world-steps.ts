import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { aNode, anEdge } from '../../src/features/workflows/testing.ts';
import type { Answer, CallOptions, TestApp } from './test-app.ts';

const vocabulary = 'walnut cat kitten dog puppy car vehicle budget salary board minutes merger'.split(' ');
const tools = ['filesystem', 'code_execution', 'memory'].map((type) => ({ type, enabled: true }));
const settings = { model: ['atrium/extractive'], pii_anonimization: [], base_tools: tools };

interface Chance {
  random(): number;
  pick<T>(values: readonly T[]): T;
}

/** What people do in the random worlds: workflow runs, files, conversations with sandboxes, and deliveries of a trigger. */
export async function makeRecordSteps({ call, query }: TestApp, { random, pick }: Chance) {
  const send = async (
    method: string,
    path: string,
    body: unknown,
    options: CallOptions = {},
  ): Promise<Answer['json']> => {
    const { headers, ...rest } = options;
    const answer = await call(method, path, body, { ...rest, headers: { ...headers } });
    assert.ok(answer.status < 300, `${method} ${path} answered ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const text = () => Array.from({ length: 12 }, () => pick(vocabulary)).join(' ');
  const [input, output] = [
    aNode('in', 'InputNode', { label: 'Value', type: 'Custom' }),
    aNode('out', 'OutputNode', { label: 'Result' }),
  ];
  const flow = async (node: object, into: string, from: string): Promise<string> => {
    const edges = [`in.output -> it.${into}`, `it.${from} -> out.input`].map(anEdge);
    const body = { name: 'flow', type: 'flow', definition: { nodes: [input, node, output], edges } };
    return (await send('POST', '/v1/workflows', body)).id;
  };
  const agent_id = (await send('POST', '/v1/agents', { name: 'agent', definition: settings })).id;
  const flows = [
    await flow(aNode('it', 'ComposeTextNode', { template: 'Said: ((Value))' }), 'variables[Value]', 'output'),
    await flow(aNode('it', 'JsonTransformNode', { expression: 'value.missing' }), 'value', 'output'),
    await flow(aNode('it', 'ApprovalNode', { question: 'Well?', permission: 'workspace_admin' }), 'value', 'approved'),
    await flow(aNode('it', 'AgentCallNode', { agent_id }), 'message', 'output'),
  ];
  const trigger = await send('POST', `/v1/workflows/${flows[0]}/triggers`, { definition: { type: 'webhook' } });
  const made: { path: string; options: CallOptions }[] = [];
  const note = (path: string, options: CallOptions) => made.push({ path, options });

  /** Waits until nothing is under way any more. */
  async function settled(): Promise<void> {
    const open = `select 1 from runs where status in ('queued', 'running')
      union all select 1 from workflow_runs where status in ('queued', 'running')
      union all select 1 from trigger_deliveries where status in ('pending', 'running') and run_id is null`;
    for (let look = 0; look < 6000 && (await query(open)).length > 0; look++) await sleep(10);
  }

  const steps: Record<string, (options: CallOptions) => Promise<void>> = {
    async 'starts a workflow'(options) {
      await send('POST', `/v1/workflows/${pick(flows)}/runs/sync`, { input: { Value: text() } }, options);
    },
    async 'uploads a file'(options) {
      const body = `--B\r\ncontent-disposition: form-data; name="file"; filename="${pick(vocabulary)}.txt"\r\n\r\n${text()}\r\n--B--\r\n`;
      const headers = { ...options.headers, 'content-type': 'multipart/form-data; boundary=B' };
      note(`/v1/files/${(await send('POST', '/v1/files', body, { ...options, headers })).id}`, options);
    },
    async 'converses with an attachment'(options) {
      const { id } = await send('POST', `/v1/conversations?assistant_id=${agent_id}`, { name: text() }, options);
      const files = [{ name: `${pick(vocabulary)}.txt`, b64_content: Buffer.from(text()).toString('base64') }];
      await send('POST', `/v1/conversations/${id}`, { content: text(), files }, options);
      note(`/v1/conversations/${id}`, options);
    },
    async 'has an agent run code'(options) {
      const { id } = await send('POST', `/v1/conversations?assistant_id=${agent_id}`, { name: text() }, options);
      const content = JSON.stringify({ language: 'bash', code: `echo ${text()} > made.txt` });
      await send('POST', `/v1/conversations/${id}`, { content, tool: 'code_execution_run' }, options);
      note(`/v1/conversations/${id}`, options);
    },
    async 'has a webhook deliver'() {
      await send('POST', `/hooks/${trigger.routing_key}`, { Value: text() }, { key: null });
    },
    async 'deletes what they made'(options) {
      const index = made.findIndex((record) => record.options === options);
      const [record] = index < 0 ? [] : made.splice(index, 1);
      if (record) await send('DELETE', record.path, undefined, options);
    },
  };

  return {
    /** One step of a person; says what was done. */
    async take(options: CallOptions): Promise<string> {
      const chosen = pick(Object.keys(steps).filter((name) => name !== 'deletes what they made' || random() < 0.5));
      await steps[chosen]?.(options);
      await settled();
      return chosen;
    },
    /** What is asked before and after each step. */
    paths: () => [
      ...[
        '/v1/runs?size=100',
        '/v1/conversations?size=100',
        '/v1/files?size=100',
        '/v1/sandboxes',
        '/v1/approvals?status=all',
      ],
      ...flows.map((id) => `/v1/workflows/${id}/runs?size=100`),
      ...[`/v1/triggers/${trigger.id}/deliveries?size=100`, '/v1/search?q=walnut&limit=20', '/v1/tables', '/v1/agents'],
      `/v1/agents/${agent_id}/memories`,
    ],
  };
}
