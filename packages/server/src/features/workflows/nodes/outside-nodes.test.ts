import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { makeQuickJs } from '../../../drivers/scripts/quickjs.ts';
import { makeGuardedWeb } from '../../../drivers/web/guarded-fetch.ts';
import { runNode, tryNode } from '../testing.ts';
import { makeCodeNode } from './integrations/code.ts';
import { makeHttpRequestNode, makeSendWebhookNode } from './integrations/http-request.ts';
import { NodeFailure } from './node-failure.ts';

interface Got {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}
const got: Got[] = [];
let status = 200;
const service = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  got.push({ method: request.method, url: request.url, headers: request.headers, body });
  response.writeHead(status, { 'content-type': 'application/json' }).end('{"key": "s3cret-value", "ok": true}');
}).listen(0, '127.0.0.1');
await once(service, 'listening');
after(() => service.close());
const { port } = service.address() as AddressInfo;
const address = `http://127.0.0.1:${port}`;
const web = makeGuardedWeb({ allow: ['127.0.0.1'] });
const secrets = {
  reveal: async <T>(value: T) => JSON.parse(JSON.stringify(value).replaceAll('{{secret.KEY}}', 's3cret-value')) as T,
  scrub: <T>(value: T) => JSON.parse(JSON.stringify(value).replaceAll('s3cret-value', '{{secret.KEY}}')) as T,
};

test('escapes the values of a request, and shows secrets to the receiver alone', async () => {
  const node = makeHttpRequestNode(web);
  const config = {
    method: 'POST',
    url: `${address}/items/((Id))?q=((Query))&n=((Row.n))`,
    headers: { authorization: 'Bearer {{secret.KEY}}' },
    body: '{"name": "((Name))", "list": ((List))}',
  };
  const inputs = {
    variables: {
      Id: '../admin?x=1',
      Query: 'a&b=c',
      Row: { n: 'x=1' },
      Name: 'Ada", "admin": "yes\n',
      List: [1, 'two'],
    },
  };
  const { response } = await runNode(node, inputs, config, secrets);
  const [request] = got.splice(0);
  assert.equal(request?.url, '/items/..%2Fadmin%3Fx%3D1?q=a%26b%3Dc&n=x%3D1');
  assert.equal(request?.headers.authorization, 'Bearer s3cret-value');
  assert.equal(request?.method, 'POST');
  assert.deepEqual(JSON.parse(request?.body ?? ''), { name: 'Ada", "admin": "yes\n', list: [1, 'two'] });
  assert.deepEqual((response as { body: unknown }).body, { key: '{{secret.KEY}}', ok: true });
});

test('a value can not choose where a secret is sent', async () => {
  const config = { url: '((Where))/x', headers: { authorization: '{{secret.KEY}}' } };
  await assert.rejects(runNode(makeHttpRequestNode(web), { variables: { Where: address } }, config, secrets), /host/);
  assert.equal(got.length, 0);
});

test('the label of an input is escaped in an address like any other value', async () => {
  const labels = { Name: '../admin?x=1', Broken: '\ud800' };
  const config = { url: `${address}/items/((Name))/((Broken))` };
  await runNode(makeHttpRequestNode(web), {}, config, { labels } as object);
  assert.equal(got.splice(0)[0]?.url, '/items/..%2Fadmin%3Fx%3D1/%EF%BF%BD');
});

test('a secret that is written like a variable does not go where a value says either', async () => {
  const given = { ...secrets, variables: { KEY: '{{secret.KEY}}' } };
  for (const token of ['{{KEY}}', '{{ secret.KEY }}']) {
    const config = { url: '((Where))/x', headers: { authorization: token } };
    await assert.rejects(runNode(makeHttpRequestNode(web), { variables: { Where: address } }, config, given), /host/);
  }
  assert.equal(got.length, 0);
});

test('a value can not form the handle of a secret, not even in two halves', async () => {
  const body = '((A))((B)) ((C))';
  const variables = { A: '{{sec', B: 'ret.KEY}}', C: '{{secret.KEY}}' };
  await runNode(makeHttpRequestNode(web), { variables }, { method: 'POST', url: address, body }, secrets);
  await runNode(makeSendWebhookNode(web), { payload: '{{secret.KEY}}' }, { url: address }, secrets);
  const bodies = got.splice(0).map((request) => request.body);
  assert.equal(bodies.length, 2);
  assert.ok(!bodies.join().includes('s3cret-value'), bodies.join());
  assert.equal(JSON.parse(bodies[1] ?? '').data, '{{secret.KEY}}');
});

test('limits the length of a filled template', async () => {
  const variables = { A: 'x'.repeat(1_000_000) };
  const config = { method: 'POST', url: address, body: '((A))'.repeat(20) };
  await assert.rejects(runNode(makeHttpRequestNode(web), { variables }, config, secrets), { code: 'text_too_long' });
});

test('refuses a request to a private address, and fails on an error status', async () => {
  const node = makeHttpRequestNode(web);
  await assert.rejects(runNode(node, {}, { url: 'http://127.0.0.2:1/' }), NodeFailure);
  await assert.rejects(runNode(node, {}, { url: 'http://169.254.169.254/latest' }), NodeFailure);
  status = 503;
  const said: string[] = [];
  const log = (line: string) => void said.push(line);
  await assert.rejects(runNode(node, {}, { url: address }, { ...secrets, log }), /status 503/);
  assert.deepEqual(said, ['It said: {"key":"{{secret.KEY}}","ok":true}']);
  const { response } = await runNode(node, {}, { url: address, fail_on_status: false });
  assert.equal((response as { status: number }).status, 503);
  status = 200;
  got.splice(0);
});

test('signs a webhook and sends the same id at every try', async () => {
  const node = makeSendWebhookNode(web);
  const config = { url: `${address}/hook`, secret: '{{secret.KEY}}' };
  for (const attempt of [1, 2])
    await runNode(node, { payload: { a: 1 } }, config, { ...secrets, key: 'step-1', attempt });
  const [first, second] = got.splice(0);
  assert.deepEqual([first?.headers['webhook-id'], second?.headers['webhook-id']], ['step-1', 'step-1']);
  const signed = `step-1.${first?.headers['webhook-timestamp']}.${first?.body}`;
  const signature = createHmac('sha256', 's3cret-value').update(signed).digest('base64');
  assert.equal(first?.headers['webhook-signature'], `v1,${signature}`);
  assert.deepEqual(JSON.parse(first?.body ?? '').data, { a: 1 });
});

test('a webhook is signed with a secret of Standard Webhooks as their libraries check it', async () => {
  const secret = `whsec_${Buffer.from('a key of some bytes').toString('base64')}`;
  await runNode(
    makeSendWebhookNode(web),
    { payload: 1 },
    { url: address, secret: '{{secret.KEY}}' },
    {
      ...{ scrub: secrets.scrub, key: 'step-2' },
      reveal: async <T>(value: T) => JSON.parse(JSON.stringify(value).replaceAll('{{secret.KEY}}', secret)) as T,
    },
  );
  const [sent] = got.splice(0);
  const signed = `step-2.${sent?.headers['webhook-timestamp']}.${sent?.body}`;
  const signature = createHmac('sha256', 'a key of some bytes').update(signed).digest('base64');
  assert.equal(sent?.headers['webhook-signature'], `v1,${signature}`);
});

const unused = { create: async () => assert.fail(), remove: async () => assert.fail(), run: async () => assert.fail() };
const code = makeCodeNode({ scripts: makeQuickJs(), sandboxes: unused as never, commands: unused as never });

test('JavaScript returns a value, and its errors are reported', async () => {
  const config = { code: 'console.log("hi"); return input.a.map((n) => n * 2)' };
  const { result, lines } = await tryNode(code, { variables: { a: [1, 2] } }, config);
  assert.deepEqual([result, lines], [{ output: [2, 4] }, ['hi']]);
  await assert.rejects(runNode(code, {}, { code: 'throw new Error("no")' }), /no/);
  await assert.rejects(runNode(code, {}, { code: 'for (;;);', timeout: 1 }), { code: 'code_timeout' });
});

test('refuses Python to a caller that may not run sandboxes', async () => {
  const scope = { permissions: new Set(['flows_run']) };
  await assert.rejects(runNode(code, {}, { language: 'python', code: 'print(1)' }, { scope: scope as never }), {
    code: 'forbidden',
  });
});
