import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { as, makePeopleIn } from '../../people/testing.ts';
import { aNode, type anEdge } from '../testing.ts';

/** A host that records its requests and redirects some of them to another host. */
async function listeningHost(away?: string) {
  const got: string[] = [];
  const server = createServer(async (request, response) => {
    got.push(JSON.stringify([request.method, request.url, request.headers, await text(request)]));
    const status = Number(/^\/away\/(\d+)/.exec(request.url ?? '')?.[1]);
    if (away && status) return void response.writeHead(status, { location: `${away}/caught` }).end();
    response.end('ok');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { got, port, url: `http://127.0.0.1:${port}` };
}
const evil = await listeningHost();
const good = await listeningHost(evil.url);
const secret = 'sk-workflow-0123456789abcdef';
const wasSent = ({ got }: { got: string[] }) => got.some((line) => line.includes(secret));

const app = await testApp({ web_allow: ['127.0.0.1'] });
const { id: group_id, key: admin } = await app.workspace();
const keys = `/v1/admin/groups/${group_id}/api-keys`;
const makeKey = async (...permissions: string[]) => {
  const { json } = await app.call('POST', keys, { name: 'key', permissions });
  return { id: json.id as string, key: json.value as string };
};
const ok = async (method: string, path: string, body?: unknown, key = admin) => {
  const answer = await app.call(method, path, body, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const variable = (name: string, more: object = {}) =>
  ok('POST', '/v1/variables', { name, inline_value: secret, is_secret: true, ...more });
await variable('TOKEN');
await variable('BOUND', { allowed_hosts: [`127.0.0.1:${good.port}`] });
await variable('company', { is_secret: false, inline_value: 'Example Ltd' });

const edges: ReturnType<typeof anEdge>[] = [];
const workflow = (...nodes: object[]) => ({ name: 'test', type: 'flow', definition: { nodes, edges } });
const request = (url: string, more: object = { headers: { authorization: 'Bearer {{secret.TOKEN}}' } }) =>
  aNode('ask', 'HttpRequestNode', { method: 'GET', url, ...more });
const signing = (name: string) => ({
  ...aNode('ask', 'SendWebhookNode', { url: evil.url, secret: `{{secret.${name}}}` }),
  inputs: [{ name: 'payload', fixed_value: 'x' }],
});
const reading = {
  'a secret in a header': request(`${evil.url}/x`),
  'a secret in an address': request(`${evil.url}/{{ secret.TOKEN }}`, {}),
  'a secret by its plain name': request(`${evil.url}/x`, { headers: { a: '{{TOKEN}}' } }),
  'a secret that signs': signing('TOKEN'),
  'a variable in a text': aNode('ask', 'ComposeTextNode', { template: 'We are {{company}}' }),
  'a node of a variable': aNode('ask', 'VariableNode', { name: 'company' }),
};
const weak = await makeKey('flows_edit', 'flows_run', 'flows_delete', 'agents_run', 'agents_edit');
const starter = await makeKey('flows_run');
const sync = (id: string, key = admin) => ok('POST', `/v1/workflows/${id}/runs/sync`, { input: {} }, key);

for (const [what, node] of Object.entries(reading))
  test(`refuses a key without variables_read that saves ${what}, by every operation`, async () => {
    evil.got.length = 0;
    const empty = (await ok('POST', '/v1/workflows', workflow(aNode('text', 'ComposeTextNode', { template: 'x' })))).id;
    const version = (await ok('POST', `/v1/workflows/${empty}/versions`, { name: 'v' })).id;
    const { definition } = workflow(node);
    const saved = (await ok('POST', '/v1/workflows', workflow(node))).id;
    const deleted = (await ok('POST', '/v1/workflows', workflow(node))).id;
    await ok('DELETE', `/v1/workflows/${deleted}`);
    for (const [method, path, body] of [
      ['POST', '/v1/workflows', workflow(node)],
      ['POST', '/v1/workflows?force=true', workflow(node, aNode('odd', 'NoSuchNode'))],
      ['PATCH', `/v1/workflows/${empty}`, { definition }],
      ['PATCH', `/v1/workflows/${saved}`, { definition: { ...definition, nodes: [{ ...node, name: 'Other' }] } }],
      ['POST', `/v1/workflows/${empty}/versions`, { name: 'mine', definition }],
      ['POST', `/v1/workflows/${saved}/versions`, { name: 'copy' }],
      ['PATCH', `/v1/workflows/${empty}/versions/${version}`, { definition }],
      ['POST', `/v1/workflows/${deleted}/restore`, undefined],
    ] as const) {
      const answer = await app.call(method, path, body, { key: weak.key });
      assert.equal(answer.status, 403, `${method} ${path}: ${answer.text}`);
      assert.match(answer.text, /variables_read.*ask/, 'names permission and node');
    }
    assert.equal(evil.got.length, 0);
  });

test('lets a key without variables_read save braces that name no variable, and a definition as it was', async () => {
  const free = workflow(aNode('text', 'ComposeTextNode', { template: 'Dear {{nobody_knows}}' }));
  await ok('POST', '/v1/workflows', free, weak.key);
  const { id, definition } = await ok('POST', '/v1/workflows', workflow(request(`${good.url}/x`)));
  await ok('PATCH', `/v1/workflows/${id}`, { name: 'renamed', definition }, weak.key);
  good.got.length = 0;
  assert.equal((await sync(id, starter.key)).status, 'completed', 'its saver is still the holder');
  assert.equal(wasSent(good), true);
});

test('starting a workflow that reads variables needs flows_run alone', async () => {
  good.got.length = 0;
  const nodes = [request(`${good.url}/x`), aNode('v', 'VariableNode', { name: 'company' })];
  const { id } = await ok('POST', '/v1/workflows', workflow(...nodes));
  assert.equal((await sync(id, starter.key)).status, 'completed');
  assert.equal(wasSent(good), true);
});

test('a name that becomes a variable later is not read for a saver without variables_read', async () => {
  const texts = workflow(aNode('text', 'ComposeTextNode', { template: 'Dear {{later}}' }));
  const { id } = await ok('POST', '/v1/workflows', texts, weak.key);
  await variable('later', { is_secret: false, inline_value: 'private words' });
  const run = await sync(id);
  assert.equal(run.status, 'failed');
  assert.deepEqual([run.error.code, run.error.node_id], ['forbidden', 'text']);
  assert.match(run.error.message, /did not hold the permission variables_read/);
  assert.ok(!JSON.stringify(run).includes('private words'));
});

test('a node that reads variables fails once the key that saved it is revoked, and works when a holder saves it again', async () => {
  const saver = await makeKey('flows_edit', 'flows_run', 'variables_read');
  const { id, definition } = await ok('POST', '/v1/workflows', workflow(request(`${good.url}/x`)), saver.key);
  assert.equal((await sync(id)).status, 'completed');
  await app.call('DELETE', `${keys}/${saver.id}`);
  good.got.length = 0;
  for (const key of [admin, starter.key]) {
    const run = await sync(id, key);
    assert.deepEqual([run.status, run.error.code, run.error.node_id], ['failed', 'forbidden', 'ask']);
    assert.match(run.error.message, /no longer holds the permission variables_read/);
  }
  assert.equal(good.got.length, 0);
  await ok('PATCH', `/v1/workflows/${id}`, { definition }, weak.key);
  assert.equal((await sync(id)).status, 'failed', 'a key without the permission does not answer for it');
  await ok('PATCH', `/v1/workflows/${id}`, { definition });
  assert.equal((await sync(id)).status, 'completed');
});

test('a node that reads variables fails once the person who saved it has another role, is removed or deactivated', async () => {
  const people = await makePeopleIn(app);
  const members = `/v1/admin/groups/${group_id}/members`;
  const { json: role } = await app.call('POST', '/v1/admin/roles', {
    name: 'Runs only',
    permissions: { flows_run: true },
  });
  for (const take of [
    (id: string) => app.call('PUT', `${members}/${id}`, { role_id: role.id }),
    (id: string) => app.call('DELETE', `${members}/${id}`),
    (id: string) => app.call('PATCH', `/v1/admin/users/${id}`, { active: false }),
  ]) {
    const saver = await people.aMember('Admin', group_id);
    const texts = workflow(aNode('text', 'ComposeTextNode', { template: 'We are {{company}}' }));
    const saved = await app.call('POST', '/v1/workflows', texts, as(saver.cookie));
    assert.equal((await sync(saved.json.id)).status, 'completed');
    assert.equal((await take(saver.id)).status, 200);
    const run = await sync(saved.json.id);
    assert.equal(run.status, 'failed');
    assert.match(run.error.message, /no longer holds the permission variables_read/);
  }
});

test('a node that reads variables fails once the key that saved it has lost the permission or has expired', async () => {
  for (const change of ["permissions = '{flows_edit,flows_run}'", "expires_at = now() - interval '1 second'"]) {
    const saver = await makeKey('flows_edit', 'flows_run', 'variables_read');
    const texts = workflow(aNode('text', 'ComposeTextNode', { template: 'We are {{company}}' }));
    const { id } = await ok('POST', '/v1/workflows', texts, saver.key);
    assert.equal((await sync(id)).status, 'completed');
    await app.query(`update api_keys set ${change} where id = $1`, [saver.id]);
    const run = await sync(id);
    assert.equal(run.status, 'failed', change);
    assert.match(run.error.message, /variables_read/);
  }
});

test('a rotated key still counts as the saver', async () => {
  const saver = await makeKey('flows_edit', 'flows_run', 'variables_read');
  const { id } = await ok('POST', '/v1/workflows', workflow(request(`${good.url}/x`)), saver.key);
  const next = await app.call('POST', `${keys}/${saver.id}/rotate`, { overlap_seconds: 0 });
  assert.equal(next.status, 200, next.text);
  assert.equal((await sync(id)).status, 'completed');
  await app.call('DELETE', `${keys}/${next.json.id}`);
  assert.equal((await sync(id)).status, 'failed');
});

test('a nested workflow reads variables with the permissions of its own saver', async () => {
  const { id: inner } = await ok('POST', '/v1/workflows', workflow(request(`${good.url}/x`)));
  const outer = workflow(aNode('sub', 'SubWorkflowNode', { workflow_id: inner }));
  const { id } = await ok('POST', '/v1/workflows', outer, weak.key);
  good.got.length = 0;
  assert.equal((await sync(id, starter.key)).status, 'completed');
  assert.equal(wasSent(good), true);
});

test('refuses to send a secret to a host that it is not bound to', async () => {
  evil.got.length = 0;
  const headers = { authorization: '{{secret.BOUND}}' };
  const away = await ok('POST', '/v1/workflows', workflow(request(`${evil.url}/x`, { headers })));
  const run = await sync(away.id);
  assert.equal(run.status, 'failed');
  assert.match(run.error.message, new RegExp(`BOUND may not be sent to 127\\.0\\.0\\.1:${evil.port}`));
  const signed = await ok('POST', '/v1/workflows', workflow(signing('BOUND')));
  assert.match(JSON.stringify((await sync(signed.id)).error), /may not be sent to/);
  assert.equal(evil.got.length, 0);
  const home = await ok('POST', '/v1/workflows', workflow(request(`${good.url}/x`, { headers })));
  assert.equal((await sync(home.id)).status, 'completed');
});

// The statuses of redirects are told apart by the driver, whose tests try each; one of each kind here.
for (const status of [302, 307])
  test(`sends neither secret nor body when ${status} redirects a node's request to another origin`, async () => {
    evil.got.length = 0;
    const headers = { 'user-agent': '{{secret.TOKEN}}', accept: '{{secret.TOKEN}}', 'x-key': '{{secret.TOKEN}}' };
    const node = request(`${good.url}/away/${status}`, { method: 'POST', headers, body: '{"it": "{{secret.TOKEN}}"}' });
    const { id } = await ok('POST', '/v1/workflows', workflow(node));
    await sync(id);
    assert.equal(evil.got.length, 1, 'it was followed');
    assert.equal(wasSent(evil), false);
  });
