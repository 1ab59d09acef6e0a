import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { effectiveSettings, type SettingName, settingKeys } from '@atrium/contract/settings/settings.ts';
import { findSettingsWithoutEffect } from '@atrium/contract/settings/settings-without-effect.ts';
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
      /No configured provider is known to have the model `anthropic\/claude-x`/,
    ],
    'there is no such preset': [{ model: ['preset:nope'] }, ['model.0 unknown_model'], /`preset:nope`/],
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
