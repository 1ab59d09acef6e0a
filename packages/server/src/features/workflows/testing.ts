import { keyed, plain } from '@atrium/contract/workflows/node-types/connectors.ts';
import { nodeType } from '@atrium/contract/workflows/node-types/node-type.ts';
import { configOf } from '@atrium/contract/workflows/node-types/read-node-config.ts';
import { makeLog } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import { fillTemplate } from './engine/fill-placeholders.ts';
import { runStep, type StepContext } from './engine/step-executor.ts';
import { defineNode, type ExecutableNode, type NodeContext, type Outputs } from './nodes/define-node.ts';
import { EngineRequest } from './nodes/engine-request.ts';
import { NodeFailure } from './nodes/node-failure.ts';

/** A scope with all permissions; a test that needs a real workspace passes its own. */
const anybody: Scope = {
  tenant_id: '00000000-0000-7000-8000-000000000001',
  workspace_id: '00000000-0000-7000-8000-000000000002',
  home_workspace_id: '00000000-0000-7000-8000-000000000002',
  actor: { kind: 'system', id: '00000000-0000-7000-8000-000000000003', name: 'test' },
  permissions: new Set(['workspace_admin']),
  tenant_admin: false,
  request_id: 'test',
  log: makeLog('silent', () => {}),
  signal: new AbortController().signal,
};

type Given = Partial<Omit<NodeContext, 'render' | 'evaluate'>> & { variables?: Record<string, string> };

/** Runs one node as the engine does: with its config checked and filled in, and its inputs converted. */
export async function tryNode(
  node: ExecutableNode,
  inputs: Outputs,
  config: Record<string, unknown> = {},
  given: Given = {},
) {
  const lines: string[] = [];
  const { variables = {}, ...more } = given;
  const context: StepContext = {
    scope: anybody,
    run_id: '00000000-0000-7000-8000-000000000004',
    workflow_id: '00000000-0000-7000-8000-000000000005',
    node_id: '00000000-0000-7000-8000-000000000006',
    key: 'test',
    attempt: 1,
    signal: new AbortController().signal,
    input: {},
    resumed: undefined,
    log: (line) => lines.push(line),
    warn: ({ message }) => lines.push(message),
    reveal: async (value) => value,
    scrub: (value) => value,
    labels: {},
    fill: async (text, values, as) => fillTemplate(text, values, new Map(Object.entries(variables)), as),
    ...more,
  };
  return { result: await runStep(node, context, inputs, configOf(node, config)), lines };
}

/** The outputs of a node that makes no request to the engine. */
export async function runNode(node: ExecutableNode, inputs: Outputs, config?: Record<string, unknown>, given?: Given) {
  const { result } = await tryNode(node, inputs, config, given);
  if (result instanceof EngineRequest) throw new Error(`The node asked for ${result.kind}`);
  return result;
}

/** A node of a definition, with the keys that the server reads. */
export const aNode = (id: string, type: string, node_config: Record<string, unknown> = {}, more: object = {}) => ({
  id,
  type,
  name: id,
  node_config,
  ...more,
});

/** An edge, written `from.connector -> to.connector` or `to.connector[key]`. */
export function anEdge(text: string) {
  const [, from, output, to, input, key] = /^(\S+)\.(\w+) -> (\S+)\.(\w+)(?:\[(.+)\])?$/.exec(text) ?? [];
  if (!from || !to) throw new Error(`That is no edge: ${text}`);
  return {
    id: text,
    from_id: { node_id: from, connector_name: output, key: null, optional: false },
    to_id: { node_id: to, connector_name: input, key: key ?? null, optional: false },
  };
}

/** Two nodes that record their keys; one of them fails while `failing` is true. */
export function watchedNodes() {
  const watched = { failing: true, done: [] as string[] };
  const common = {
    category: 'other' as const,
    inputs: [plain('value', { data_type: 'Custom', optional: true }), keyed('more', { optional: true })],
    outputs: [plain('output', { data_type: 'Custom' })],
    config: {},
    effects: 'outside' as const,
  };
  const flaky = defineNode(
    nodeType({ ...common, type: 'FlakyNode', title: 'Flaky', description: 'Fails on demand.' }),
    async ({ key }, { value }) => {
      if (watched.failing) throw new NodeFailure('flaky', 'Not now');
      watched.done.push(key);
      return { output: value };
    },
  );
  const effect = defineNode(
    nodeType({ ...common, type: 'EffectNode', title: 'Effect', description: 'Does something once.' }),
    async ({ key }, { value }) => {
      watched.done.push(key);
      return { output: value };
    },
  );
  return { watched, nodes: [flaky, effect] };
}

type Call = (method: string, path: string, body?: unknown, options?: { key?: string }) => Promise<Answer>;
// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Answer = { status: number; json: any; text: string };

/** Shorthands to create and run workflows in tests. */
export function flowsOf(call: Call) {
  const fine = ({ status, json, text }: Answer) => {
    if (status !== 200) throw new Error(text);
    return json;
  };
  return {
    async flow(nodes: object[], edges: string[], more: object = {}, key?: string): Promise<string> {
      const body = { name: 'test', type: 'flow', definition: { nodes, edges: edges.map(anEdge) }, ...more };
      return fine(await call('POST', '/v1/workflows', body, key ? { key } : {})).id;
    },
    sync: async (id: string, input: object = {}, query = '', more: object = {}, key?: string) =>
      fine(await call('POST', `/v1/workflows/${id}/runs/sync${query}`, { input, ...more }, key ? { key } : {})),
    /** The run once it is over or waits for an approval. */
    async ended(id: string) {
      await call('GET', `/v1/runs/${id}/events`);
      return fine(await call('GET', `/v1/runs/${id}`));
    },
  };
}
