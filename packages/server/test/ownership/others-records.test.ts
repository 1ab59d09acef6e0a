import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, makePeopleIn } from '../../src/features/people/testing.ts';
import { aNode, anEdge, watchedNodes } from '../../src/features/workflows/testing.ts';
import { scriptedApp } from '../support/scripted-app.ts';

const { nodes } = watchedNodes();
const app = await scriptedApp({}, { nodes });
const { call } = app;
const people = await makePeopleIn(app);
const { home } = people;
const ada = await people.aMember('Reader');
const bo = await people.aMember('Reader');
const editor = await people.aMember('Editor');
const admin = await people.aMember('Admin');

type Json = Awaited<ReturnType<typeof call>>['json'];
async function good(method: string, path: string, body?: unknown, options: object = {}): Promise<Json> {
  const answer = await call(method, path, body, options);
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}
const keyWith = async (...permissions: string[]) =>
  good('POST', `/v1/admin/groups/${home}/api-keys`, { name: permissions.join(), permissions });
const statusOf = async (method: string, path: string, options: object, body?: unknown) =>
  (await call(method, path, body, options)).status;

const definition = {
  nodes: [aNode('in', 'InputNode', { label: 'in' }), aNode('out', 'OutputNode', { label: 'out' })],
  edges: [anEdge('in.output -> out.input')],
};

async function runOf(who: { cookie: string }, text: string): Promise<Json> {
  const flow = await good('POST', '/v1/workflows', { name: 'Flow', definition });
  return good('POST', `/v1/workflows/${flow.id}/runs/sync`, { input: { in: text } }, as(who.cookie));
}
const upload = async (options: { headers?: object; key?: string | null }, text: string): Promise<Json> => {
  const boundary = 'x';
  const body = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${text}.txt"\r\n\r\n${text}\r\n--${boundary}--\r\n`;
  const headers = { ...options.headers, 'content-type': `multipart/form-data; boundary=${boundary}` };
  return good('POST', '/v1/files', body, { ...options, headers });
};

test('hides a workflow run from a Reader who did not start it, and does not let them stop it', async () => {
  const run = await runOf(ada, 'word of ada');
  const own = await good('GET', `/v1/runs/${run.id}`, undefined, as(ada.cookie));
  assert.equal(own.input.in, 'word of ada');
  for (const path of ['', '/trace', '/events', '/approvals'])
    assert.equal(await statusOf('GET', `/v1/runs/${run.id}${path}`, as(bo.cookie)), 404, path);
  assert.equal(await statusOf('POST', `/v1/runs/${run.id}/stop`, as(bo.cookie)), 404);
  assert.equal(await statusOf('GET', `/v1/workflows/${run.workflow_id}/runs/${run.id}`, as(bo.cookie)), 404);
  for (const path of ['/v1/runs', `/v1/workflows/${run.workflow_id}/runs`]) {
    const { text } = await call('GET', path, undefined, as(bo.cookie));
    assert.ok(!text.includes(run.id), path);
  }
  assert.equal((await good('GET', `/v1/runs/${run.id}`, undefined, as(admin.cookie))).input.in, 'word of ada');
});

test('shows an Editor that a run of another person failed and where, without inputs and messages', async () => {
  const broken = {
    nodes: [aNode('in', 'InputNode', { label: 'in' }), aNode('fail', 'FlakyNode'), aNode('out', 'OutputNode')],
    edges: [anEdge('in.output -> fail.value'), anEdge('fail.output -> out.input')],
  };
  const flow = await good('POST', '/v1/workflows', { name: 'Broken', definition: broken });
  const run = await call('POST', `/v1/workflows/${flow.id}/runs/sync`, { input: { in: 'word_ada' } }, as(ada.cookie));
  assert.equal(run.json.status, 'failed', run.text);
  const [failed] = (await good('GET', `/v1/workflows/${flow.id}/runs`, undefined, as(ada.cookie))).items;
  const seen = await call('GET', `/v1/runs/${failed.id}`, undefined, as(editor.cookie));
  assert.equal(seen.status, 200, seen.text);
  assert.ok(!seen.text.includes('word_ada'));
  assert.deepEqual([seen.json.error.code, seen.json.error.node_id, seen.json.hidden], ['flaky', 'fail', 'not_yours']);
  assert.equal(await statusOf('GET', `/v1/runs/${failed.id}/events`, as(editor.cookie)), 404);
  assert.equal(await statusOf('GET', `/v1/runs/${failed.id}`, as(bo.cookie)), 404);
});

test('hides a file that another person uploaded until an agent of its uploader refers to it', async () => {
  const file = await upload(as(editor.cookie), 'file of the editor');
  assert.equal(await statusOf('GET', `/v1/files/${file.id}`, as(bo.cookie)), 404);
  assert.ok(!(await call('GET', '/v1/files', undefined, as(bo.cookie))).text.includes(file.id));
  assert.equal(await statusOf('GET', `/v1/files/${file.id}`, as(admin.cookie)), 200);
  const agent = await good(
    'POST',
    '/v1/agents',
    { name: 'With file', definition: { agent_files: [file.id] } },
    as(editor.cookie),
  );
  assert.ok(agent.id);
  assert.equal(await statusOf('GET', `/v1/files/${file.id}`, as(bo.cookie)), 200);
});

test('hides attachments of a private conversation, and deletes them with it', async () => {
  const conversation = await good('POST', '/v1/conversations', { name: 'private' }, as(ada.cookie));
  const attached = {
    name: 'a.txt',
    b64_content: Buffer.from('attached').toString('base64'),
    size: 8,
    type: 'text/plain',
  };
  const sent = await call(
    'POST',
    `/v1/conversations/${conversation.id}?wait=false`,
    { content: 'read this', files: [attached] },
    as(ada.cookie),
  );
  assert.ok(sent.status === 200 || sent.status === 202, sent.text);
  const [row] = await app.query('select file_id as id from file_conversations where conversation_id = $1', [
    conversation.id,
  ]);
  assert.equal(await statusOf('GET', `/v1/files/${row.id}`, as(ada.cookie)), 200);
  assert.equal(await statusOf('GET', `/v1/files/${row.id}`, as(bo.cookie)), 404);
  assert.equal(await statusOf('GET', `/v1/files/${row.id}`, { key: (await keyWith('files_read')).value }), 404);
  await good(
    'POST',
    `/v1/conversations/${conversation.id}/shares`,
    { person_id: editor.id, access: 'write' },
    as(ada.cookie),
  );
  assert.equal(await statusOf('GET', `/v1/files/${row.id}`, as(editor.cookie)), 200);
  assert.equal(
    await statusOf('DELETE', `/v1/files/${row.id}`, as(editor.cookie)),
    404,
    'a sharee deletes no attachment',
  );
  await good('DELETE', `/v1/conversations/${conversation.id}`, undefined, as(ada.cookie));
  assert.deepEqual(await app.query('select id from files where id = $1', [row.id]), []);
});

test('limits a key with agents_run to the conversations that it began, also after it is rotated', async () => {
  const key = await keyWith('agents_run');
  const other = await keyWith('agents_run');
  const own = await good('POST', '/v1/conversations', { name: 'own' }, { key: key.value });
  const foreign = await good('POST', '/v1/conversations', { name: 'of ada' }, as(ada.cookie));
  for (const { id } of [foreign, await good('POST', '/v1/conversations', {}, { key: other.value })])
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'x' }],
      ['POST', '', { content: 'x' }],
      ['DELETE', '', undefined],
    ] as const)
      assert.equal(await statusOf(method, `/v1/conversations/${id}${path}`, { key: key.value }, body), 404, method);
  const rotated = await good('POST', `/v1/admin/groups/${home}/api-keys/${key.id}/rotate`, {});
  assert.equal(await statusOf('GET', `/v1/conversations/${own.id}`, { key: rotated.value }), 200);
  const listed = await good('GET', '/v1/conversations?include_empty=true', undefined, { key: rotated.value });
  assert.deepEqual(
    listed.items.map(({ id }: { id: string }) => id),
    [own.id],
  );
});

test('lets a caller with conversations_read alone read conversations of others and change none', async () => {
  const { id } = await good('POST', '/v1/conversations', { name: 'of ada' }, as(ada.cookie));
  const reads = { key: (await keyWith('agents_run', 'conversations_read')).value };
  const edits = { key: (await keyWith('agents_run', 'conversations_read', 'conversations_edit')).value };
  assert.equal(await statusOf('GET', `/v1/conversations/${id}`, reads), 200);
  assert.equal(await statusOf('PATCH', `/v1/conversations/${id}`, reads, { name: 'x' }), 403);
  assert.equal(await statusOf('POST', `/v1/conversations/${id}`, reads, { content: 'x' }), 403);
  assert.equal(await statusOf('DELETE', `/v1/conversations/${id}`, reads), 403);
  assert.equal(await statusOf('PATCH', `/v1/conversations/${id}`, edits, { name: 'x' }), 200);
  assert.equal(await statusOf('DELETE', `/v1/conversations/${id}`, edits), 200);
});

test('keeps the reach of a key from before until it is narrowed, which can not be undone', async () => {
  const { id } = await good('POST', '/v1/conversations', { name: 'of ada' }, as(ada.cookie));
  const body = { name: 'old', permissions: ['agents_run'], reach: 'workspace' };
  const key = await good('POST', `/v1/admin/groups/${home}/api-keys`, body);
  assert.equal(await statusOf('GET', `/v1/conversations/${id}`, { key: key.value }), 200);
  const at = `/v1/admin/groups/${home}/api-keys/${key.id}`;
  assert.equal((await good('PATCH', at, { reach: 'own' })).reach, 'own');
  assert.equal(await statusOf('GET', `/v1/conversations/${id}`, { key: key.value }), 404);
  assert.equal(await statusOf('PATCH', at, {}, { reach: 'workspace' }), 422);
});

test('hides the sandbox of a conversation from a key with sandboxes_run that can not read it', async () => {
  const conversation = await good('POST', '/v1/conversations', { name: 'of ada' }, as(ada.cookie));
  const id = '0190c0de-0000-7000-8000-000000000001';
  await app.query(
    `insert into sandboxes (workspace_id, id, label, persistent, network, status, engine, isolation, created_by, conversation_id)
     values ($1, $2, 'x', false, false, 'running', 'just-bash', 'emulated', $3, $4)`,
    [home, id, ada.id, conversation.id],
  );
  const weak = { key: (await keyWith('sandboxes_run')).value };
  for (const path of ['', '/files', '/terminals'])
    assert.equal(await statusOf('GET', `/v1/sandboxes/${id}${path}`, weak), 404, path);
  assert.equal(await statusOf('POST', `/v1/sandboxes/${id}/exec`, weak, { command: 'ls' }), 404);
  assert.ok(!(await call('GET', '/v1/sandboxes', undefined, weak)).text.includes(id));
});

test('shows deliveries of a trigger to those who may edit it, and to others those that they fired by hand', async () => {
  const flow = await good('POST', '/v1/workflows', { name: 'Hooked', definition });
  const trigger = await good('POST', `/v1/workflows/${flow.id}/triggers`, {
    ...{ name: 'T', definition: { type: 'schedule', cron: '0 9 * * 1' }, enabled: false },
  });
  const at = `/v1/triggers/${trigger.id}`;
  const first = await good('POST', `${at}/fire`, { input: { in: 'payload of the editor' } }, as(editor.cookie));
  const seen = await good('GET', `${at}/deliveries`, undefined, as(bo.cookie));
  assert.deepEqual([seen.items, seen.total], [[], 0]);
  assert.equal(await statusOf('POST', `${at}/deliveries/${first.id}/redeliver`, as(bo.cookie)), 404);
  const own = await good('POST', `${at}/fire`, { input: { in: 'own' } }, as(bo.cookie));
  const now = await good('GET', `${at}/deliveries`, undefined, as(bo.cookie));
  assert.deepEqual(
    now.items.map(({ id }: { id: string }) => id),
    [own.id],
  );
  assert.equal((await good('GET', `${at}/deliveries`, undefined, as(editor.cookie))).total, 2);
});
