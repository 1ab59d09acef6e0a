import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, test } from 'node:test';
import pg from 'pg';
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
const variables = [await createSecret('ORDERS', dsn), await createSecret('ODD', 'not a connection string')];

/** The taint of each tool result of the last run. */
let taints: unknown[] = [];

async function callTools(databases: object[], ...calls: [tool: string, input: object][]) {
  const tool_calls = calls.map(([tool, input], index) => ({ id: `c${index}`, name: tool, input }));
  model.reply({ tool_calls }, { text: 'Done' });
  const own = { model: [`${account}/one`], pii_anonimization: [], variables_enabled: true, variables, databases };
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
  const [wrong, odd, unlisted] = await callTools(
    [
      { name: 'shop', dsn_variable: 'ORDERS' },
      { name: 'odd', dsn_variable: 'ODD' },
      { name: 'unlisted', dsn_variable: 'NONE' },
    ],
    query('select nothing from orders'),
    ['databases_query', { database: 'odd', sql: 'select 1' }],
    ['databases_query', { database: 'unlisted', sql: 'select 1' }],
  );
  assert.match(wrong.error, /column "nothing" does not exist/);
  assert.match(odd.error, /does not hold a connection string/);
  assert.match(unlisted.error, /may not use a variable named NONE/);
  const everything = JSON.stringify(model.requests.map(({ body }) => body)) + app.logged.join('');
  assert.ok(!everything.includes(dsn) && !everything.includes(secret));
});

test('refuses a database at a private address unless the operator allows it', async () => {
  const closed = await scriptedApp();
  const { server, name } = await closed.provider();
  const id = (await closed.call('POST', '/v1/variables', { name: 'D', inline_value: dsn, is_secret: true })).json.id;
  server.reply(
    { tool_calls: [{ name: 'databases_query', input: { database: 'd', sql: 'select 1' } }] },
    { text: 'ok' },
  );
  const databases = [{ name: 'd', dsn_variable: 'D' }];
  const { parts } = await closed.ask({ model: [`${name}/one`], variables_enabled: true, variables: [id], databases });
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
