import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  effectiveSettings,
  type SettingName,
  type SparseSettings,
  settingKeys,
} from '@atrium/contract/settings/settings.ts';
import { findSettingsWithoutEffect } from '@atrium/contract/settings/settings-without-effect.ts';
import { isKnownToolName } from '@atrium/contract/settings/tools/tool-names.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';

const app = await scriptedApp();
const { call } = app;
const { name: account } = await app.provider();
const { json: file } = await call('POST', '/v1/files', ...upload('notes.txt', 'Herons wade.'));

function upload(filename: string, content: string) {
  const body = `--b\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n\r\n${content}\r\n--b--\r\n`;
  return [Buffer.from(body), { headers: { 'content-type': 'multipart/form-data; boundary=b' } }] as const;
}

interface Warning {
  loc: string[];
  msg: string;
  type: string;
}
/** Sends settings to every operation that takes some, and returns the warnings of each answer. */
async function warnedBy(sent: object): Promise<[operation: string, at: string[], warnings: Warning[] | undefined][]> {
  const agent = await call('POST', '/v1/agents', { name: 'A', definition: sent });
  const other = await call('POST', '/v1/agents', { name: 'B' });
  const conversation = await call('POST', '/v1/conversations', { settings: sent });
  const empty = await call('POST', '/v1/conversations', {});
  const path = `/v1/agents/${other.json.id}`;
  const file = { format: 'atrium.agent', version: 1, agent: { name: 'C', definition: sent } };
  const drafted = { ...file, agent: { name: 'D', definition: {}, draft_definition: sent } };
  const answers = [
    ['POST agents', ['body', 'definition'], agent],
    ['PATCH agents', ['body', 'definition'], await call('PATCH', path, { definition: sent })],
    ['PATCH the draft', ['body', 'definition'], await call('PATCH', `${path}?preview=true`, { definition: sent })],
    ['POST versions', ['body', 'definition'], await call('POST', `${path}/versions`, { definition: sent })],
    ['import', ['body', 'agent', 'definition'], await call('POST', '/v1/agents/import', file)],
    ['import a draft', ['body', 'agent', 'draft_definition'], await call('POST', '/v1/agents/import', drafted)],
    ['POST conversations', ['body', 'settings'], conversation],
    [
      'PATCH conversations',
      ['body', 'settings'],
      await call('PATCH', `/v1/conversations/${empty.json.id}`, { settings: sent }),
    ],
  ] as const;
  return answers.map(([operation, at, { status, json, text }]) => {
    assert.equal(status, 200, `${operation}: ${text}`);
    return [operation, [...at], json.warnings];
  });
}
const short = (warnings: Warning[] | undefined, at: string[]) =>
  warnings?.map(({ loc, type }) => {
    assert.deepEqual(loc.slice(0, at.length), at);
    return `${loc.slice(at.length).join('.')} ${type}`;
  });

suite('a write is answered with a warning for each setting that has no effect', () => {
  const cases: Record<string, [settings: object, warnings: string[], msg: RegExp]> = {
    'a flow is switched on without one': [
      { agentflow_enabled: true },
      ['agentflow_enabled setting_has_no_effect'],
      /`agentflow_enabled` has no effect while `agent_flow_id` names no flow/,
    ],
    'files are given without the tool that reads them': [
      { agent_files: [file.id], base_tools: [{ type: 'filesystem', enabled: false }] },
      ['agent_files setting_has_no_effect'],
      /no tool that reads files is on/,
    ],
    'satisfaction is measured without insights': [
      { insights_csat_enabled: true, insights_csat_sampling_rate: 0.5 },
      ['insights_csat_enabled setting_has_no_effect', 'insights_csat_sampling_rate setting_has_no_effect'],
      /`insights_csat_enabled` has no effect while `insights_enabled` is not `true`/,
    ],
    'no provider has the model': [
      { model: ['preset:cost', 'anthropic/claude-x', `${account}/nope`] },
      ['model.1 unknown_model', `model.2 unknown_model`],
      /is known to have the model `anthropic\/claude-x`; runs go on to the other models of the list/,
    ],
    'there is no such preset': [
      { model: ['preset:nope'] },
      ['model.0 unknown_model'],
      /`preset:nope`; the list has no other, so every run fails/,
    ],
    'a tool is on in tools and off in base_tools': [
      { tools: [{ type: 'todos' }], base_tools: [{ type: 'todos', enabled: false }] },
      ['base_tools tool_on_and_off'],
      /The tool `todos` is off in `base_tools` and on in `tools`; it is on/,
    ],
    'a text is set and its switch is off': [
      { message_footer: 'Bye', guardrail_action_replace: 'No.', reasoning_effort: 'High', enable_reasoning: false },
      [
        'guardrail_action_replace setting_has_no_effect',
        'reasoning_effort setting_has_no_effect',
        'message_footer setting_has_no_effect',
      ],
      /`guardrail_action.value` is not `replace`/,
    ],
    'an action on violations is chosen and nothing is guarded': [
      { guardrail_action: 'replace', block_after_violations: 3 },
      ['guardrail_action setting_has_no_effect', 'block_after_violations setting_has_no_effect'],
      /no guardrail is on/,
    ],
    'another setting ends, leaves out or empties what was asked for': [
      {
        ...{ retry_on_status_codes: [418], max_retries_per_model: 0 },
        ...{ timeout: 90, tool_timeout: 70, usage_limits_agent_timeout: 60 },
        ...{ languages: ['German', 'fr'], default_language: 'en' },
        ...{ jailbreak: true, guardrail_action: 'replace', hidden_tools: ['todos_add_todo', 'todos_reed', 'search'] },
        base_tools: [
          { type: 'files', author_name: 'Ada' },
          { type: 'human_in_the_loop', has_timeout: true },
        ],
      },
      [
        ...['guardrail_action', 'timeout', 'retry_on_status_codes', 'tool_timeout', 'default_language'],
        ...['hidden_tools', 'base_tools', 'base_tools'],
      ].map((key) => `${key} setting_has_no_effect`),
      /`guardrail_action_replace` is empty/,
    ],
  };
  for (const [what, [settings, expected, msg]] of Object.entries(cases))
    test(`when ${what}`, async () => {
      for (const [operation, at, warnings] of await warnedBy(settings)) {
        assert.deepEqual(short(warnings, at), expected, operation);
        assert.match(warnings?.[0]?.msg ?? '', msg, operation);
      }
    });

  test('and with none when all settings have an effect or their default value', async () => {
    const settings = {
      ...{ model: [`${account}/one`, 'preset:cost', 'atrium/extractive'], agent_files: [file.id] },
      ...{ insights_enabled: true, insights_csat_enabled: true, insights_csat_sampling_rate: 0.5 },
      ...{ tools: [{ type: 'todos' }], base_tools: [{ type: 'todos', requires_approval: true }] },
      ...{ agentflow_enabled: false, message_footer: '', reasoning_effort: null, top_k: 12 },
    };
    for (const [operation, , warnings] of await warnedBy(settings)) assert.equal(warnings, undefined, operation);
    const all = effectiveSettings();
    for (const [operation, , warnings] of await warnedBy({ ...all, base_tools: [] }))
      assert.equal(warnings, undefined, operation);
  });
});

test('a warning names the part of a setting that has no effect, and none is given where it has one', () => {
  const messages = (settings: SparseSettings) => findSettingsWithoutEffect(settings).map(({ msg }) => msg);
  const [hidden = ''] = messages({ hidden_tools: ['todos_add_todo', 'todos_reed', 'search'] });
  assert.match(hidden, /there are no tools `todos_reed`, `search`;/);
  const parts = [
    { type: 'files', author_name: 'Ada' },
    { type: 'human_in_the_loop', has_timeout: true },
  ];
  const [author = '', timeout = ''] = messages({ base_tools: parts });
  assert.match(author, /`files.author_name` has no effect while `custom_author_name` of `files` is off/);
  assert.match(timeout, /`human_in_the_loop.has_timeout` has no effect while `timeout`/);
  const silent = { databases: [{ name: 'd', dsn_variable: 'D', approvers: ['a'] }] };
  const [second, named = ''] = messages({ ...silent, tools: [{ type: 'todos', approver_groups: ['a'] }] });
  assert.match(
    named,
    /`databases.approvers` has no effect while neither `requires_approval` nor `approval_rules` asks/,
  );
  assert.match(second ?? '', /`todos.approver_groups` has no effect/);
  const fitting = [
    { retry_on_status_codes: [418], max_retries_per_model: 1 },
    { timeout: 60, tool_timeout: 60, usage_limits_agent_timeout: 60 },
    { usage_limits_agent_timeout: 60 },
    ...['de-CH', 'german', 'DE'].map((default_language) => ({ languages: ['de', 'fr'], default_language })),
    { default_language: 'Klingon', languages: ['klingon'] },
    { default_language: 'en' },
    { jailbreak: true, guardrail_action: { value: 'replace', label: '' }, guardrail_action_replace: 'No.' },
    { hidden_tools: ['mcp_wiki_find', 'kb_staff_search', 'tables_query', 'theirs'], tools: [{ type: 'theirs' }] },
    { base_tools: [{ type: 'files', author_name: 'Ada', custom_author_name: true }] },
    { base_tools: [{ type: 'human_in_the_loop', has_timeout: true, timeout: 5 }] },
    { base_tools: [{ type: 'todos', requires_approval: true }], tools: [{ type: 'todos', approvers: ['a'] }] },
    { actions: [{ name: 'go', url: 'https://example.com', approver_groups: ['a'], requires_approval: true }] },
    {
      mcp_servers: [{ name: 'wiki', url: 'https://example.com', approvers: ['a'] }],
      tools: [{ type: 'mcp_wiki_edit', approval_rules: [{ argument: 'page', operator: 'present' }] }],
    },
  ] as SparseSettings[];
  for (const settings of fitting) assert.deepEqual(messages(settings), [], JSON.stringify(settings));
});

test('every tool that an agent can have may be hidden without a warning', async () => {
  const { server, name: other } = await app.provider();
  const table = (await call('POST', '/v1/tables', { name: 'T' })).json;
  const base = (await call('POST', '/v1/knowledge-bases', { name: 'B' })).json;
  await call('POST', '/v1/variables', { name: 'D', inline_value: 'postgresql://u:p@db.example/x' });
  const all = effectiveSettings().base_tools.map(({ type }) => ({ type, enabled: true }));
  server.reply({ text: 'Hello' });
  const { status } = await app.ask({
    ...{ model: [`${other}/one`], base_tools: all, tools: [{ type: 'sandbox' }], pii_anonimization: [] },
    ...{ tables: [{ id: table.id, access: 'write' }], knowledge_bases: [base.id], compaction_tool_enabled: true },
    ...{ databases: [{ name: 'd', dsn_variable: 'D' }], actions: [{ name: 'go', url: 'https://example.com' }] },
    ...{ insights_enabled: true, insights_csat_enabled: true, insights_csat_agent_tool_enabled: true },
    ...{ subagents_enabled: true, subagents: [{ id: (await call('POST', '/v1/agents', { name: 'S' })).json.id }] },
  });
  assert.equal(status, 'completed');
  const offered = (server.last().body.tools as { function: { name: string } }[]).map((tool) => tool.function.name);
  assert.ok(offered.length > 35, offered.join());
  assert.deepEqual(
    offered.filter((tool) => !isKnownToolName({ tools: [] }, tool)),
    [],
  );
});

suite('the settings after the merge are judged', () => {
  test('a PATCH of one key sees the others, and does not repeat what it has nothing to do with', async () => {
    const { json: agent } = await call('POST', '/v1/agents', { name: 'A', definition: { insights_enabled: true } });
    const path = `/v1/agents/${agent.id}`;
    const patch = async (definition: object) => (await call('PATCH', path, { definition })).json.warnings;
    assert.equal(await patch({ insights_csat_enabled: true }), undefined);
    const off = await patch({ insights_enabled: false });
    assert.deepEqual(short(off, ['body', 'definition']), ['insights_csat_enabled setting_has_no_effect']);
    assert.equal(await patch({ temperature: 0.2 }), undefined);
    assert.equal((await call('PATCH', path, { name: 'B' })).json.warnings, undefined);
    assert.equal((await call('GET', path)).json.warnings, undefined);
  });

  test('a conversation is judged with the settings of its agent', async () => {
    const definition = { parameter_preset: 'precise', insights_enabled: true, tools: [{ type: 'todos' }] };
    const { json: agent } = await call('POST', '/v1/agents', { name: 'A', definition });
    const make = async (settings: object) =>
      (await call('POST', `/v1/conversations?assistant_id=${agent.id}`, { settings })).json;
    const cold = await make({ temperature: 0.1 });
    assert.deepEqual(short(cold.warnings, ['body', 'settings']), ['temperature setting_has_no_effect']);
    assert.equal((await make({ insights_csat_enabled: true })).warnings, undefined);
    // A layer above may turn a tool off again.
    assert.equal((await make({ base_tools: [{ type: 'todos', enabled: false }] })).warnings, undefined);
    const own = await call('PATCH', `/v1/conversations/${cold.id}`, { settings: { parameter_preset: 'default' } });
    assert.equal(own.json.warnings, undefined);
  });

  test('a key that only runs agents gets the warning for what it may set', async () => {
    const { json: me } = await call('GET', '/v1/admin/me');
    const body = { name: 'weak', permissions: ['agents_run'] };
    const { json: made } = await call('POST', `/v1/admin/groups/${me.group_id}/api-keys`, body);
    const key = made.value as string;
    const { json: agent } = await call('POST', '/v1/agents', {
      name: 'A',
      definition: { parameter_preset: 'precise' },
    });
    const at = `/v1/conversations?assistant_id=${agent.id}`;
    const { json } = await call('POST', at, { settings: { temperature: 0.1 } }, { key });
    assert.deepEqual(short(json.warnings, ['body', 'settings']), ['temperature setting_has_no_effect']);
  });
});

test('every condition of a setting gives a warning when it does not hold', () => {
  const changed: Partial<Record<SettingName, unknown>> = {
    reasoning_effort: 'High',
    auto_model_preference: 'speed',
    tool_display_preset: 'minimal',
    compaction_strategy: 'truncate',
  };
  const other = (value: unknown): unknown => {
    if (typeof value === 'boolean') return !value;
    if (typeof value === 'number') return value / 2 + 0.1;
    return Array.isArray(value) && value.length > 0 && typeof value[0] === 'object'
      ? [{ text: 'x' }]
      : Array.isArray(value)
        ? ['x']
        : 'x';
  };
  for (const [key, { shownWhen, fallback }] of Object.entries(settingKeys) as [
    SettingName,
    (typeof settingKeys)[SettingName],
  ][]) {
    if (!shownWhen) continue;
    const conditions = 'all' in shownWhen ? shownWhen.all : shownWhen.any;
    for (const { key: needed, field, is } of conditions) {
      const wrong = is.includes(true) ? false : is.includes(false) ? true : field ? { [field]: 'warn' } : 'hidden';
      const settings = { [key]: changed[key] ?? other(fallback), [needed]: wrong };
      const found = findSettingsWithoutEffect(settings);
      assert.ok(
        found.some((one) => one.key === key && one.msg.includes(`\`${needed}`)),
        `${key} without ${needed}`,
      );
    }
  }
});
