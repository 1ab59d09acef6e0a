import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentApp } from './testing.ts';

const { call, make, get, good } = await agentApp();
const patch = async (id: string, body: unknown, query = '') =>
  good(await call('PATCH', `/v1/agents/${id}${query}`, body));

test('a patch changes what it names and leaves the rest', async () => {
  const made = await make({ name: 'A', description: 'd', definition: { temperature: 0.1, top_k: 5 } });
  const after = await patch(made.id, { description: '', visible: false, definition: { top_k: 6 } });
  assert.deepEqual([after.name, after.description, after.visible], ['A', '', false]);
  assert.deepEqual([after.definition.temperature, after.definition.top_k], [0.1, 6]);
  assert.ok(after.last_updated_at >= made.last_updated_at);
  assert.deepEqual(after, await get(made.id));
});

test('null in a patch changes nothing', async () => {
  const made = await make({ description: 'd', image_url: 'https://x.test', definition: { persona: 'p', top_k: 5 } });
  const nulls = { name: null, description: null, visible: null, image_url: null, allow_public_access: null };
  const after = await patch(made.id, { ...nulls, definition: { persona: null, top_k: null, tools: null } });
  for (const key of ['name', 'description', 'visible', 'image_url', 'allow_public_access', 'definition'])
    assert.deepEqual(after[key], made[key], key);
  assert.deepEqual((await patch(made.id, { definition: null })).version_id, after.version_id);
});

test('an array replaces the one before, tools too', async () => {
  const tools = [
    { type: 'web_research' },
    { type: 'web_research', enabled: false },
    { type: 'of_tomorrow', x: { y: [1] } },
  ];
  const { id } = await make({
    definition: { tools, stop_sequences: ['a', 'b'], glossary: [{ term: 't', definition: 'd' }] },
  });
  assert.deepEqual((await get(id)).definition.tools, tools);
  const after = await patch(id, { definition: { tools: [{ type: 'x' }], stop_sequences: ['c'], glossary: [] } });
  assert.deepEqual(after.definition.tools, [{ type: 'x' }]);
  assert.deepEqual(after.definition.stop_sequences, ['c']);
  assert.deepEqual(after.definition.glossary, []);
});

test('base_tools merges by type, field by field', async () => {
  const { id } = await make({ definition: { base_tools: [{ type: 'todos', enabled: true, title: 'To do' }] } });
  const { definition } = await patch(id, {
    definition: {
      base_tools: [
        { type: 'todos', visible: false },
        { type: 'code_execution', timeout: '30' },
      ],
    },
  });
  const tool = (type: string) => definition.base_tools.find((one: { type: string }) => one.type === type);
  assert.equal(definition.base_tools.length, 10);
  const { enabled, title, visible, enable_subtasks } = tool('todos');
  assert.deepEqual(
    { enabled, title, visible, enable_subtasks },
    { enabled: true, title: 'To do', visible: false, enable_subtasks: false },
  );
  assert.equal(tool('code_execution').timeout, 30);
});

test('preview=true writes the draft and nothing else, however it is spelt', async () => {
  const made = await make({ definition: { top_k: 1, temperature: 0.5 } });
  const first = await patch(made.id, { definition: { top_k: 2 } }, '?preview=true');
  assert.deepEqual(first.definition, made.definition);
  assert.equal(first.version_id, made.version_id);
  assert.deepEqual([first.draft_definition.top_k, first.draft_definition.temperature], [2, 0.5]);
  const second = await patch(made.id, { definition: { temperature: 0.6 } }, '?preview=True');
  assert.deepEqual([second.draft_definition.top_k, second.draft_definition.temperature], [2, 0.6]);
  assert.equal(second.definition.temperature, 0.5);
  assert.equal((await call('GET', `/v1/agents/${made.id}/versions`)).json.length, 1);
  assert.equal((await call('PATCH', `/v1/agents/${made.id}?preview=maybe`, {})).status, 422);
});

test('preview=false publishes over what is published and ends the draft', async () => {
  const made = await make({ definition: { top_k: 1 } });
  await patch(made.id, { definition: { top_k: 2, temperature: 1 } }, '?preview=true');
  const after = await patch(made.id, { definition: { top_p: 0.5 } }, '?preview=False');
  assert.equal(after.draft_definition, null);
  assert.deepEqual([after.definition.top_k, after.definition.temperature, after.definition.top_p], [1, 0.7, 0.5]);
  assert.notEqual(after.version_id, made.version_id);
});

test('a patch without settings makes no version and keeps the draft', async () => {
  const made = await make();
  await patch(made.id, { definition: { top_k: 2 } }, '?preview=true');
  const after = await patch(made.id, { name: 'Renamed' });
  assert.equal(after.version_id, made.version_id);
  assert.equal(after.draft_definition.top_k, 2);
});

test('twenty patches at once make twenty versions, numbered without a gap, and lose no key', async () => {
  const { id } = await make();
  const keys = [
    ...['max_tokens', 'top_k', 'timeout', 'tool_timeout', 'block_after_violations', 'usage_limits_maximum_request'],
    ...[
      'usage_limits_maximum_tokens',
      'usage_limits_max_messages',
      'usage_limits_agent_timeout',
      'max_retries_per_model',
    ],
  ];
  const etags = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const definition = { [keys[index % 10] as string]: 11, default_language: `l${index}` };
      return (await patch(id, { definition })).etag;
    }),
  );
  const versions = (await call('GET', `/v1/agents/${id}/versions`)).json as { number: number; is_published: boolean }[];
  assert.deepEqual(
    versions.map(({ number }) => number),
    Array.from({ length: 21 }, (_, index) => 21 - index),
  );
  assert.deepEqual(
    versions.filter((version) => version.is_published).map(({ number }) => number),
    [21],
  );
  assert.equal(new Set(etags).size, 20);
  const { definition } = await get(id);
  for (const key of keys) assert.equal(definition[key], 11, key);
});
