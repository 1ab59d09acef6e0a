import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';

const { call, workspace } = await testApp();

const servers = [
  {
    name: 'crm',
    url: 'https://crm.example/mcp',
    headers: { Authorization: 'Bearer s3cr3t', 'X-Key': 'Bearer {{secret.crm}}' },
  },
];

test('a key that only runs agents sees no header values, neither of the agent nor of its conversations', async () => {
  const { id, key: editor } = await workspace();
  const { json: made } = await call('POST', `/v1/admin/groups/${id}/api-keys`, {
    name: 'runner',
    permissions: ['agents_run'],
  });
  const runner = made.value;
  const agent = (await call('POST', '/v1/agents', { name: 'A', definition: { mcp_servers: servers } }, { key: editor }))
    .json;
  assert.deepEqual(agent.definition.mcp_servers, servers, 'whoever edits it sees it');
  const conversation = (await call('POST', `/v1/conversations?assistant_id=${agent.id}`, {}, { key: runner })).json;
  for (const path of [
    `/v1/agents/${agent.id}`,
    '/v1/agents',
    `/v1/agents/${agent.id}/versions`,
    `/v1/conversations/${conversation.id}`,
    '/v1/conversations?include_empty=true',
    `/v1/conversations/${conversation.id}/export?format=json`,
  ]) {
    const { status, text } = await call('GET', path, undefined, { key: runner });
    assert.equal(status, 200, path);
    assert.equal(text.includes('s3cr3t'), false, path);
    assert.ok(text.includes('{{secret.crm}}'), path);
  }
});

test('settings sent with a conversation can not lift the protection of the agent', async () => {
  const definition = { persona: 'secret persona', protect_instructions_in_preview: true };
  const agent = (await call('POST', '/v1/agents', { name: 'P', definition })).json;
  const body = { preview: true, settings: { protect_instructions_in_preview: false } };
  const { text } = await call('POST', `/v1/conversations?assistant_id=${agent.id}`, body);
  assert.equal(text.includes('secret persona'), false);
});

test('settings that are too large are refused, at once or bit by bit', async () => {
  const half = 'x'.repeat(200_000);
  assert.equal(
    (await call('POST', '/v1/agents', { name: 'L', definition: { prompt_defense: half.repeat(2) } })).status,
    422,
  );
  const agent = (await call('POST', '/v1/agents', { name: 'L', definition: { prompt_defense: half } })).json;
  const grown = await call('PATCH', `/v1/agents/${agent.id}`, { definition: { block_message: half } });
  assert.equal(grown.status, 422);
  assert.deepEqual(grown.json.detail[0].loc, ['body', 'definition']);
});

test('refuses a list with a million validation errors in one line', async () => {
  const settings = { retry_on_status_codes: Array.from({ length: 400_000 }, () => 'x') };
  const { status, json } = await call('POST', '/v1/conversations', { settings });
  assert.equal(status, 422);
  assert.deepEqual(
    json.detail.map((validationError: { type: string }) => validationError.type),
    ['too_long'],
  );
});

test('a key that may write workspaces can not take the system keys away', async () => {
  const { id } = await workspace();
  const { json } = await call('POST', `/v1/admin/groups/${id}/api-keys`, {
    name: 'w',
    permissions: ['workspace_write'],
  });
  const home = (await call('GET', '/v1/admin/me')).json.group_id;
  assert.equal((await call('DELETE', `/v1/admin/groups/${home}`, undefined, { key: json.value })).status, 403);
  assert.equal((await call('GET', '/v1/admin/me')).status, 200);
});
