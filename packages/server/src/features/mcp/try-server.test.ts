import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { scriptedMcp } from './testing.ts';

const { call, workspace, logged } = await testApp({ web_allow: ['127.0.0.1'] });
const path = '/v1/mcp-servers/test';

test('lists the tools of a server by its address, and stores nothing', async () => {
  const mcp = await scriptedMcp();
  const { key } = await workspace();
  const headers = { 'x-token': 'canary-of-mcp-try' };
  const tried = await call('POST', path, { url: mcp.url, headers }, { key });
  assert.equal(tried.status, 200, tried.text);
  assert.partialDeepStrictEqual(tried.json, { success: true, code: null, used_login: false });
  assert.deepEqual(tried.json.tools, [
    { name: 'echo', description: 'Says it back', input_schema: mcp.tools[0]?.['inputSchema'] },
  ]);
  assert.equal(mcp.asked[0]?.headers['x-token'], 'canary-of-mcp-try');
  assert.equal(mcp.calls().length, 0, 'no tool is called');
  assert.equal((await call('GET', '/v1/mcp-servers', undefined, { key })).json.total, 0);
});

test('covers what a server repeats of the headers that it was sent', async () => {
  const mcp = await scriptedMcp();
  const secret = 'canary-of-repeated-header';
  mcp.tools.push({ name: 'leak', description: `You sent ${secret}`, inputSchema: { type: 'object', title: secret } });
  const tried = await call('POST', path, { url: mcp.url, headers: { authorization: secret } });
  assert.equal(tried.json.tools.length, 2, tried.text);
  const wrong = await call('POST', path, { url: mcp.url, headers: { authorization: [secret] } });
  assert.equal(wrong.status, 422);
  for (const { text } of [tried, wrong]) assert.ok(!text.includes(secret), text);
  assert.ok(!logged.join('').includes(secret));
});

test('says why a server can not be used', async () => {
  const mcp = await scriptedMcp();
  mcp.before = (_, response) => {
    response.writeHead(401).end();
    return true;
  };
  const refused = await call('POST', path, { url: mcp.url });
  assert.deepEqual([refused.status, refused.json.success, refused.json.code], [200, false, 'unauthorized']);
  const off = await call('POST', path, { url: 'http://127.0.0.1:9/mcp' });
  assert.deepEqual([off.json.success, off.json.code, off.json.tools], [false, 'unreachable', []]);
  const template = await call('POST', path, { url: mcp.url, headers: { token: '{{secret.x}}' } });
  assert.deepEqual([template.status, template.json.detail[0].loc], [422, ['body', 'headers', 'token']]);
  const program = await call('POST', path, { url: 'operator:shell' });
  assert.equal(program.status, 422);
});

test('reaches no private address that the operator does not allow, and answers only those who may edit integrations', async () => {
  const metadata = await call('POST', path, { url: 'http://169.254.169.254/mcp' });
  assert.deepEqual([metadata.status, metadata.json.success], [200, false]);
  const inside = await call('POST', path, { url: 'http://10.0.0.1/mcp' });
  assert.deepEqual([inside.status, inside.json.success], [200, false]);
  for (const { json } of [metadata, inside]) assert.match(json.message, /at a private or reserved address/);
  const weak = await workspace(['agents_edit', 'agents_run']);
  assert.equal((await call('POST', path, { url: 'http://10.0.0.1/mcp' }, { key: weak.key })).status, 403);
});
