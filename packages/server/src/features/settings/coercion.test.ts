import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';

const { call } = await testApp();

/** Returns the settings of a new conversation that was created with these. */
async function shown(settings: Record<string, unknown>) {
  const { status, json, text } = await call('POST', '/v1/conversations', { settings });
  assert.equal(status, 200, text);
  return json.settings;
}

async function validationErrorsOf(settings: unknown): Promise<string[]> {
  const { status, json } = await call('POST', '/v1/conversations', { settings });
  assert.equal(status, 422, `${JSON.stringify(settings)} was taken`);
  return json.detail.map(({ loc, type }: { loc: string[]; type: string }) => {
    assert.deepEqual(loc.slice(0, 2), ['body', 'settings']);
    assert.ok(loc.every((part) => typeof part === 'string'));
    return `${loc.slice(2).join('.')}: ${type}`;
  });
}

const item = (text: string) => ({ text, definition: { type: 'doc', content: [] } });

test('a rich text comes as a string, an item, items or null, and goes out as items without the structure', async () => {
  const definition = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Deep' }] }] };
  const forms: [unknown, unknown][] = [
    ['Plain', [item('Plain')]],
    ['', [item('')]],
    [' a\n\n b ', [item(' a\n\n b ')]],
    [{ text: 'One' }, [item('One')]],
    [{ text: 'One', definition }, [item('One')]],
    [{ text: 'One', definition: null }, [item('One')]],
    [{ definition }, [item('Deep')]],
    [
      [{ text: 'One', definition }, { text: 'Two' }],
      [item('One'), item('Two')],
    ],
    [
      ['One', 'Two'],
      [item('One'), item('Two')],
    ],
    [[], []],
    [null, [item('')]],
  ];
  for (const name of ['persona', 'tone', 'extra_instructions', 'citation_instructions', 'message_footer'])
    for (const [sent, expected] of forms) assert.deepEqual((await shown({ [name]: sent }))[name], expected, name);
});

test('a rich text that is none is refused where it is wrong', async () => {
  assert.deepEqual(await validationErrorsOf({ persona: 5 }), ['persona: list_type']);
  assert.deepEqual(await validationErrorsOf({ persona: [5] }), ['persona.0: model_attributes_type']);
  assert.deepEqual(await validationErrorsOf({ persona: [{ text: 'a' }, { text: 5 }] }), [
    'persona.1.text: string_type',
  ]);
  assert.deepEqual(await validationErrorsOf({ persona: [{ txt: 'a' }] }), ['persona.0.txt: extra_forbidden']);
  assert.deepEqual(await validationErrorsOf({ tone: [{ text: 'a', definition: { content: {} } }] }), [
    'tone.0.definition.content: list_type',
  ]);
});

test('a guardrail comes as a value or as a word', async () => {
  const { crime, bias, suicide, toxicity } = await shown({
    crime: 'High',
    bias: { value: 'Low', context: 'a court' },
    suicide: { context: 'a hospital' },
    toxicity: { value: 'Medium', context: null },
  });
  assert.deepEqual(
    [crime, bias],
    [
      { value: 'High', context: '' },
      { value: 'Low', context: 'a court' },
    ],
  );
  assert.deepEqual(
    [suicide, toxicity],
    [
      { value: 'Off', context: 'a hospital' },
      { value: 'Medium', context: '' },
    ],
  );
  assert.deepEqual(await validationErrorsOf({ crime: 'Max' }), ['crime.value: literal_error']);
  assert.deepEqual(await validationErrorsOf({ crime: { value: 'Max' } }), ['crime.value: literal_error']);
  assert.deepEqual(await validationErrorsOf({ crime: 3 }), ['crime: model_attributes_type']);
  assert.deepEqual(await validationErrorsOf({ crime: { value: 'Low', level: 1 } }), ['crime.level: extra_forbidden']);
});

test('the action of a guardrail and the PII entities get their labels', async () => {
  const { guardrail_action, pii_anonimization } = await shown({
    guardrail_action: 'human',
    pii_anonimization: ['URL', { value: 'IBAN_CODE' }, { value: 'NRP', label: 'Mine' }],
  });
  assert.deepEqual(guardrail_action, { value: 'human', label: 'Hand over to a person' });
  assert.deepEqual(pii_anonimization, [
    { value: 'URL', label: 'Url' },
    { value: 'IBAN_CODE', label: 'Iban code' },
    { value: 'NRP', label: 'Mine' },
  ]);
  assert.deepEqual((await shown({ pii_anonimization: [] })).pii_anonimization, []);
  assert.deepEqual(await validationErrorsOf({ guardrail_action: { value: 'explode' } }), [
    'guardrail_action.value: literal_error',
  ]);
  assert.deepEqual(
    await validationErrorsOf({ pii_anonimization: [{ label: 'x' }, { value: 'SHOE_SIZE', label: '' }] }),
    ['pii_anonimization.0.value: missing', 'pii_anonimization.1.value: literal_error'],
  );
});

test('every documented PII entity is taken', async () => {
  const all =
    'PERSON EMAIL_ADDRESS PHONE_NUMBER CREDIT_CARD CRYPTO IP_ADDRESS DATE_TIME NRP LOCATION MEDICAL_LICENSE URL IBAN_CODE';
  const { pii_anonimization } = await shown({ pii_anonimization: all.split(' ') });
  assert.equal(pii_anonimization.map(({ value }: { value: string }) => value).join(' '), all);
});

test('scalars are read laxly and kept as what they are', async () => {
  const { jailbreak, context_leak, top_k, max_tokens, temperature, top_p } = await shown({
    jailbreak: 'True',
    context_leak: 1,
    top_k: '12',
    max_tokens: 500.0,
    temperature: '0.25',
    top_p: '1',
  });
  assert.deepEqual([jailbreak, context_leak, top_k, max_tokens, temperature, top_p], [true, true, 12, 500, 0.25, 1]);
});

test('model_selection is another name of model, and model wins', async () => {
  assert.deepEqual((await shown({ model_selection: ['gpt-4o'] })).model, ['gpt-4o']);
  assert.deepEqual((await shown({ model_selection: ['a'], model: ['b'] })).model, ['b']);
  assert.deepEqual((await shown({ model: ['b'], model_selection: ['a'] })).model, ['b']);
  assert.deepEqual((await shown({ model: null, model_selection: ['a'] })).model, ['a']);
  assert.equal('model_selection' in (await shown({ model_selection: ['a'] })), false);
  assert.deepEqual(await validationErrorsOf({ model_selection: 'a' }), ['model_selection: list_type']);
  assert.deepEqual(await validationErrorsOf({ model: [] }), ['model: too_short']);
  assert.deepEqual(await validationErrorsOf({ model: { length: 0 } }), ['model: list_type']);
});

test('every key takes null as if it were not there', async () => {
  const defaults = await shown({});
  const nulls = Object.fromEntries(Object.keys(defaults).map((name) => [name, null]));
  assert.deepEqual(await shown(nulls), defaults);
  const { json } = await call('POST', '/v1/conversations', { name: null, settings: null, preview: null });
  assert.deepEqual(json.settings, defaults);
});

test('an unknown key is refused, also one that every object has', async () => {
  for (const name of ['temprature', 'constructor', 'toString', '__proto__', ''])
    assert.deepEqual(await validationErrorsOf(JSON.parse(`{"${name}": 1}`)), [`${name}: extra_forbidden`]);
});

test('returns all validation errors at once, in the documented order, unknown keys last', async () => {
  const sent = { nope: 1, tool_timeout: 'x', temperature: 'hot', crime: 'Max', jailbreak: 'maybe', max_tokens: 1.5 };
  assert.deepEqual(await validationErrorsOf(sent), [
    'crime.value: literal_error',
    'jailbreak: bool_parsing',
    'max_tokens: int_from_float',
    'temperature: float_parsing',
    'tool_timeout: int_parsing',
    'nope: extra_forbidden',
  ]);
});

test('settings that are no object are refused as a whole', async () => {
  for (const settings of [[], 'x', 5, true]) {
    const { status, json } = await call('POST', '/v1/conversations', { settings });
    assert.equal(status, 422);
    assert.deepEqual([json.detail[0].loc, json.detail[0].type], [['body', 'settings'], 'model_attributes_type']);
  }
});

test('a number outside its range is refused with the limit', async () => {
  const limits: [string, unknown, string][] = [
    ['temperature', 2.1, 'less_than_equal'],
    ['top_p', -0.1, 'greater_than_equal'],
    ['compaction_threshold', 0, 'greater_than'],
    ['insights_csat_sampling_rate', 2, 'less_than_equal'],
    ['timeout', 0, 'greater_than_equal'],
    ['block_after_violations', -1, 'greater_than_equal'],
    ['retry_on_status_codes', [99], 'greater_than_equal'],
  ];
  for (const [name, value, type] of limits)
    assert.match((await validationErrorsOf({ [name]: value }))[0] as string, new RegExp(`^${name}(\\.0)?: ${type}$`));
});

test('a word outside its set is refused with the set', async () => {
  const sets = {
    guardrails_output_mode: "'post_stream' or 'pre_stream'",
    auto_model_preference: "'cost', 'speed' or 'quality'",
    parameter_preset: "'default', 'precise', 'balanced' or 'creative'",
    reasoning_effort: "'Low', 'Medium' or 'High'",
    compaction_strategy: "'auto', 'summarize' or 'truncate'",
    tool_display_preset: "'execution', 'minimal' or 'hidden'",
    citation_style: "'text', 'footnote' or 'none'",
    agent_title_mode: "'generate', 'first_message' or 'off'",
    tool_grant_scope: "'workspace' or 'user'",
  };
  for (const [name, expected] of Object.entries(sets)) {
    const { json } = await call('POST', '/v1/conversations', { settings: { [name]: 'other' } });
    const { type, ctx, input, msg } = json.detail[0];
    assert.deepEqual(
      { type, ctx, input, msg },
      { type: 'literal_error', ctx: { expected }, input: 'other', msg: `Input should be ${expected}` },
    );
  }
});
