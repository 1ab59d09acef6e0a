import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { methodAndPath } from '@atrium/contract/operation.ts';
import { operations } from '@atrium/contract/operations.ts';
import { testApp } from '../../../test/support/test-app.ts';
import { adminKey, testConfig } from '../../../test/support/test-config.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { makeApp } from '../../app.ts';
import { makeLog } from '../../lib/log.ts';

const { app, call, query } = await testApp();
const token = 'a-token-for-metrics';
const { app: guarded } = await testApp({ metrics_token: token });
const open = (path: string) => call('GET', path, undefined, { key: null });
type Node = Record<string, unknown>;

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const inner of Object.values(value)) yield* nodesOf(inner);
}
const at = (root: unknown, ref: string) =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Node | undefined)?.[key], root);

test('answers health and readiness without a key', async () => {
  const [health, ready] = [await open('/health'), await open('/ready')];
  assert.deepEqual([health.status, health.json], [200, { status: 'ok' }]);
  assert.deepEqual(
    [ready.status, ready.json],
    [200, { status: 'ready', database: 'ok', migrations: 'done', sandboxes: 'checking' }],
  );
});

/**
 * A proxy to the database that can be cut: it refuses new connections and closes the open ones. It listens at a socket
 * file, since a released port may be taken by another process.
 */
async function cuttableWay() {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-way-'));
  after(() => rmSync(dir, { recursive: true, force: true }));
  const { host, port } = testServer();
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const sockets = new Set<Socket>();
  const way = createServer((near) => {
    const far = connect(target as NetConnectOpts);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.pipe(far).pipe(near);
  });
  const own = { host: dir, port: 5432 };
  const listen = () => once(way.listen(join(dir, `.s.PGSQL.${own.port}`)), 'listening');
  await listen();
  const cut = () => {
    way.close();
    for (const socket of sockets) socket.destroy();
  };
  return { connection: own, cut, mend: listen };
}

test('without its database the program is alive, not ready, and comes back', async () => {
  const database = (await query('select current_database() as name'))[0].name as string;
  const way = await cuttableWay();
  const far = await makeApp(
    testConfig('/nowhere'),
    { ...testServer(), database, ...way.connection },
    makeLog('silent'),
  );
  const ask = async (url: string) => {
    const { statusCode, payload } = await far.server.inject({ url, headers: { 'x-api-key': adminKey } });
    return [statusCode, JSON.parse(payload)];
  };
  assert.equal((await ask('/ready'))[0], 200);
  way.cut();
  assert.deepEqual(await ask('/health'), [200, { status: 'ok' }]);
  assert.deepEqual(await ask('/ready'), [
    503,
    { status: 'not_ready', database: 'unreachable', migrations: 'done', sandboxes: 'checking' },
  ]);
  const detail = 'The database is not reachable at the moment';
  assert.deepEqual(await ask('/v1/admin/groups'), [503, { detail, code: 'unavailable' }]);
  await way.mend();
  // A connection from before may be tried once more until its end is noticed.
  for (const url of ['/ready', '/v1/admin/groups'])
    await until(`${url} answers again`, async () => (await ask(url))[0] === 200);
  await far.close();
  way.cut();
});

test('the document is OpenAPI 3.1 with every route in it and every reference resolved', async () => {
  const { status, json, headers } = await open('/openapi.json');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^application\/json/);
  assert.deepEqual([json.openapi, json.info.version], ['3.1.0', '1.1.0']);
  assert.deepEqual(json.components.securitySchemes.APIKeyHeader, { type: 'apiKey', in: 'header', name: 'X-API-Key' });
  assert.deepEqual(json.security, [{ APIKeyHeader: [] }, { SessionCookie: [] }]);
  for (const [name, schema] of Object.entries(json.components.schemas as Record<string, Node>))
    assert.ok(schema.type ?? schema.anyOf ?? schema.oneOf ?? schema.enum, `${name} says nothing`);
  for (const { $ref } of nodesOf(json))
    if (typeof $ref === 'string') assert.ok($ref.startsWith('#/') && at(json, $ref), `${$ref} leads nowhere`);

  const { schemas } = json.components;
  for (const name of ['ConversationSettingsInput', 'Settings', 'KnowledgeBaseSettings'])
    for (const [key, property] of Object.entries<Node>(schemas[name].properties))
      assert.ok('default' in property, `${name}.${key} says no default`);
  assert.equal(schemas.ConversationSettingsInput.properties.temperature.default, 0.7);
  assert.equal(schemas.Settings.properties.base_tools.default.length, 10);
  assert.equal(schemas.KnowledgeBaseSettings.properties.retrieval_top_k.default, 25);
  assert.equal(schemas.ConversationCreateInput.properties.preview.default, false);

  const operations = Object.values(json.paths as Record<string, Node>).flatMap((path) => Object.values(path)) as Node[];
  assert.equal(operations.length, app.routes.length);
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  for (const route of app.routes) {
    const { method, path } = methodAndPath(route);
    const operation = json.paths[path][method.toLowerCase()];
    const inPath = operation.parameters.filter((parameter: Node) => parameter.in === 'path');
    assert.deepEqual(
      inPath.map(({ name }: Node) => `{${name}}`),
      path.match(/\{\w+\}/g) ?? [],
      `${route.route} declares other path parameters than it has`,
    );
    assert.ok(inPath.every(({ required }: Node) => required === true));
    const isScim = route.error_format === 'scim';
    const media = isScim ? 'application/scim+json' : (route.content_type ?? 'application/json');
    const success = operation.responses[String(route.status ?? 200)];
    if (route.status === 204) assert.equal(success.content, undefined);
    else assert.ok(success.content[media].schema, route.route);
    assert.ok(operation.responses[isScim ? '4XX' : '422'].content, route.route);
    assert.equal(
      operation.requestBody !== undefined,
      (route.body ?? route.upload ?? route.raw) !== undefined,
      route.route,
    );
  }
});

test('describes bodies and answers apart', async () => {
  const { json } = await open('/openapi.json');
  const schemas = json.components.schemas;
  assert.deepEqual(schemas.ApiKeyCreateInput.required, ['name']);
  assert.equal(schemas.ApiKeyCreateInput.additionalProperties, false);
  assert.equal(schemas.ApiKeyCreateInput.properties.tenant_admin.default, false);
  // `may` is added when an answer is presented.
  const always = Object.keys(schemas.ApiKey.properties).filter((name) => name !== 'may');
  assert.deepEqual(schemas.ApiKey.required.toSorted(), always.toSorted());
  assert.ok(schemas.ApiKey.properties.id, 'a property called id is not taken for the name of a schema');
  const post = json.paths['/v1/admin/groups/{group_id}/api-keys'].post;
  assert.match(post.requestBody.content['application/json'].schema.$ref, /ApiKeyCreateInput$/);
  assert.match(post.responses['200'].content['application/json'].schema.$ref, /\/ApiKey$/);
});

test('each page of the reference loads everything from this server', async () => {
  const start = await open('/docs/start.js');
  for (const [path, count] of [
    ['/docs', 2],
    ['/docs/variables', 2],
    ['/docs/try', 3],
  ] as const) {
    const { status, text, headers } = await open(path);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/html/);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(;|$)/);
    const loaded = [...text.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)].map(
      (match) => match[1] as string,
    );
    const assets = loaded.filter((address) => address !== 'data:,');
    assert.doesNotMatch(policy + assets.join() + start.text, /(https?:)?\/\/\w/);
    assert.equal(assets.length, count);
    for (const address of assets) {
      const asset = await open(address);
      assert.ok(asset.status === 200 && asset.text.length > 100, address);
      assert.match(
        String(asset.headers['content-type']),
        address.endsWith('.css') ? /^text\/css/ : /^text\/javascript/,
      );
    }
  }
  assert.equal((await open('/docs/..%2fpackage.json')).status, 404);
  assert.equal((await open('/docs/no-such-page')).status, 404);
});

test('the first page of the reference lists every operation as text and as a link to its description', async () => {
  const { text } = await open('/docs');
  assert.match(text, /<input id="filter" type="search"/);
  const pages = new Map<string, string>();
  for (const { id, route, tag } of operations) {
    const [method = '', path = ''] = route.split(' ');
    assert.ok(text.includes(`>${method}</span> <code>${path}</code>`), route);
    const [, address = ''] = new RegExp(`href="(/docs/[a-z-]+)#${id.replace('.', '\\.')}"`).exec(text) ?? [];
    assert.ok(address, id);
    pages.set(address, pages.get(address) ?? (await open(address)).text);
    assert.ok(pages.get(address)?.includes(`<article id="${id}">`), `${id} on the page of ${tag}`);
  }
});

test('a page of the reference describes parameters, bodies and answers, and escapes what it shows', async () => {
  const { text } = await open('/docs/variables');
  const article = text.slice(
    text.indexOf('<article id="variables.update">'),
    text.indexOf('<article id="variables.delete">'),
  );
  assert.match(article, /<code>variable_id<\/code> <span class="required">required<\/span>/);
  assert.match(article, /<a href="#schema-VariablePatchInput">/);
  assert.match(text, /<article id="schema-VariablePatchInput">[\s\S]*<code>allowed_hosts<\/code>/);
  assert.match(article, /curl -X PATCH &quot;\$BASE\/v1\/variables\/\{variable_id\}&quot;/);
});

test('examples of the reference carry the credentials and files that their operations take', async () => {
  const exampleOf = async (page: string, id: string) => {
    const { text } = await open(`/docs/${page}`);
    const [, example = ''] = new RegExp(`<article id="${id}">.*?<h4>Example</h4>(.*?)</article>`, 's').exec(text) ?? [];
    return example;
  };
  assert.match(await exampleOf('variables', 'variables.list'), /X-API-Key/);
  const signIn = await exampleOf('sign-in', 'sessions.signIn');
  assert.match(signIn, /-c session\.jar/);
  assert.doesNotMatch(signIn, /X-API-Key/);
  const signOut = await exampleOf('sign-in', 'sessions.signOut');
  assert.match(signOut, /-b session\.jar[\s\S]*Origin: \$BASE/);
  assert.doesNotMatch(signOut, /X-API-Key/);
  assert.match(await exampleOf('tables', 'tables.import'), /-F file=@/);
  assert.doesNotMatch((await open('/docs/people')).text, /9007199254740991/);
});

test('serves metrics to loopback and to holders of the token, and answers 404 to all remaining clients', async () => {
  const read = (from: typeof app, remoteAddress: string, headers: Record<string, string> = {}) =>
    from.server
      .inject({ url: '/metrics', remoteAddress, headers })
      .then(({ statusCode, rawPayload, headers: sent }) => {
        const text = sent['content-encoding'] === 'gzip' ? gunzipSync(rawPayload) : rawPayload;
        assert.equal(text.includes('atrium_http_request_seconds'), statusCode === 200);
        return statusCode;
      });
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
  for (const local of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) assert.equal(await read(app, local), 200);
  assert.equal(await read(app, '10.0.0.1'), 404);
  assert.equal(await read(app, '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }), 404);
  assert.equal(await read(app, '127.0.0.1', { forwarded: 'for=203.0.113.9' }), 404);
  const told =
    'X-Forwarded-Host X-Forwarded-Proto X-Forwarded X-Real-IP X-Client-IP X-Cluster-Client-IP X-Original-Forwarded-For Via ' +
    'CF-Connecting-IP CF-Ray True-Client-IP Fastly-Client-IP Fly-Client-IP X-Envoy-External-Address X-Amzn-Trace-Id ' +
    'X-Azure-ClientIP X-Host Client-IP CDN-Loop Forwarded-For X-Scheme X-Request-ID X-Cloud-Trace-Context X-Varnish ' +
    'X-Proxied-For X-Forward-For WL-Proxy-Client-IP Front-End-Https SSL-Client-Verify';
  for (const name of told.split(' ')) assert.equal(await read(app, '127.0.0.1', { [name]: '127.0.0.1' }), 404, name);
  const own = { host: 'localhost:8080', accept: '*/*', 'user-agent': 'Prometheus/3', 'accept-encoding': 'gzip' };
  assert.equal(await read(app, '127.0.0.1', { ...own, 'x-prometheus-scrape-timeout-seconds': '10' }), 200);
  assert.equal(await read(app, '10.0.0.1', bearer('undefined')), 404);

  assert.equal(await read(guarded, '10.0.0.1', bearer(token)), 200);
  assert.equal(await read(guarded, '127.0.0.1', { ...bearer(token), 'x-forwarded-for': '203.0.113.9' }), 200);
  assert.equal(await read(guarded, '127.0.0.1'), 200);
  for (const wrong of ['', 'wrong', `${token}x`, token.slice(1)])
    assert.equal(await read(guarded, '10.0.0.1', bearer(wrong)), 404);
});

test('metrics name routes by their pattern, never by what callers put into them', async () => {
  await call('GET', '/v1/admin/groups/01890000-0000-7000-8000-000000000001');
  await call('GET', '/no/such/path/private-name');
  const { text } = await open('/metrics');
  assert.match(text, /route="\/v1\/admin\/groups\/:group_id",status="404"/);
  assert.doesNotMatch(text, /01890000-0000|private-name/);
  assert.match(text, /atrium_database_connections\{state="total"\} \d/);
});

test('the figures of the process are watched once, however many apps are in it', async () => {
  const collections = async (from: typeof app) => {
    const { payload } = await from.server.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
    const counts = [...payload.matchAll(/^nodejs_gc_duration_seconds_count\{.*\} (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  // A watcher of the second app's own would not know of what was collected while that app was made.
  const [before, other, after] = [await collections(app), await collections(guarded), await collections(app)];
  assert.ok(before <= other && other <= after, `${before} ${other} ${after}`);
});
