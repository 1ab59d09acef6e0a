import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingKeys } from '@atrium/contract/settings/settings.ts';
import { agentApp, validationErrorsOf } from './testing.ts';

const { call, make, get, good, workspace_id } = await agentApp();

test('an agent made of a name alone has every field, null when empty, and every setting', async () => {
  const { id, version_id, etag, created_at, last_updated_at, definition, ...rest } = await make({ name: 'Plain' });
  assert.deepEqual(rest, {
    group_id: workspace_id,
    name: 'Plain',
    description: null,
    visible: true,
    image_url: null,
    allow_public_access: false,
    deleted_at: null,
    locks: [],
    may: { edit: true, delete: true, run: true, unlock: false },
    draft: null,
    draft_definition: null,
  });
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.notEqual(version_id, id);
  assert.match(etag, /^\d+-\d+$/);
  assert.equal(created_at, last_updated_at);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(Object.keys(definition).sort(), Object.keys(settingKeys).sort());
  assert.deepEqual(definition.model, ['preset:cost']);
  assert.equal(definition.temperature, 0.7);
  assert.deepEqual(definition.tools, []);
  assert.equal(definition.base_tools.length, 10);
});

test('stores the given fields, and get returns the same as create', async () => {
  const fields = {
    description: 'Helps\nwith returns',
    visible: false,
    image_url: 'https://cdn.test/a.png',
    allow_public_access: true,
  };
  const made = await make({ name: 'Given', ...fields, definition: { temperature: 0, max_tokens: 5 } });
  for (const [name, value] of Object.entries(fields)) assert.equal(made[name], value, name);
  assert.equal(made.definition.temperature, 0);
  assert.equal(made.definition.max_tokens, 5);
  assert.deepEqual(await get(made.id), made);
});

test('a name is kept to the letter', async () => {
  for (const name of [
    '  spaces  ',
    'Ünï ✓ 👩‍👩‍👧',
    "Robert'); drop table agents;--",
    '{{name}}',
    '<b>&amp;',
    '\ttab',
    'é',
  ])
    assert.equal((await get((await make({ name })).id)).name, name);
  assert.equal((await make({ name: '👩'.repeat(200) })).name.length, 400);
});

test('two agents may share a name', async () => {
  const [one, two] = [await make({ name: 'Twin' }), await make({ name: 'Twin' })];
  assert.notEqual(one.id, two.id);
});

test('a name is needed and has its bounds', async () => {
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents', {})), ['body.name: missing']);
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents', { name: null })), ['body.name: string_type']);
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents', { name: '' })), ['body.name: string_too_short']);
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents', { name: 'x'.repeat(201) })), [
    'body.name: string_too_long',
  ]);
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents', { name: 5 })), ['body.name: string_type']);
});

test('null on create asks for the default', async () => {
  const nulls = { description: null, visible: null, image_url: null, allow_public_access: null, definition: null };
  const made = await make({ name: 'Nulls', ...nulls });
  assert.deepEqual([made.visible, made.allow_public_access, made.definition.top_k], [true, false, 40]);
});

test('returns all validation errors of a body at once, each with its path', async () => {
  const body = {
    nam: 'x',
    visible: 'perhaps',
    definition: { temprature: 1, temperature: 'hot', model: [], top_k: -1 },
  };
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents', body)).sort(), [
    'body.definition.model: too_short',
    'body.definition.temperature: float_parsing',
    'body.definition.temprature: extra_forbidden',
    'body.definition.top_k: greater_than_equal',
    'body.nam: extra_forbidden',
    'body.name: missing',
    'body.visible: bool_parsing',
  ]);
});

test('the eight keys of public clients work, nulls and all', async () => {
  const definition = {
    model: ['gpt-4o'],
    temperature: 0.5,
    max_tokens: 2000,
    tools: [{ type: 'web_research' }, { type: 'platform_qa', anything: [1] }],
    persona: 'You are kind.',
    tone: null,
    extra_instructions: null,
    agent_flow_id: null,
  };
  const made = await make({ name: 'From a client', definition });
  assert.deepEqual(made.definition.model, ['gpt-4o']);
  assert.deepEqual(made.definition.tools, definition.tools);
  assert.equal(made.definition.persona[0].text, 'You are kind.');
  assert.equal(made.definition.tone[0].text, '');
  assert.equal(made.definition.agent_flow_id, null);
  const path = `/v1/agents/${made.id}?preview=false`;
  const patched = good(await call('PATCH', path, { name: null, definition: { ...definition, persona: null } }));
  assert.equal(patched.name, 'From a client');
  assert.equal(patched.definition.persona[0].text, 'You are kind.');
});
