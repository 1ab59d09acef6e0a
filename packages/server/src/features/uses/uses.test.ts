import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Use } from '@atrium/contract/uses/schema.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { form } from '../../../test/walk/walk-fixtures.ts';
import { as, makePeopleIn } from '../people/testing.ts';

const { call, workspace, query, logged } = await testApp();

async function done(method: string, path: string, body?: unknown, key?: string) {
  const answer = await call(method, path, body, key === undefined ? {} : { key });
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}
const kindsOf = (items: readonly Use[]) => items.map(({ kind, name }) => `${kind} ${name}`).sort();

/** A workflow with one node that names a record. */
const workflowWith = (type: string, node_config: Record<string, unknown>) => ({
  nodes: [{ id: 'n', type, node_config }],
  edges: [],
});

test('lists what uses each kind of record, with names', async () => {
  const { key } = await workspace();
  const make = (path: string, body: unknown) => done('POST', path, body, key);
  const kb = await make('/v1/knowledge-bases', { name: 'Handbook' });
  const table = await make('/v1/tables', { name: 'Orders' });
  const inner = await make('/v1/workflows', { name: 'Inner', definition: workflowWith('DateNode', {}) });
  const helper = await make('/v1/agents', { name: 'Helper' });
  const url = 'https://mcp.example.com/mcp?a=1&b=(2)';
  const server = await make('/v1/mcp-servers', { url });
  const { body, headers } = form('file');
  const uploaded = await call('POST', '/v1/files', body, { key, headers });
  const file = uploaded.json;
  const definition = {
    ...{ knowledge_bases: [kb.id], tables: [{ id: table.id }], workflows: [inner.id], coworkers: [helper.id] },
    ...{ agent_files: [file.id], mcp_servers: [{ name: 'shop', url }] },
  };
  const agent = await make('/v1/agents', { name: 'User', definition: { model: ['atrium/extractive'] } });
  await done('PATCH', `/v1/agents/${agent.id}?preview=true`, { definition }, key);
  await make(`/v1/conversations?assistant_id=${agent.id}`, { name: 'Talk', settings: definition });
  const outer = workflowWith('SubWorkflowNode', { workflow_id: inner.id });
  await call('POST', '/v1/workflows?force=true', { name: 'Outer', definition: outer }, { key });
  const searching = workflowWith('KnowledgeSearchNode', { kb_id: kb.id });
  await call('POST', '/v1/workflows?force=true', { name: 'Searching', definition: searching }, { key });
  const event = { type: 'event', event: 'row', table_id: table.id };
  await make(`/v1/workflows/${inner.id}/triggers`, { name: 'On rows', definition: event });
  await make(`/v1/agents/${helper.id}/deployments`, { channel: 'webhook', name: 'Shop' });
  await make('/v1/variables', { name: 'contract', type: 'file', inline_value: file.id });
  const config = { files: [{ uri: `store://${file.id}` }] };
  await make(`/v1/knowledge-bases/${kb.id}/generic_train`, { source: { source_type: 'document', config } });

  const usesOf = async (path: string) => {
    const { items, hidden } = await done('GET', `${path}/used-by`, undefined, key);
    assert.equal(hidden, 0, path);
    return kindsOf(items);
  };
  const both = ['agent User', 'conversation Talk'];
  assert.deepEqual(await usesOf(`/v1/knowledge-bases/${kb.id}`), [...both, 'workflow Searching']);
  assert.deepEqual(await usesOf(`/v1/tables/${table.id}`), [...both, 'trigger On rows']);
  assert.deepEqual(await usesOf(`/v1/workflows/${inner.id}`), [...both, 'trigger On rows', 'workflow Outer']);
  assert.deepEqual(await usesOf(`/v1/agents/${helper.id}`), [...both, 'deployment Shop']);
  assert.deepEqual(await usesOf(`/v1/mcp-servers/${server.id}`), both);
  assert.deepEqual(await usesOf(`/v1/files/${file.id}`), [...both, 'knowledge_base Handbook', 'variable contract']);
  assert.deepEqual(await usesOf(`/v1/agents/${agent.id}`), [], 'its own conversations do not count');
  const deletedUses = async (path: string) => kindsOf((await done('DELETE', path, undefined, key)).uses.items);
  assert.deepEqual(await deletedUses(`/v1/tables/${table.id}`), [...both, 'trigger On rows']);
  assert.deepEqual(await deletedUses(`/v1/mcp-servers/${server.id}`), both);
  assert.deepEqual(await deletedUses(`/v1/file/${file.id}`), [...both, 'knowledge_base Handbook', 'variable contract']);
  assert.deepEqual(await deletedUses(`/v1/knowledge-bases/${kb.id}`), [...both, 'workflow Searching']);
  assert.deepEqual(await deletedUses(`/v1/workflows/${inner.id}`), [...both, 'trigger On rows', 'workflow Outer']);
  assert.deepEqual(await done('DELETE', `/v1/agents/${agent.id}`, undefined, key), { success: true });
});

test('counts what the caller may not see, without its name', async () => {
  const { id, key } = await workspace();
  const definition = { actions: [{ name: 'ship', url: 'https://api.example.com/{{secret.token}}' }] };
  const secret = { name: 'token', is_secret: true, inline_value: 'canary-of-uses', allowed_hosts: ['api.example.com'] };
  const variable = await done('POST', '/v1/variables', secret, key);
  await done('POST', '/v1/agents', { name: 'Shipping', definition }, key);
  const made = await done('POST', `/v1/admin/groups/${id}/api-keys`, {
    ...{ name: 'variables alone', permissions: ['variables_read', 'variables_edit'] },
  });
  const weak = { key: made.value };
  const uses = await call('GET', `/v1/variables/${variable.id}/used-by`, undefined, weak);
  assert.deepEqual([uses.status, uses.json], [200, { items: [], hidden: 1 }]);
  const refused = await call('DELETE', `/v1/variables/${variable.id}`, undefined, weak);
  assert.deepEqual([refused.status, refused.json.code], [409, 'in_use']);
  assert.ok(!refused.text.includes('Shipping'), refused.text);
  assert.match(refused.json.detail, /1 other record/);
});

test('deletes without uses for a caller who may not list them, and when the look-up fails', async () => {
  const { id, key } = await workspace();
  const make = (path: string, body: unknown) => done('POST', path, body, key);
  const [first, second] = [await make('/v1/tables', { name: 'First' }), await make('/v1/tables', { name: 'Second' })];
  await make('/v1/agents', { name: 'Clerk', definition: { tables: [{ id: first.id }, { id: second.id }] } });
  const permissions = ['tables_delete'];
  const weak = await done('POST', `/v1/admin/groups/${id}/api-keys`, { name: 'deletes alone', permissions });
  assert.deepEqual(await done('DELETE', `/v1/tables/${first.id}`, undefined, weak.value), { success: true });
  await query('alter table triggers rename to triggers_away');
  try {
    assert.equal((await call('GET', `/v1/tables/${second.id}/used-by`, undefined, { key })).status, 500);
    assert.deepEqual(await done('DELETE', `/v1/tables/${second.id}`, undefined, key), { success: true });
  } finally {
    await query('alter table triggers_away rename to triggers');
  }
  assert.ok(logged.some((line) => line.includes('uses.failed')));
});

test("does not name other people's conversations", async () => {
  const { aMember } = await makePeopleIn({ call });
  const [bo, cy] = [await aMember('Editor'), await aMember('Editor')];
  const kb = await done('POST', '/v1/knowledge-bases', { name: 'Shared' });
  const agent = await done('POST', '/v1/agents', { name: 'Plain' });
  const made = await call(
    'POST',
    `/v1/conversations?assistant_id=${agent.id}`,
    { name: 'Mine', settings: { knowledge_bases: [kb.id] } },
    as(bo.cookie),
  );
  assert.equal(made.status, 200, made.text);
  const seenBy = async (cookie: string) =>
    (await call('GET', `/v1/knowledge-bases/${kb.id}/used-by`, undefined, as(cookie))).json;
  assert.deepEqual(kindsOf((await seenBy(bo.cookie)).items), ['conversation Mine']);
  assert.deepEqual(await seenBy(cy.cookie), { items: [], hidden: 1 });
});

test('finds conversations and documents by an index when there are many', async () => {
  const [{ workspace_id }] = await query('select workspace_id from conversations where settings is not null limit 1');
  await query(`insert into conversations
    select (jsonb_populate_record(null::conversations, to_jsonb(c) || jsonb_build_object('id', gen_random_uuid()))).*
    from conversations c, generate_series(1, 1000) where c.id = (select id from conversations where settings is not null limit 1)`);
  await query('analyze conversations');
  const plan = await query(`explain select id from conversations
    where settings ~ '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|[{][{]|"(url|dsn_variable)":"' and settings_mentions(settings) && array['${randomUUID()}']
      and workspace_id = '${workspace_id}' and settings ~ 'x' order by id limit 100`);
  assert.match(JSON.stringify(plan), /conversations_by_mention/);
  await query('set enable_seqscan = off');
  const files = await query(`explain select kb_id from kb_documents
    where workspace_id = '${workspace_id}' and file_id = '${randomUUID()}'`);
  assert.match(JSON.stringify(files), /kb_documents_by_file/);
});
