import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';

const { call } = await testApp();

const agent = async (definition: object) => (await call('POST', '/v1/agents', { name: 'A', definition })).json;
const patchAgent = async (id: string, definition: object, search = '') =>
  (await call('PATCH', `/v1/agents/${id}${search}`, { definition })).json;
const start = async (id: string, body: object = {}) =>
  (await call('POST', `/v1/conversations?assistant_id=${id}`, body)).json;
const topK = async (id: string) => (await call('GET', `/v1/conversations/${id}`)).json.settings.top_k;

test('a conversation is pinned to the version published when it was made', async () => {
  const { id, version_id } = await agent({ top_k: 1 });
  const first = await start(id);
  const { version_id: next } = await patchAgent(id, { top_k: 2 });
  const second = await start(id);
  assert.deepEqual([first.assistant_version_id, second.assistant_version_id], [version_id, next]);
  assert.deepEqual([await topK(first.id), await topK(second.id)], [1, 2]);
  await call('POST', `/v1/agents/${id}/versions/${version_id}/publish`);
  assert.deepEqual([await topK(first.id), await topK(second.id)], [1, 2]);
  const { json: list } = await call('GET', `/v1/conversations?assistant_id=${id}&include_empty=true`);
  assert.deepEqual(
    list.items.map(({ settings }: { settings: { top_k: number } }) => settings.top_k),
    [2, 1],
  );
});

test('a preview follows the draft as it changes, and the published version when there is none', async () => {
  const { id } = await agent({ top_k: 1 });
  const { id: preview, assistant_version_id } = await start(id, { preview: true });
  assert.equal(assistant_version_id, null);
  assert.equal(await topK(preview), 1);
  await patchAgent(id, { top_k: 2 }, '?preview=true');
  assert.equal(await topK(preview), 2);
  await patchAgent(id, { top_k: 3 }, '?preview=true');
  assert.equal(await topK(preview), 3);
  assert.equal((await start(id)).settings.top_k, 1);
  await patchAgent(id, { top_k: 4 });
  assert.equal(await topK(preview), 4);
});

test('a preview keeps its own settings over the draft', async () => {
  const { id } = await agent({ top_k: 1 });
  const preview = await start(id, { preview: true, settings: { temperature: 0.5 } });
  await patchAgent(id, { top_k: 2, temperature: 0.9 }, '?preview=true');
  const { json } = await call('GET', `/v1/conversations/${preview.id}`);
  assert.deepEqual([json.settings.top_k, json.settings.temperature], [2, 0.5]);
});

test('a conversation can be made of a version that is not published, and moved to another', async () => {
  const { id, version_id } = await agent({ top_k: 1 });
  const { json: version } = await call('POST', `/v1/agents/${id}/versions`, { definition: { top_k: 9 } });
  const sent = await start(id, { assistant_version_id: version.id });
  assert.deepEqual([sent.assistant_version_id, sent.settings.top_k], [version.id, 9]);
  const { json } = await call('PATCH', `/v1/conversations/${sent.id}`, { assistant_version_id: version_id });
  assert.deepEqual([json.assistant_version_id, json.settings.top_k], [version_id, 1]);
});

test('a conversation can not be moved to a version of another agent', async () => {
  const [own, other] = [await agent({ top_k: 1 }), await agent({ top_k: 2 })];
  const sent = await start(own.id);
  const { json: free } = await call('POST', '/v1/conversations', {});
  for (const { id } of [sent, free]) {
    const { status } = await call('PATCH', `/v1/conversations/${id}`, {
      name: 'moved',
      assistant_version_id: other.version_id,
    });
    assert.equal(status, 404);
  }
  assert.deepEqual((await call('GET', `/v1/conversations/${sent.id}`)).json, sent);
});

test('a protected preview returns the prompt group empty', async () => {
  const prompts = {
    persona: 'secret persona',
    tone: 'secret tone',
    extra_instructions: ['secret', 'more'],
    prompt_defense: 'secret defense',
    deployment_custom_instructions: 'secret deployment',
  };
  const { id } = await agent({ ...prompts, top_k: 3, protect_instructions_in_preview: true });
  const preview = await start(id, { preview: true, name: 'protected' });
  const empty = [{ text: '', definition: { type: 'doc', content: [] } }];
  const { persona, tone, extra_instructions, prompt_defense, deployment_custom_instructions, top_k } = preview.settings;
  assert.deepEqual([persona, tone, extra_instructions], [empty, empty, empty]);
  assert.deepEqual([prompt_defense, deployment_custom_instructions, top_k], ['', null, 3]);

  const path = `/v1/conversations/${preview.id}`;
  const patched = await call('PATCH', path, { settings: { persona: 'secret of its own' } });
  const answers = [
    patched,
    await call('GET', path),
    await call('GET', '/v1/conversations?include_empty=true&search=protected'),
    await call('GET', `${path}/export?format=json`),
    await call('POST', `${path}/share`),
  ];
  for (const { status, text } of answers) assert.deepEqual([status, text.includes('secret')], [200, false]);

  assert.equal((await start(id)).settings.persona[0].text, 'secret persona');
});

test('an unprotected preview shows its prompts', async () => {
  const { id } = await agent({ persona: 'open' });
  assert.equal((await start(id, { preview: true })).settings.persona[0].text, 'open');
});
