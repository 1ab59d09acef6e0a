import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentApp, validationErrorsOf } from './testing.ts';

const { call, make, query } = await agentApp();
const doc = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'from the editor' }] }] };

test("the editor's structure is stored though not shown", async () => {
  const { id } = await make({ definition: { persona: [{ text: 't', definition: { ...doc, attrs: { a: 1 } } }] } });
  const [row] = await query('select definition from agent_versions where agent_id = $1', [id]);
  assert.deepEqual(JSON.parse(row.definition).persona[0].definition, { ...doc, attrs: { a: 1 } });
});

test('tools come back as sent: order, repeated types, unknown keys, spelling', async () => {
  const tools = [
    { type: 'files', enabled: 'yes', b: 1, a: { deep: [null, true] } },
    { type: 'files' },
    { z: 1, type: 'unheard_of' },
  ];
  assert.deepEqual((await make({ definition: { tools } })).definition.tools, tools);
});

test('scalars are read laxly and answered as what they are', async () => {
  const { definition } = await make({
    visible: 'on',
    definition: { temperature: '0.5', top_k: 5.0, max_tokens: '100', jailbreak: 'true', hide_reasoning: 1 },
  });
  const { temperature, top_k, max_tokens, jailbreak, hide_reasoning } = definition;
  assert.deepEqual([temperature, top_k, max_tokens, jailbreak, hide_reasoning], [0.5, 5, 100, true, true]);
});

test('short forms of guardrails and entities stand for the whole', async () => {
  const { definition } = await make({
    definition: { crime: 'High', pii_anonimization: ['PERSON'], guardrail_action: 'warn' },
  });
  assert.deepEqual(definition.crime, { value: 'High', context: '' });
  assert.deepEqual(definition.pii_anonimization, [{ value: 'PERSON', label: 'Person' }]);
  assert.equal(definition.guardrail_action.value, 'warn');
});

test('two actions of one name are refused at the second, unless one of them is turned off', async () => {
  const one = { name: 'find', url: 'https://example.com/a' };
  const two = { ...one, url: 'https://example.com/b' };
  const validationErrors = async (definition: object) =>
    validationErrorsOf(await call('POST', '/v1/agents', { name: 'x', definition }));
  const other = { ...one, name: 'other' };
  assert.deepEqual(await validationErrors({ actions: [one, other, two] }), [
    'body.definition.actions.2.name: value_error',
  ]);
  assert.deepEqual(await validationErrors({ actions: [one], tools: [{ type: 'clock' }, { type: 'action', ...two }] }), [
    'body.definition.tools.1.name: value_error',
  ]);
  const { id } = await make({ definition: { actions: [one, { ...two, enabled: false }, other] } });
  assert.deepEqual(
    validationErrorsOf(await call('PATCH', `/v1/agents/${id}`, { definition: { actions: [one, two] } })),
    ['body.definition.actions.1.name: value_error'],
  );
});

test('an unknown setting is refused at its place, in the draft and in a version as well', async () => {
  const { id } = await make();
  const body = { definition: { persoana: 'x' } };
  const validationError = ['body.definition.persoana: extra_forbidden'];
  assert.deepEqual(validationErrorsOf(await call('POST', '/v1/agents', { name: 'x', ...body })), validationError);
  assert.deepEqual(validationErrorsOf(await call('PATCH', `/v1/agents/${id}`, body)), validationError);
  assert.deepEqual(validationErrorsOf(await call('PATCH', `/v1/agents/${id}?preview=true`, body)), validationError);
  assert.deepEqual(validationErrorsOf(await call('POST', `/v1/agents/${id}/versions`, body)), validationError);
});
