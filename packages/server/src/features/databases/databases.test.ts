import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, test } from 'node:test';
import pg from 'pg';
import { makeAccountKey } from '../../../test/support/account-key.ts';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { makeDatabase } from '../../../test/support/test-database.ts';
import { makePostgresDatabases } from '../../drivers/databases/postgres.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ToolContext } from '../tools/ports.ts';
import { makeDatabaseTools } from './tools.ts';

/** A customer's database on a port of this machine; the test server itself listens on a socket file. */
const outside = await makeDatabase('empty');
const { host, port, user, password, database } = outside.connection;
const proxy = createServer((from) => {
  const to = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  // The test closes connections in the middle of a query.
  for (const end of [from, to]) end.on('error', () => {});
  from.pipe(to).pipe(from);
});
await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
const owner = new pg.Client(outside.connection);
await owner.connect();
await owner.query('create table orders (id int primary key, customer text, total numeric)');
await owner.query("insert into orders select n, 'customer ' || n, n * 1.5 from generate_series(1, 1000) n");
after(async () => {
  await owner.end();
  proxy.close();
  await outside.drop();
});
const secret = `${password || 'no'}-secret-password`;
const dsn = `postgresql://${user}:${encodeURIComponent(password || secret)}@127.0.0.1:${(proxy.address() as AddressInfo).port}/${database}`;

const app = await scriptedApp({ web_allow: ['127.0.0.1'] });
const { server: model, name: account } = await app.provider();
const createSecret = async (name: string, inline_value: string) =>
  (await app.call('POST', '/v1/variables', { name, inline_value, is_secret: true })).json.id;
for (const [name, value] of [
  ['ORDERS', dsn],
  ['ODD', 'not a connection string'],
  ['GONE', dsn],
] as const)
  await createSecret(name, value);

/** The taint of each tool result of the last run. */
let taints: unknown[] = [];

async function callTools(databases: object[], ...calls: [tool: string, input: object][]) {
  const tool_calls = calls.map(([tool, input], index) => ({ id: `c${index}`, name: tool, input }));
  model.reply({ tool_calls }, { text: 'Done' });
  const own = { model: [`${account}/one`], pii_anonimization: [], databases };
  const { status, parts } = await app.ask({ ...own, parallel_tool_calls: false });
  taints = parts.flatMap((part) => (part.type === 'function' ? [part.brings] : []));
  assert.equal(status, 'completed');
  return (model.last().body.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content));
}
const query = (sql: string, parameters?: unknown[]): [string, object] => [
  'databases_query',
  { database: 'shop', sql, ...(parameters && { parameters }) },
];
const count = async () => (await owner.query('select count(*)::int as n from orders')).rows[0].n;

test('an agent queries a database and changes it only where the entry allows writing', async () => {
  const shop = { name: 'shop', dsn_variable: 'ORDERS' };
  const [rows, capped, schema, ...refused] = await callTools(
    [shop],
    query('select id, customer, total from orders where id = $1;', [7]),
    query('select * from orders'),
    ['databases_schema', { database: 'shop' }],
    query('delete from orders'),
    query('with gone as (delete from orders returning *) select * from gone'),
    query('select 1; delete from orders'),
    query("select set_config('transaction_read_only', 'off', false), setval('x', 1)"),
    query('commit; delete from orders'),
    ['databases_execute', { database: 'shop', sql: 'delete from orders' }],
    ['databases_query', { database: 'other', sql: 'select 1' }],
  );
  assert.deepEqual(taints[0], ['untrusted', 'private'], 'strangers may have written the rows');
  assert.deepEqual(rows.rows, [{ id: 7, customer: 'customer 7', total: '10.5' }]);
  assert.deepEqual([capped.rows.length, capped.more_rows], [500, true]);
  assert.deepEqual(schema.tables, [
    { schema: 'public', table: 'orders', columns: 'id integer, customer text, total numeric' },
  ]);
  for (const one of refused) assert.ok(one.error, JSON.stringify(one));
  assert.equal(await count(), 1000);
  await callTools([{ ...shop, trusted: true }], query('select 1'));
  assert.deepEqual(taints, [['private']], 'unless the author of the agent vouches for it');

  const [changed] = await callTools(
    [{ ...shop, access: 'write' }],
    [
      'databases_execute',
      { database: 'shop', sql: 'delete from orders where id > $1 returning id', parameters: [998] },
    ],
  );
  assert.deepEqual([changed.changed, changed.rows], [2, [{ id: 999 }, { id: 1000 }]]);
  assert.equal(await count(), 998);
});

test('shows errors of a statement to the model and never the connection string', async () => {
  const [wrong, odd] = await callTools(
    [
      { name: 'shop', dsn_variable: 'ORDERS' },
      { name: 'odd', dsn_variable: 'ODD' },
    ],
    query('select nothing from orders'),
    ['databases_query', { database: 'odd', sql: 'select 1' }],
  );
  assert.match(wrong.error, /column "nothing" does not exist/);
  assert.match(odd.error, /does not hold a connection string/);
  const everything = JSON.stringify(model.requests.map(({ body }) => body)) + app.logged.join('');
  assert.ok(!everything.includes(dsn) && !everything.includes(secret));
});

const saved = async (definition: object, key?: string) =>
  app.call('POST', '/v1/agents', { name: 'Clerk', definition }, key === undefined ? {} : { key });
const keyWith = async (...permissions: string[]) => {
  const { group_id } = (await app.call('GET', '/v1/admin/me')).json;
  return (await makeAccountKey(app, group_id, permissions)).value;
};

test('grants an entry its own variable for its queries alone', async () => {
  const shop = { name: 'shop', dsn_variable: 'ORDERS' };
  const action = { name: 'post', method: 'POST', url: 'http://127.0.0.1:9/', body: '{{secret.ORDERS}}' };
  const [rows] = await callTools([shop], query('select 1 as one'));
  assert.deepEqual(rows.rows, [{ one: 1 }]);
  model.reply({ tool_calls: [{ name: 'action_post', input: {} }] }, { text: 'Done' });
  await app.ask({ model: [`${account}/one`], pii_anonimization: [], databases: [shop], actions: [action] });
  assert.match(
    JSON.stringify(model.last().body),
    /may not use a variable named ORDERS/,
    'an action has to have it from a list',
  );
});

test('grants no variable to a saver without variables_read, nor to a runner who may change presentation only', async () => {
  const databases = [{ name: 'shop', dsn_variable: 'ORDERS' }];
  const editor = await keyWith('agents_edit', 'agents_run');
  const refused = await saved({ databases }, editor);
  assert.deepEqual([refused.status, refused.json.code], [403, 'setting_forbidden']);
  const guessed = await saved({ databases: [{ name: 'shop', dsn_variable: 'NOBODY' }] }, editor);
  assert.deepEqual(
    [guessed.status, guessed.json.code],
    [403, 'setting_forbidden'],
    'the same for one that is not there',
  );
  const runner = await keyWith('agents_run', 'variables_read');
  const talk = await app.call('POST', '/v1/conversations', { settings: { databases } }, { key: runner });
  assert.deepEqual([talk.status, talk.json.code], [403, 'setting_forbidden']);
  const elsewhere = await app.workspace();
  assert.equal((await saved({ databases }, elsewhere.key)).status, 422, 'the variable is of another workspace');
});

test('refuses an entry that newly names a missing variable, and warns of one that has lost it', async () => {
  const gone = { name: 'gone', dsn_variable: 'GONE' };
  const missing = await saved({ databases: [{ name: 'd', dsn_variable: 'NONE' }] });
  assert.deepEqual(missing.json.detail[0].loc, ['body', 'definition', 'databases', '0', 'dsn_variable']);
  assert.match(missing.json.detail[0].msg, /no such variable/);
  const { json: agent } = await saved({ model: [`${account}/one`], databases: [gone] });
  const { items } = (await app.call('GET', '/v1/variables?size=100')).json;
  const variable = items.find(({ name }: { name: string }) => name === 'GONE').id;
  const used = await app.call('DELETE', `/v1/variables/${variable}`);
  assert.equal(used.json.code, 'in_use');
  await app.call('DELETE', `/v1/variables/${variable}?force=true`);
  const at = `/v1/agents/${agent.id}`;
  const warned = ({ warnings = [] }: { warnings?: { loc: string[]; type: string }[] }) =>
    warnings.map(({ loc, type }) => `${loc.join('.')} ${type}`);
  assert.deepEqual(warned((await app.call('GET', at)).json), ['definition.databases.0.dsn_variable unknown_reference']);
  const kept = await app.call('PATCH', at, { definition: { databases: [gone], temperature: 0.2 } });
  assert.equal(kept.status, 200, kept.text);
  assert.ok(warned(kept.json).includes('body.definition.databases.0.dsn_variable unknown_reference'));
  const copy = await app.call('POST', `${at}/duplicate`, {});
  assert.equal(copy.status, 200, copy.text);
  model.reply(
    { tool_calls: [{ name: 'databases_query', input: { database: 'gone', sql: 'select 1' } }] },
    { text: 'x' },
  );
  const { json: talk } = await app.call('POST', `/v1/conversations?assistant_id=${agent.id}`, {});
  await app.call('POST', `/v1/conversations/${talk.id}/chat`, { content: 'Look' });
  // A title may be asked for by now.
  const asked = JSON.stringify(model.requests.map(({ body }) => body));
  assert.match(asked, /may not use a variable named GONE, or there is none/);
});

test('refuses a database at a private address unless the operator allows it', async () => {
  const closed = await scriptedApp();
  const { server, name } = await closed.provider();
  await closed.call('POST', '/v1/variables', { name: 'D', inline_value: dsn, is_secret: true });
  server.reply(
    { tool_calls: [{ name: 'databases_query', input: { database: 'd', sql: 'select 1' } }] },
    { text: 'ok' },
  );
  const databases = [{ name: 'd', dsn_variable: 'D' }];
  const { parts } = await closed.ask({ model: [`${name}/one`], databases });
  assert.match(JSON.stringify(parts), /private or reserved address/);
});

test('refuses an answer that is too large', async () => {
  const [large] = await callTools(
    [{ name: 'shop', dsn_variable: 'ORDERS' }],
    query("select repeat('x', 1000000) as big from generate_series(1, 400)"),
  );
  assert.match(large.error, /larger than 5 MB|broke off/);
});

test('ends a query that takes too long', async () => {
  const shop = { name: 'shop', dsn_variable: 'ORDERS' };
  const [limit] = await callTools([shop], query("select current_setting('statement_timeout') as timeout"));
  assert.deepEqual(limit.rows, [{ timeout: '30s' }], 'the limit that agents have');

  const databases = makePostgresDatabases({ allow: ['127.0.0.1'] });
  const secrets = { reveal: async () => dsn, scrub: (value: unknown) => value };
  const settings = { databases: [shop] };
  const tools = makeDatabaseTools({ databases, timeout_ms: 200 });
  const [tool] = await tools({} as Scope, settings as never, { secrets } as unknown as ToolContext);
  const call = { id: 'c', taint: [], cost() {}, brings() {} };
  const slow = { database: 'shop', sql: 'select pg_sleep(20)' };
  await assert.rejects(
    async () => tool?.run({} as Scope, slow, AbortSignal.timeout(15_000), secrets.reveal as never, call),
    /canceling statement due to statement timeout/,
  );
});
