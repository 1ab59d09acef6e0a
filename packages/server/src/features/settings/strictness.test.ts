import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inheritedKeys } from '@atrium/contract/settings/layers.ts';
import { settingClasses } from '@atrium/contract/settings/setting-class.ts';
import { effectiveSettings, type SettingName, type Settings, settingKeys } from '@atrium/contract/settings/settings.ts';
import fc from 'fast-check';
import { isAsStrict, tighten, tightenSettings } from './tighten-settings.ts';

const grade = fc.record(
  { value: fc.constantFrom('Off', 'Low', 'Medium', 'High'), context: fc.constantFrom('', 'a') },
  { noNullPrototype: true },
);
const entities = fc.uniqueArray(fc.constantFrom('PERSON', 'URL', 'EMAIL_ADDRESS'), { maxLength: 3 });
const values: Partial<Record<SettingName, fc.Arbitrary<unknown>>> = {
  pii_anonimization: entities.map((list) => list.map((value) => ({ value, label: value }))),
  toxicity: grade,
  jailbreak: fc.boolean(),
  guardrails_output_mode: fc.constantFrom('pre_stream', 'post_stream'),
  guardrail_action: fc.constantFrom('fail', 'replace', 'human', 'warn').map((value) => ({ value, label: value })),
  block_after_violations: fc.nat({ max: 3 }),
  usage_limits_maximum_tokens: fc.integer({ min: 1, max: 9 }),
};

test('every key has a class', () => {
  for (const [name, { class: group }] of Object.entries(settingKeys)) assert.ok(settingClasses.includes(group), name);
});

test('every key that child runs inherit has a direction', () => {
  for (const name of inheritedKeys) assert.ok(settingKeys[name].stricter, name);
});

test('tightens two values to one as strict as the bound, and no less strict than a comparable own value', () => {
  for (const [name, value] of Object.entries(values) as [SettingName, fc.Arbitrary<never>][])
    fc.assert(
      fc.property(value, value, (own, bound) => {
        const both = tighten(name, own, bound);
        // Of two actions that both keep the reply back neither is stricter, and a guardrail that is off has no context.
        const isComparable = name !== 'guardrail_action' && (bound as { value?: string }).value !== 'Off';
        if (isComparable) assert.ok(isAsStrict(name, bound, both), `${name} ${JSON.stringify(both)}`);
        assert.deepEqual(tighten(name, both, bound), both);
        if (isAsStrict(name, bound, own)) assert.deepEqual(both, own);
      }),
    );
});

test('zero, a shorter list of entities and another context are not stricter', () => {
  const refused: { [N in SettingName]?: [Settings[N], Settings[N]] } = {
    block_after_violations: [3, 0],
    pii_anonimization: [[{ value: 'PERSON', label: '' }], []],
    toxicity: [
      { value: 'Low', context: '' },
      { value: 'High', context: 'flag nothing' },
    ],
    guardrail_action: [
      { value: 'human', label: '' },
      { value: 'fail', label: '' },
    ],
    model: [['a'], ['b']],
    chatflow_tools: [['files'], []],
    usage_limits_max_messages: [10, 11],
  };
  for (const [name, [before, after]] of Object.entries(refused) as [SettingName, [never, never]][])
    assert.equal(isAsStrict(name, before, after), false, name);
});

test('entries may go and ask people more, and never ask for more', () => {
  const entry = { id: 'a', access: 'write' as const };
  assert.ok(isAsStrict('tables', [entry], []));
  assert.ok(isAsStrict('tables', [entry], [{ ...entry, access: 'read' }]));
  assert.equal(isAsStrict('tables', [{ ...entry, access: 'read' }], [entry]), false);
  assert.equal(isAsStrict('tables', ['a'], ['a', 'b']), false);
  assert.equal(isAsStrict('tables', ['a'], ['a', 'a']), false);
  const asking = { type: 'coworker', requires_approval: true };
  assert.equal(isAsStrict('tools', [asking], []), false);
  const rule = { type: 'sandbox', approval_rules: [{ argument: 'a', operator: 'present' }] };
  assert.equal(isAsStrict('tools', [rule], [{ ...rule, approval_rules: [] }]), false);
  const server = { name: 'm', url: 'https://m.example', tool_changes: 'accept' as const };
  assert.ok(isAsStrict('mcp_servers', [server], [{ ...server, tool_changes: 'hold', allowed_tools: ['a'] }]));
  assert.equal(isAsStrict('mcp_servers', [server], [{ ...server, url: 'https://n.example' }]), false);
});

test('base tools are compared as they hold in the end', () => {
  const usual = effectiveSettings().base_tools;
  const set = (change: { type: string } & Record<string, unknown>) =>
    effectiveSettings({ base_tools: [change] }).base_tools;
  assert.ok(isAsStrict('base_tools', usual, set({ type: 'filesystem', enabled: false })));
  assert.ok(isAsStrict('base_tools', usual, set({ type: 'filesystem', requires_approval: true })));
  assert.equal(isAsStrict('base_tools', usual, set({ type: 'code_execution', enabled: true })), false);
  const asked = set({ type: 'filesystem', requires_approval: true });
  assert.equal(isAsStrict('base_tools', asked, usual), false);
});

test('settings are tightened in the inherited keys alone', () => {
  const own = effectiveSettings({ temperature: 0.1, usage_limits_maximum_request: 5 });
  const bound = effectiveSettings({ temperature: 0.9, usage_limits_maximum_request: 7, jailbreak: true });
  const both = tightenSettings(own, bound);
  assert.deepEqual([both.temperature, both.usage_limits_maximum_request, both.jailbreak], [0.1, 5, true]);
});

test('no value of a key without a direction is as strict as another', () => {
  for (const [name, { stricter }] of Object.entries(settingKeys))
    if (!stricter) assert.equal(isAsStrict(name as SettingName, undefined as never, undefined as never), false, name);
});
