import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await scriptedApp();
const { call } = app;
const { server, name } = await app.provider();
const model = { model: [`${name}/one`], max_retries_per_model: 0, pii_anonimization: [] };

/** A key of the same workspace that can talk to agents and nothing else. */
const weak = await (async () => {
  const { json } = await call('GET', `/v1/conversations/${await app.converse({})}`);
  const key = await call('POST', `/v1/admin/groups/${json.group_id}/api-keys`, {
    name: 'weak',
    permissions: ['agents_run'],
    reach: 'workspace',
  });
  return key.json.value as string;
})();

async function workflow(name: string, nodes: object[], edges: string[], type = 'flow') {
  const made = await call('POST', '/v1/workflows', { name, type, definition: { nodes, edges: edges.map(anEdge) } });
  assert.equal(made.status, 200, made.text);
  return made.json.id as string;
}
const progress = await workflow(
  'Greet',
  [aNode('t', 'ComposeTextNode', { template: 'Hello' }), aNode('o', 'OutputNode', { label: 'o' })],
  ['t.output -> o.input'],
);
const echo = await workflow(
  'Echo',
  [aNode('Hear', 'AgentStartNode'), aNode('Say', 'AgentEndNode')],
  ['Hear.message -> Say.message'],
  'agent_flow',
);

/** For each key: settings and replies that make such a part, its types, and a text that only it has. */
const cases = [
  {
    key: 'hide_reasoning',
    settings: model,
    replies: [{ reasoning: 'a secret thought', text: 'Good day.' }],
    types: ['reasoning', 'reasoning-delta', 'thinking'],
    text: 'a secret thought',
  },
  {
    key: 'hide_workflow_progress',
    settings: { ...model, workflows: [progress] },
    replies: [{ tool_calls: [{ id: 'c1', name: 'workflow_greet', input: {} }] }, { text: 'Good day.' }],
    types: ['workflow_progress', 'data-workflow-progress'],
    text: 'Greet: completed',
  },
  {
    key: 'hide_error_banners',
    settings: model,
    replies: [{ status: 400, error: 'No such thing' }],
    types: ['error', 'data-error'],
    text: null,
  },
  {
    key: 'hide_state_transitions',
    settings: { model: ['atrium/extractive'], agentflow_enabled: true, agent_flow_id: echo },
    replies: [],
    types: ['state_transition', 'data-state-transition'],
    text: 'Hear → Say',
  },
];

const typesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(typesIn);
  if (typeof value !== 'object' || value === null) return [];
  const { type, part_kind } = value as { type?: unknown; part_kind?: unknown };
  const own = [type, part_kind].filter((name) => typeof name === 'string');
  return [...own, ...Object.values(value).flatMap(typesIn)];
};

for (const { key, settings, replies, types, text } of cases) {
  /** Every way to read a reply, each after a turn of its own where it is a turn. */
  async function readAll(hide: boolean, as: string) {
    const id = await app.converse({ ...settings, [key]: hide });
    const path = `/v1/conversations/${id}`;
    const turn = async (at: string, wanted: string) => {
      server.reply(...replies);
      const answer = await call('POST', at, { content: 'Hi' }, { key: as });
      assert.equal(answer.status, 200, answer.text);
      return wanted === 'stream' ? answer.text : answer.json;
    };
    const read = async (at: string) => (await call('GET', at, undefined, { key: as })).json;
    const answered = await turn(path, 'json');
    return {
      answer: answered.messages,
      ui_answer: answered.ui_messages,
      reload: (await read(path)).messages,
      ui_reload: (await read(path)).ui_messages,
      messages: (await read(`${path}/messages`)).items,
      export: (await read(`${path}/export?format=json`)).messages,
      markdown: (await call('GET', `${path}/export`, undefined, { key: as })).text,
      chat: (await turn(`${path}/chat`, 'json')).parts,
      plain: await turn(`${path}/stream`, 'stream'),
      ui: await turn(`${path}/stream?format=ui`, 'stream'),
      json: await turn(`${path}/stream?format=json`, 'stream'),
      ...(await readAgain(path, as)),
    };
  }
  /** The ways to read what another request has begun or written. */
  async function readAgain(path: string, as: string) {
    const get = async (at: string) => (await call('GET', at, undefined, { key: as })).text;
    const run_id = (await call('GET', `/v1/runs?conversation_id=${path.split('/').at(-1)}`)).json.items[0].id;
    const { messages } = (await call('GET', path)).json;
    const rewrite = async (sub: string, body?: object) => {
      server.reply(...replies);
      const answer = await call('POST', `${path}/messages/${sub}`, body, { key: as });
      assert.equal(answer.status, 200, answer.text);
      return answer.json.messages.at(-1);
    };
    return {
      run: await get(`/v1/runs/${run_id}/events`),
      run_ui: await get(`/v1/runs/${run_id}/events?format=ui`),
      follow: await get(`${path}/events?format=ui&after=0`),
      regenerated: await rewrite(`${messages.at(-1).id}/regenerate`),
      edited: await rewrite(`${messages[0].id}/edit`, { content: 'Hi again' }),
    };
  }
  /** The ways on which the part is there. `error` as a chunk is the end of a stream, not a banner. */
  const shownOn = (ways: Awaited<ReturnType<typeof readAll>>) =>
    Object.entries(ways).flatMap(([way, value]) => {
      if (typeof value !== 'string') return typesIn(value).some((type) => types.includes(type)) ? [way] : [];
      if (way === 'markdown') return text !== null && value.includes(text) ? [way] : [];
      return types.some((type) => type !== 'error' && value.includes(`"${type}"`)) ? [way] : [];
    });
  const rewritten = ['regenerated', 'edited'];
  const stored = ['answer', 'reload', 'messages', 'export', ...rewritten, ...(text === null ? [] : ['markdown'])];
  const chat = key === 'hide_reasoning' ? ['chat'] : [];
  const shown = ['ui_answer', 'ui_reload', 'plain', 'ui', 'json', 'run_ui', 'follow'];

  test(`${key} hides those parts on every path from a key that can only run agents`, async () => {
    assert.deepEqual(shownOn(await readAll(true, weak)), []);
    assert.deepEqual(shownOn(await readAll(false, weak)).sort(), [...stored, ...chat, ...shown].sort());
  });

  test(`${key} leaves those parts in messages and /chat for a key with workspace_admin`, async () => {
    assert.deepEqual(shownOn(await readAll(true, app.admin)).sort(), [...stored, ...chat].sort());
  });
}

test('hide_error_banners leaves the text of /chat empty for a weak key, which still learns that the run failed', async () => {
  const chat = async (hide_error_banners: boolean, key: string) => {
    server.reply({ status: 400, error: 'No such thing' });
    const id = await app.converse({ ...model, hide_error_banners });
    const { json } = await call('POST', `/v1/conversations/${id}/chat`, { content: 'Hi' }, { key });
    return [json.status, json.error.code, json.parts.at(-1).parts.at(-1).content.length > 0];
  };
  assert.deepEqual(await chat(true, weak), ['failed', 'model_failed', false]);
  assert.deepEqual(await chat(false, weak), ['failed', 'model_failed', true]);
  assert.deepEqual(await chat(true, app.admin), ['failed', 'model_failed', true]);
});

test('/chat says that a run was completed, and gives no error', async () => {
  server.reply({ text: 'Good day.' });
  const id = await app.converse(model);
  const { json } = await call('POST', `/v1/conversations/${id}/chat`, { content: 'Hi' });
  assert.deepEqual([json.status, json.error], ['completed', null]);
});

test('items of the list of conversations have empty ui_messages and no messages', async () => {
  const id = await app.converse(model);
  server.reply({ text: 'Good day.' });
  await call('POST', `/v1/conversations/${id}`, { content: 'Hi' });
  const { json } = await call('GET', '/v1/conversations?size=100');
  const item = json.items.find((found: { id: string }) => found.id === id);
  assert.deepEqual([item.ui_messages, 'messages' in item], [[], false]);
});
