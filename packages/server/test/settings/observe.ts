import assert from 'node:assert/strict';
import type { SettingPath } from '@atrium/contract/settings/paths.ts';
import type { AppOptions } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import type { Json, Reply, ScriptedProvider } from '../../src/drivers/models/conformance-support.ts';
import { aNode, anEdge } from '../../src/features/workflows/testing.ts';
import { anthropicProvider } from '../providers/anthropic-provider.ts';
import { openaiProvider } from '../providers/openai-provider.ts';
import { closing, scriptedApp } from '../support/scripted-app.ts';
import { until } from '../support/two-nodes.ts';

const providers = { 'openai-compatible': openaiProvider, anthropic: anthropicProvider };
export type ProviderKind = keyof typeof providers;

/** The requests to the provider and the answers to the caller of one question to an agent. */
export interface Observation {
  path: SettingPath;
  /** The HTTP status of the last request. */
  status: number;
  /** The bodies that the model of the agent has got by now. */
  sent: Json[];
  /** The bodies that the guardrail model got. */
  judged: Json[];
  /** The text that the caller of the agent got. */
  text: string;
  /** The raw answer to the caller: the stream of a conversation or of completions, the result of the subagent's task. */
  answer: string;
  /** The stored conversation of the agent, with `messages` and `ui_messages`. */
  stored: Json;
  /** The text of the stored reply's warnings. */
  warnings: string[];
}

/** The nodes and edges of a flow whose nodes use this model. */
export type MakeGraph = (model: unknown) => { nodes: object[]; edges: string[] };
const chatGraph =
  (instructions: string): MakeGraph =>
  (model) => ({
    nodes: [
      aNode('start', 'AgentStartNode'),
      aNode('chat', 'ChatAgentNode', { instructions, model }),
      aNode('end', 'AgentEndNode'),
    ],
    edges: ['start.message -> chat.message', 'chat.output -> end.message'],
  });

export interface Question {
  settings: Record<string, unknown>;
  /** The flow that drives the conversation on the path `flow`. */
  graph?: MakeGraph | undefined;
  /** The permissions of the caller; an administrator where there are none. */
  permissions?: readonly string[] | undefined;
  replies?: readonly Reply[] | undefined;
  /** The messages, one after another. */
  says: readonly string[];
}

/** The app of the experiments: one guardrail model for all, and one way to ask for each path. */
export async function makeObserver(changes: Partial<Config> = {}, options: AppOptions = {}) {
  const app = await scriptedApp({ guardrail_model: 'p1/one', ...changes }, options);
  const { server: judge } = await app.provider();
  judge.answers = ({ messages }) => {
    const severity = JSON.stringify(messages).includes('forbidden') ? 'severe' : 'none';
    return { text: JSON.stringify({ flagged: severity !== 'none', severity, reason: 'As graded' }) };
  };
  const { call } = app;

  async function good(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await call(method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
    return answer.json;
  }
  let count = 0;
  async function makeKey(permissions: readonly string[]): Promise<string> {
    const { group_id } = await good('GET', '/v1/admin/me');
    return (
      await good('POST', `/v1/admin/groups/${group_id}/api-keys`, { name: 'weak', permissions, reach: 'workspace' })
    ).value;
  }
  let account: string | undefined;
  /** A provider account. The one before it is removed, so that no other experiment picks its models. */
  async function makeAccount(provider: ProviderKind) {
    if (account) await good('DELETE', `/v1/admin/providers/${account}`);
    const server = await closing(providers[provider]());
    const name = `a${++count}`;
    const models = ['one', 'two', 'small', 'cheap', 'dear'];
    const body = { name, provider, base_urls: [server.url], api_key: 'k', models };
    account = (await good('POST', '/v1/admin/providers', body)).id;
    return { server, name };
  }
  async function makeAgent(settings: Record<string, unknown>) {
    const name = `Agent${++count}`;
    const { id } = await good('POST', '/v1/agents', { name, definition: settings, description: 'Answers.' });
    return { id: id as string, name };
  }
  const stream = async (url: string, payload: object, key: string) => {
    const headers = { 'x-api-key': key };
    const { statusCode, payload: text } = await app.app.server.inject({ method: 'POST', url, headers, payload });
    return { status: statusCode, answer: text };
  };
  const deltas = (answer: string, read: (chunk: Json) => string | undefined) =>
    [...answer.matchAll(/^data: (\{.*\})$/gm)].map(([, line]) => read(JSON.parse(line as string)) ?? '').join('');

  async function converse(settings: Record<string, unknown>, says: readonly string[], key: string) {
    const agent = await makeAgent(settings);
    const { id } = await good('POST', `/v1/conversations?assistant_id=${agent.id}`, {});
    let last = { status: 0, answer: '' };
    for (const content of says) last = await stream(`/v1/conversations/${id}/stream?format=ui`, { content }, key);
    const text = deltas(last.answer, (chunk) => (chunk.type === 'text-delta' ? chunk.delta : undefined));
    return { ...last, text, agent: agent.id };
  }

  async function makeFlow(model: unknown, instructions = 'Be kind', makeGraph = chatGraph(instructions)) {
    const { nodes, edges } = makeGraph(model);
    const body = { name: `Flow ${++count}`, type: 'agent_flow', definition: { nodes, edges: edges.map(anEdge) } };
    return (await good('POST', '/v1/workflows', body)).id as string;
  }

  interface Asked {
    settings: Record<string, unknown>;
    says: readonly string[];
    key: string;
    makeFlow(): Promise<string>;
  }
  type Ask = (asked: Asked) => Promise<Json>;
  const ways: Record<SettingPath, Ask> = {
    conversation: ({ settings, says, key }) => converse(settings, says, key),
    flow: async ({ settings, says, key, makeFlow: own }) =>
      converse({ ...settings, agentflow_enabled: true, agent_flow_id: await own() }, says, key),
    async subagent({ settings, says, key }) {
      const child = await makeAgent(settings);
      const { server: asking, name } = await app.provider();
      const tasks = says.map((task, at) => ({
        tool_calls: [{ id: `t${at}`, name: 'subagents_delegate', input: { agent: child.name, task } }],
      }));
      asking.reply(...tasks, { text: 'Done' });
      const own = { model: [`${name}/one`], pii_anonimization: [], max_retries_per_model: 0 };
      const delegating = { subagents_enabled: true, subagents: [child.id] };
      const asked = await converse({ ...own, ...delegating, agent_title_mode: 'off' }, ['Go on'], key);
      const result = asking.last().body.messages.findLast(({ role }: Json) => role === 'tool')?.content ?? '';
      return { status: asked.status, answer: result, text: JSON.parse(result || '{}').reply ?? '', agent: child.id };
    },
    async completions({ settings, says, key }) {
      const agent = await makeAgent(settings);
      const messages = says.map((content) => ({ role: 'user', content }));
      const last = await stream('/v1/chat/completions', { model: `agent:${agent.id}`, stream: true, messages }, key);
      return {
        ...last,
        text: deltas(last.answer, (chunk) => chunk.choices?.[0]?.delta?.content),
        agent: agent.id,
      };
    },
  };

  async function storedFor(agent: string): Promise<Json> {
    const [row] = await app.query(
      'select id from conversations where assistant_id = $1 order by created_at desc limit 1',
      [agent],
    );
    if (!row) return undefined;
    return until('the run has ended or waits', async () => {
      const { json } = await call('GET', `/v1/conversations/${row.id}`);
      return json.status === 'running' ? undefined : json;
    });
  }

  return {
    ...app,
    ...{ good, judge, makeFlow },
    /** Asks an agent in one way. `prepare` gets the name of a provider account of its own. */
    async observe(
      path: SettingPath,
      prepare: (account: string) => Promise<Question>,
      provider: ProviderKind = 'openai-compatible',
    ): Promise<Observation> {
      const { server, name } = await makeAccount(provider);
      const { settings, replies = [], says, graph, permissions } = await prepare(name);
      const key = permissions ? await makeKey(permissions) : app.admin;
      server.reply(...replies);
      const judged = judge.requests.length;
      const basics = { model: [`${name}/one`], max_retries_per_model: 0, agent_title_mode: 'off' };
      const { agent, ...seen } = await ways[path]({
        settings: { ...basics, pii_anonimization: [], ...settings },
        makeFlow: () => makeFlow(basics.model, undefined, graph),
        ...{ says, key },
      });
      const stored = await storedFor(agent);
      return {
        ...seen,
        ...{ path, stored },
        get sent() {
          return bodiesOf(server);
        },
        judged: bodiesOf(judge).slice(judged),
        warnings: stored?.messages?.at(-1)?.metadata?.warnings ?? [],
      };
    },
  };
}
export type Observer = Awaited<ReturnType<typeof makeObserver>>;

const bodiesOf = ({ requests }: ScriptedProvider) => requests.map(({ body }) => body);
