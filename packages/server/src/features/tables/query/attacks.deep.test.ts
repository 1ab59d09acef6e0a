import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { testServer } from '../../../../test/support/test-database.ts';
import { tablesApp } from '../testing.ts';
import { checkQuery } from './check-query.ts';
import { QueryRefused } from './query-refused.ts';

const { app, ask, call, good, make, insert, home, query } = await tablesApp();
const secrets = await make([{ name: 'word' }, { name: 'amount', type: 'number' }], { name: 'Own' });
await insert(secrets.id, [
  { word: 'first', amount: 1.5 },
  { word: 'second', amount: 2 },
]);
const neighbour = await app.workspace();
const theirs = good(
  await call('POST', '/v1/tables', { name: 'Theirs', columns: [{ name: 'secret' }] }, { key: neighbour.key }),
);
good(await call('POST', `/v1/tables/${theirs.id}/rows`, { secret: 'hush' }, { key: neighbour.key }));
good(await call('POST', '/v1/conversations', { name: 'their talk' }, { key: neighbour.key }));
const theirSchema = `ws_${neighbour.id.replaceAll('-', '')}`;
const ownRole = (await query('select role_name from table_spaces where workspace_id = $1', [home.id]))[0].role_name;

/** Statements that must do nothing at all. The gate refuses each; the role is tried apart below. */
const attacks: Record<string, string[]> = {
  'stacked statements': [
    'select 1; select 2',
    'select 1; drop table own',
    "select 1;;update own set word = 'x'",
    'select 1 /* ; */ ; -- \n delete from own',
  ],
  'other statements': [
    'insert into own (word) values (1)',
    "update own set word = 'x'",
    'delete from own',
    'drop table own',
    'truncate own',
    'alter table own add x int',
    'create table x (a int)',
    'create temp table x as select 1',
    'do $$ begin perform 1; end $$',
    'call x()',
    'explain analyze delete from own',
    'vacuum own',
    'listen x',
    'notify x',
    'begin',
    'commit',
    'rollback',
    'prepare x as select 1',
    'execute x',
    'deallocate all',
    'discard all',
    'table own',
    'values (1)',
    'show all',
    'grant all on own to public',
    'lock table own',
    'declare c cursor for select 1',
    'fetch all from c',
    'load $$x$$',
    'merge into own using own o on true when matched then delete',
  ].filter((text) => !/^(table|values)/.test(text)),
  'taking on another role': [
    'set role postgres',
    'reset role',
    'set session authorization default',
    'set local statement_timeout = 0',
    "select set_config('role', 'postgres', false)",
    "select set_config('statement_timeout', '0', true)",
    "select current_setting('data_directory')",
    'select current_user',
    'select session_user, current_role',
  ],
  'files and programs': [
    "select pg_read_file('/etc/passwd')",
    "select pg_read_binary_file('/etc/passwd')",
    "select pg_ls_dir('.')",
    "select pg_stat_file('.')",
    "copy own to '/tmp/x'",
    "copy own to program 'id'",
    'copy (select 1) to stdout',
    "select lo_import('/etc/passwd')",
    "select lo_export(1, '/tmp/x')",
    'select lo_create(0)',
    "select lo_from_bytea(0, 'x')",
    "select * from dblink('host=127.0.0.1', 'select 1') as t(a int)",
    "select dblink_connect('host=127.0.0.1')",
    "select pg_file_write('x', 'y', true)",
  ],
  'functions with effects': [
    'select pg_sleep(10)',
    'select pg_sleep_for($$1 minute$$)',
    "select nextval('x')",
    'select pg_advisory_lock(1)',
    'select pg_terminate_backend(1)',
    'select pg_cancel_backend(1)',
    "select pg_notify('a', 'b')",
    'select txid_current()',
    'select pg_reload_conf()',
    "select query_to_xml('select 1', true, true, '')",
    "select table_to_xml('own', true, true, '')",
    "select database_to_xml(true, true, '')",
    'select xmlparse(document \'<!DOCTYPE x SYSTEM "file:///etc/passwd">\')',
    'select xmlelement(name x)',
    'select pg_catalog.pg_sleep(1)',
    'select "pg_sleep"(1)',
    'select U&"\\0070g_sleep"(1)',
    'select pg_backend_pid()',
    'select version()',
    'select inet_server_addr()',
    'select random()',
    'select gen_random_uuid()',
    'select has_table_privilege(1, 2)',
    "select to_regclass('pg_class')",
    "select ts_stat('select 1')",
    "select cursor_to_xml('c', 1, true, true, '')",
    'select count(*) from own where (select true from pg_sleep(1))',
    'select 1 order by pg_sleep(1)',
    'select 1 from own group by pg_sleep(1)',
    'select 1 from own having pg_sleep(1) is null',
    'select sum(1) over (order by pg_sleep(1)) from own',
    'select case when true then pg_sleep(1) end',
    'select array[pg_sleep(1)]',
    'select * from own join lateral (select pg_sleep(1)) x on true',
    'select * from own limit (select 1 from pg_sleep(1))',
    'with x as (select pg_sleep(1)) select * from x',
    'select count(*) filter (where pg_sleep(1) is null) from own',
    'select * from pg_sleep(1)',
    'select * from rows from (pg_sleep(1))',
  ],
  catalogs: [
    'select * from pg_class',
    'select * from pg_catalog.pg_tables',
    'select * from information_schema.tables',
    'select * from pg_stat_activity',
    'select * from pg_roles',
    'select * from pg_shadow',
    "select 'pg_class'::regclass",
    'select 1::regproc',
    "select 'x'::regrole",
    'with pg_class as (select 1) select * from (select * from pg_class) x, pg_class',
    'select * from (with q as (select 1) select * from q) a, pg_authid',
    'select (select relname from pg_class limit 1)',
    'select exists (select from pg_class)',
    'select * from own where word in (select relname from pg_class)',
    'select * from own union select relname::text, null from pg_class',
    'select own from own, lateral (select * from pg_proc) p',
  ],
  "others' tables": [
    'select * from theirs',
    `select * from ${theirSchema}.theirs`,
    `select * from ${theirSchema}_read.theirs`,
    'select * from public.api_keys',
    'select * from api_keys',
    'select * from workspaces',
    'select * from atrium_platform.conversations',
    'select * from atrium.public.workspaces',
    'select * from table_spaces',
  ],
  'writing in a SELECT': [
    'with x as (delete from own returning *) select * from x',
    "with x as (insert into own (word) values ('x') returning *) select * from x",
    "with x as (update own set word = 'x' returning *) select * from x",
    'select * into copied from own',
    'select * into temp copied from own',
    'select * from own for update',
    'select * from own for share',
    'select * from own for no key update skip locked',
    'select * from (select * from own for update) x',
  ],
  bombs: [
    'select count(*) from generate_series(1, 1000000000000)',
    'with recursive x as (select 1 as n union all select n + 1 from x) select count(*) from x',
    "with recursive x as (select 'a' as t union all select t || t from x) select max(length(t)) from x",
    "select repeat('x', 1000000000)",
    "select lpad('x', 1000000000)",
    "select 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa!' ~ '(a+)+$'",
    "select regexp_replace(word, '(a+)+$', '') from own",
    "select substring(word from '(a+)+$') from own",
    "select substring(word, '(a+)+$'::text) from own",
    'select substring(word, word) from own',
    'select substring(word, $1) from own',
    "select substring(word, '(a+)' || '+$') from own",
    `select substring(word similar 'a#"%#"b' escape '#') from own`,
    "select word similar to '(a+)+' from own",
    "select substring(word from '(a+)+$') from own, generate_series(1, 10)",
  ],
  'unicode and quotes': [
    'select * from ｐｇ_class',
    'select * from U&"pg\\005fclass"',
    'select * from "pg_class"',
    'select * from pg_class\u200b',
    'ѕelect 1',
    'select 1 as "a"; select \'',
    "select E'\\'; drop table own; --'; select 1",
    'select $tag$ $tag$; drop table own; --$tag$',
    'select 1 \\; drop table own',
  ],
};

for (const [kind, statements] of Object.entries(attacks))
  test(`the SQL endpoint refuses ${kind}`, async () => {
    const before = await query('select count(*)::int as objects from pg_class');
    for (const sql of statements) {
      const started = Date.now();
      const { status, text } = await ask(sql);
      assert.equal(status, 422, `${sql.slice(0, 100)}: ${text.slice(0, 300)}`);
      assert.ok(Date.now() - started < 30_000, sql.slice(0, 100));
      assert.doesNotMatch(text, /hush|root:/);
    }
    assert.deepEqual(await query('select count(*)::int as objects from pg_class'), before);
    assert.equal(good(await ask('select count(*) as n from own')).items[0].n, 2);
  });

test('a question that goes deep is answered or refused, soon, and so is the next one', async () => {
  const deep = [
    `select ${'('.repeat(3000)}1${')'.repeat(3000)}`,
    `select ${'- '.repeat(5000)}1`,
    `select ${'1+'.repeat(5000)}1`,
    `select ${'not '.repeat(4000)}true`,
    `select ${'case when true then '.repeat(700)}1${' end'.repeat(700)}`,
    `select ${'array['.repeat(3000)}1${']'.repeat(3000)}`,
  ];
  for (const sql of deep) {
    const started = Date.now();
    const { status, text } = await ask(sql);
    assert.ok([200, 409, 422].includes(status), `${sql.slice(0, 60)}: ${status} ${text.slice(0, 200)}`);
    assert.ok(Date.now() - started < 30_000, sql.slice(0, 60));
    assert.equal(good(await ask('select 1 as one')).items[0].one, 1);
  }
});

test('the SQL endpoint answers ordinary queries', async () => {
  const asked = async (sql: string, more = {}) => good(await ask(sql, more)).items;
  assert.deepEqual(await asked('select word, amount from own order by amount desc -- the largest first'), [
    { word: 'second', amount: 2 },
    { word: 'first', amount: 1.5 },
  ]);
  assert.deepEqual(await asked('select sum(amount) as total, count(*) filter (where amount > 1.6) as n from own'), [
    { total: 3.5, n: 1 },
  ]);
  assert.deepEqual(
    await asked(
      `with big as (select * from own where amount > $1 and word like 's%')
      select b.word, row_number() over (order by b.word) as place from big b join own o using (id)`,
      { params: [1.6] },
    ),
    [{ word: 'second', place: 1 }],
  );
  assert.deepEqual(
    await asked(`select extract(year from date '2024-02-29') as y, date_trunc('month', timestamptz
    '2024-02-29T10:00Z') as m, interval '1 day' as i, (jsonb_build_object('a', 1))->>'a' as j, null as n`),
    [{ y: 2024, m: '2024-02-01T00:00:00.000Z', i: '1 day', j: '1', n: null }],
  );
  assert.deepEqual(await asked('select 1 as a, 2 as a union all values (3, 4) order by 1'), [
    { a: 1, a_2: 2 },
    { a: 3, a_2: 4 },
  ]);
  assert.deepEqual(
    await asked(
      'select coalesce(max(amount), 0) as m, case when bool_and(amount > 1) then $1::text end as c from own',
      { params: ['yes'] },
    ),
    [{ m: 2, c: 'yes' }],
  );
});

test('returns the error message of the database for a faulty query', async () => {
  for (const [sql, words] of [
    ['select nope from own', 'column "nope" does not exist'],
    ['select 1/0', 'division by zero'],
    ["select 'x'::int", 'invalid input syntax for type integer: "x"'],
    ['selec 1', 'syntax error at or near "selec"'],
    ['select $1', 'bind message supplies 0 parameters, but prepared statement "" requires 1'],
    ['', undefined],
    ['-- nothing', 'One SELECT statement is needed, and no more'],
  ] as const) {
    const { status, json } = await ask(sql);
    assert.equal(status, 422, sql);
    if (words) assert.equal(json.detail[0].ctx.error, words);
  }
});

test('an answer ends at so many rows, at so many bytes and after so long', async () => {
  await insert(
    secrets.id,
    Array.from({ length: 300 }, (_, n) => ({ word: 'x'.repeat(1000), amount: n })),
  );
  const some = good(await ask('select a.word from own a', { max_rows: 7 }));
  assert.deepEqual([some.row_count, some.truncated], [7, true]);
  const all = good(await ask('select a.word from own a', { max_rows: 302 }));
  assert.deepEqual([all.row_count, all.truncated], [302, false]);
  // A little more than is allowed: on a slow machine much more would take too long first.
  const large = await ask("select string_agg(a.word, '') as w from own a, own b where b.amount < 40", { max_rows: 1 });
  assert.deepEqual([large.status, large.json.code], [409, 'answer_too_large']);
  const long = await ask(
    'select count(*) from own a, own b, own c, own d where a.amount + b.amount > c.amount * d.amount',
  );
  assert.deepEqual([long.status, long.json.code], [409, 'query_timeout']);
  // The connections are good for the next ones.
  for (let turn = 0; turn < 20; turn++) good(await ask('select 1 as one'));
  good(await call('PATCH', `/v1/tables/${secrets.id}`, { description: 'still here' }));
});

test('a workspace that fills its slots does not delay the query of another', async () => {
  const slow = 'select count(*) from own a, own b, own c, own d where a.amount + b.amount > c.amount * d.amount';
  let ended = 0;
  const flood = Array.from({ length: 3 }, () =>
    ask(slow).then(({ status }) => {
      ended++;
      return status;
    }),
  );
  const other = await call(
    'POST',
    '/v1/tables/query',
    { sql: 'select count(*) as n from theirs' },
    { key: neighbour.key },
  );
  assert.equal(good(other).items[0].n, 1);
  assert.ok(ended < 2, `${ended} of the queries before it had ended`);
  assert.ok((await Promise.all(flood)).every((status) => status === 409));
});

test('the platform’s tables show this workspace alone, and no condition is tried on rows of others', async () => {
  good(await call('POST', '/v1/conversations', { name: 'own talk' }));
  const names = good(await ask('select name from conversations')).items.map((row: { name: string }) => row.name);
  assert.ok(names.includes('own talk') && !names.includes('their talk'));
  // Were it tried on the neighbour's row, the cast would fail and tell its name.
  const { status, text } = await ask("select name from conversations where name = 'own talk' or name::int = 1");
  assert.doesNotMatch(text, /their talk/);
  assert.equal(status, 200);
});

test('what the gate might let through, the role does not', async () => {
  const [{ name }] = await query('select current_database() as name');
  const client = new pg.Client({ ...testServer(), database: name });
  await client.connect();
  try {
    const tried = async (sql: string, begin = 'begin read only') => {
      await client.query(begin);
      try {
        await client.query(`set local role "${ownRole}"`);
        await client.query(`set local search_path = ws_${home.id.replaceAll('-', '')}_read`);
        const { rows } = await client.query(sql);
        return rows;
      } catch (error) {
        return (error as { code: string }).code;
      } finally {
        await client.query('rollback');
      }
    };
    assert.equal(((await tried('select * from own limit 1')) as unknown[]).length, 1);
    const denied = '42501';
    assert.equal(await tried(`select * from ${theirSchema}_read.theirs`), denied);
    assert.equal(await tried(`select * from ${theirSchema}.theirs`), denied);
    assert.equal(await tried(`select * from ws_${home.id.replaceAll('-', '')}.own`), denied);
    assert.equal(await tried('select * from public.api_keys'), denied);
    assert.equal(await tried('select * from public.table_spaces'), denied);
    assert.equal(await tried('select * from graphile_worker._private_jobs'), denied);
    assert.equal(await tried("select pg_read_file('/etc/passwd')"), denied);
    assert.equal(await tried("select lo_import('/etc/passwd')"), denied);
    assert.equal(await tried("copy own to program 'id'"), denied);
    assert.equal(await tried('select * from pg_authid'), denied);
    assert.equal(await tried('delete from own', 'begin'), denied);
    assert.equal(await tried('create table public.x (a int)', 'begin'), denied);
    assert.equal(await tried('create temp table x (a int)'), '25006');
    assert.equal(await tried("select atrium_castable('1', 'int')"), '42883');
    assert.equal(await tried(`select set_config('role', '${theirSchema}', true)`), '22023');
    const [{ theirRole }] = await query('select role_name as "theirRole" from table_spaces where workspace_id = $1', [
      neighbour.id,
    ]);
    const seen = await tried(`select name from atrium_platform.conversations where name = 'their talk'`);
    assert.deepEqual(seen, []);
    const [{ login, inherits }] = await query(
      'select rolcanlogin as login, rolinherit as inherits from pg_roles where rolname = $1',
      [theirRole],
    );
    assert.deepEqual([login, inherits], [false, false]);
  } finally {
    await client.end();
  }
});

test('the gate lets long but ordinary queries through', async () => {
  const columns = Array.from({ length: 200 }, (_, n) => `c${n}`);
  for (const sql of [
    `select ${columns.join(', ')} from a`,
    `select ${columns.map((name) => `a.${name}`).join(', ')} from a join b on a.id = b.id where a.c1 like $1 order by a.c2`,
    `select ${columns
      .slice(0, 40)
      .map((name) => `round(sum(${name}) / count(*) * 1.5, 2) as ${name}`)
      .join(', ')} from a group by c50`,
    `select ${columns.slice(0, 30).join(" || ', ' || ")} as line from a`,
    `with x as (select id, concat_ws(', ', ${columns.slice(0, 20).join(', ')}) as line from a) select id, string_agg(line, ' ' order by id) from x group by id`,
    `select jsonb_build_object(${columns
      .slice(0, 8)
      .map((name) => `'${name}', ${name}`)
      .join(', ')}) as row from a`,
    `select c1, json_agg(a order by c2) as list, count(*) as n, array_to_string(array_agg(distinct c3), ', ') as names from a group by c1`,
    `select * from (select a.*, row_number() over (partition by c1 order by c2 desc) as n from a) q where n = 1`,
  ])
    await checkQuery(sql, new Set(['a', 'b']));
});

test('the gate says which tables a question reads', async () => {
  const read = (sql: string) => checkQuery(sql, new Set(['a', 'b', 'c'])).then(({ used }) => [...used].sort());
  assert.deepEqual(
    await read('with x as (select * from a) select * from x join b on true where exists (select from c)'),
    ['a', 'b', 'c'],
  );
  assert.deepEqual(await read('select 1'), []);
  await assert.rejects(read('select * from d'), QueryRefused);
});

test('the gate knows a name of WITH only where PostgreSQL does', async () => {
  const relations = new Set(['a']);
  for (const sql of [
    'select * from b, (with b as (select 1 as x) select x from b) as s',
    'with x as (select * from b), b as (select 1) select * from x',
    'with b as (select * from b) select * from b',
    'select * from (with b as (select 1) select * from b) as s union select * from b',
    'select (with b as (select 1 as x) select x from b), (select max(x) from b)',
  ])
    await assert.rejects(checkQuery(sql, relations), { message: 'There is no table b here' }, sql);
  for (const sql of [
    'with b as (select * from a), c as (select * from b) select * from c union select * from b order by 1',
    'with b as (select 1 as x) select * from a where exists (select from (select * from b) as s join b as t on true)',
  ])
    assert.deepEqual([...(await checkQuery(sql, relations)).used], ['a']);
});
