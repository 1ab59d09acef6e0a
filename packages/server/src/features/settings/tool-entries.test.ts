import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';

const { call } = await testApp();

type Tool = { type: string } & Record<string, unknown>;

async function shown(settings: Record<string, unknown>, query = '') {
  const { status, json, text } = await call('POST', `/v1/conversations${query}`, { settings });
  assert.equal(status, 200, text);
  return json.settings as { tools: Tool[]; base_tools: Tool[] };
}

const toolIn = (tools: Tool[], type: string) => tools.find((tool) => tool.type === type) as Tool;

async function validationErrorsOf(settings: unknown) {
  const { status, json } = await call('POST', '/v1/conversations', { settings });
  assert.equal(status, 422, `${JSON.stringify(settings)} was taken`);
  return json.detail as { loc: string[]; type: string; input: unknown }[];
}

test('base_tools merges by type and keeps the tools that are not named', async () => {
  const { base_tools: before } = await shown({});
  const { base_tools } = await shown({ base_tools: [{ type: 'files', enabled: 'true', author_name: 'Ada' }] });
  assert.deepEqual(
    base_tools,
    before.map((tool) => (tool.type === 'files' ? { ...tool, enabled: true, author_name: 'Ada' } : tool)),
  );
});

test('changes of one base tool add up, within a request and over several', async () => {
  const base_tools = [
    { type: 'todos', enabled: true },
    { type: 'todos', visible: false },
  ];
  const { json } = await call('POST', '/v1/conversations', { settings: { base_tools } });
  const patch = { settings: { base_tools: [{ type: 'todos', enable_subtasks: true, enabled: null }] } };
  const { json: patched } = await call('PATCH', `/v1/conversations/${json.id}`, patch);
  const { enabled, visible, enable_subtasks } = toolIn(patched.settings.base_tools, 'todos');
  assert.deepEqual({ enabled, visible, enable_subtasks }, { enabled: true, visible: false, enable_subtasks: true });
});

test('a validation error inside a base tool names the type in its path', async () => {
  const base_tools = [{ type: 'todos' }, { type: 'memory' }, { type: 'files', enabled: 'maybe', author_name: 5 }];
  assert.deepEqual(
    (await validationErrorsOf({ base_tools })).map(({ loc, type, input }) => ({ loc, type, input })),
    [
      { loc: ['body', 'settings', 'base_tools', '2', 'files', 'enabled'], type: 'bool_parsing', input: 'maybe' },
      { loc: ['body', 'settings', 'base_tools', '2', 'files', 'author_name'], type: 'string_type', input: 5 },
    ],
  );
  const [timeout] = await validationErrorsOf({ tools: [{ type: 'code_execution', timeout: 0 }] });
  assert.deepEqual(timeout?.loc, ['body', 'settings', 'tools', '0', 'code_execution', 'timeout']);
});

test('every extra field of a base tool is checked', async () => {
  const wrong: Record<string, Record<string, unknown>> = {
    human_in_the_loop: { has_timeout: 'maybe', timeout: 'x', handover_message: 1 },
    files: {
      allow_html_graphs: 2,
      show_inline: 2,
      custom_author_name: 2,
      author_name: 2,
      enable_python_sandbox: 2,
      enable_formula_eval: 2,
      experimental: 2,
    },
    code_execution: { timeout: -1 },
    todos: { enable_subtasks: [] },
  };
  for (const [type, fields] of Object.entries(wrong))
    assert.deepEqual(
      (await validationErrorsOf({ base_tools: [{ type, ...fields }] })).map(({ loc }) => loc.slice(3).join('.')),
      Object.keys(fields).map((name) => `0.${type}.${name}`),
    );
});

test('a tool needs a type', async () => {
  for (const list of ['tools', 'base_tools']) {
    const found = await validationErrorsOf({ [list]: [{}, { type: '' }, { type: 3 }, 'files'] });
    assert.deepEqual(
      found.map(({ loc, type }) => `${loc.slice(2).join('.')}: ${type}`),
      [
        `${list}.0.type: missing`,
        `${list}.1.type: string_too_short`,
        `${list}.2.type: string_type`,
        `${list}.3: model_attributes_type`,
      ],
    );
  }
});

test('an entry of tools overrides the base tool of its type and is returned as sent', async () => {
  const sent = [
    { type: 'web_research', requires_approval: 'yes', extra_instructions: null },
    { type: 'code_execution', enabled: null, timeout: '120' },
    { type: 'memory', enabled: false, visible: null },
  ];
  const { tools, base_tools } = await shown({ tools: sent });
  assert.deepEqual(tools, sent);
  const web = toolIn(base_tools, 'web_research');
  assert.deepEqual([web.enabled, web.requires_approval], [true, true]);
  const code = toolIn(base_tools, 'code_execution');
  assert.deepEqual([code.enabled, code.timeout], [true, 120]);
  const memory = toolIn(base_tools, 'memory');
  assert.deepEqual([memory.enabled, memory.visible], [false, true]);
});

test('tools is replaced as a whole, repeated types kept, and with it what it overrode', async () => {
  const sent = [{ type: 'web_research' }, { type: 'web_research', visible: false }, { type: 'schedule_tool', x: [1] }];
  const { json } = await call('POST', '/v1/conversations', { settings: { tools: sent } });
  assert.deepEqual(json.settings.tools, sent);
  assert.equal(toolIn(json.settings.base_tools, 'web_research').visible, false);
  const { json: emptied } = await call('PATCH', `/v1/conversations/${json.id}`, { settings: { tools: [] } });
  assert.deepEqual(emptied.settings.tools, []);
  assert.equal(toolIn(emptied.settings.base_tools, 'web_research').enabled, false);
});

test('a conversation has the last word on a base tool that the tools of its agent turned on', async () => {
  const { json: agent } = await call('POST', '/v1/agents', {
    name: 'A',
    definition: { tools: [{ type: 'code_execution', timeout: 5 }] },
  });
  const off = { base_tools: [{ type: 'code_execution', enabled: false }] };
  const { tools, base_tools } = await shown(off, `?assistant_id=${agent.id}`);
  assert.deepEqual(tools, [{ type: 'code_execution', timeout: 5 }]);
  const { enabled, timeout } = toolIn(base_tools, 'code_execution');
  assert.deepEqual([enabled, timeout], [false, 5]);
});

test('keeps unknown tool types with all of their fields, also with odd names', async () => {
  const strange: Record<string, unknown>[] = [
    { type: 'from_the_future', deep: { list: [1, null, { a: 'b' }] }, enabled: 'perhaps' },
    { type: 'valueOf', kb_id: 4 },
    { type: 'files', constructor: 1, toString: 'x' },
  ];
  const { base_tools } = await shown({ base_tools: strange });
  assert.deepEqual(base_tools.slice(10), strange.slice(0, 2));
  assert.equal(toolIn(base_tools, 'files').toString, 'x');
});

test('a kb_qa tool needs its kb_id and a workflow tool its workflow_id', async () => {
  const tools = [{ type: 'kb_qa' }, { type: 'workflow', workflow_id: 7 }, { type: 'kb_qa', kb_id: null }];
  assert.deepEqual(
    (await validationErrorsOf({ tools })).map(({ loc, type }) => `${loc.slice(2).join('.')}: ${type}`),
    ['tools.0.kb_qa.kb_id: missing', 'tools.1.workflow.workflow_id: string_type', 'tools.2.kb_qa.kb_id: missing'],
  );
});
