import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { testConfig } from '../../test/support/test-config.ts';
import { makeDatabase, testPool } from '../../test/support/test-database.ts';
import { makeApp } from '../app.ts';
import { makeLog } from '../lib/log.ts';
import { migrate, readMigrations } from './migrate.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-migrate-'));
after(() => rmSync(dir, { recursive: true, force: true }));

async function empty() {
  const { connection, drop } = await makeDatabase('empty');
  const pool = testPool(connection, 3);
  // The database is dropped at the end, which its server tells every connection that is still being closed.
  pool.on('error', () => {});
  after(async () => {
    await pool.end();
    await drop();
  });
  const has = async (table: string) =>
    (await pool.query('select to_regclass($1) is not null as there', [table])).rows[0].there as boolean;
  return { connection, pool, has };
}

/** Migrations as a folder holds them: texts numbered from 1, or under names of their own. */
function folder(files: string[] | Record<string, string>) {
  const path = mkdtempSync(join(dir, 'm'));
  const named = Array.isArray(files)
    ? Object.fromEntries(files.map((text, i) => [`${String(i + 1).padStart(4, '0')}_step.sql`, text]))
    : files;
  for (const [name, text] of Object.entries(named)) writeFileSync(join(path, name), text);
  return readMigrations(pathToFileURL(`${path}/`));
}

test('an empty database gets every migration, and a second start none', async () => {
  const { pool, has } = await empty();
  assert.equal(await migrate(pool), readMigrations().length);
  assert.ok(await has('api_keys'));
  assert.equal(await migrate(pool), 0);
});

test('keeps the data of a filled database when it holds NUL escapes and lone surrogates', async () => {
  const { pool } = await empty();
  await migrate(pool, readMigrations().slice(0, 27));
  const client = await pool.connect();
  const [place, one, other] = [randomUUID(), randomUUID(), randomUUID()];
  const week = [place, one, '2026-11-02', '2026-11-04', '2026-11-09'];
  try {
    // Only the rows that are looked at, without all that they refer to.
    await client.query('set session_replication_role = replica');
    await client.query("insert into workspaces (id, tenant_id, name) values ($1, $1, 'Filled')", [place]);
    await client.query('insert into conversations (workspace_id, id, etag_ms) values ($1, $2, 1), ($1, $3, 1)', [
      ...[place, one, other],
    ]);
    const said = [
      { role: 'user', type: 'text', content: 'a\u0000b \\u0000 \\\u0000 \ud800', brings: ['private'] },
      { role: 'assistant', type: 'text', content: '' },
    ];
    const put =
      'insert into messages (workspace_id, conversation_id, seq, id, role, parts) values ($1, $2, 1, $2, $3, $4)';
    await client.query(put, [place, one, 'user', JSON.stringify(said)]);
    await client.query(put, [place, other, 'user', JSON.stringify([{ role: 'user', content: 'Hello', files: [] }])]);
    const figures = '1, 2, 1, 0, 1, 5, 0, 0, 3, 4, 0.5, 0, 0, 0, 0, 0';
    await client.query(
      `insert into insight_days select $1::uuid, dim, at::timestamptz, $2::uuid, value, ${figures}
       from (values ('', ''), ('model', 'm')) as way (dim, value), unnest($3::text[]) as at`,
      [place, one, week.slice(2)],
    );
    await client.query(
      `insert into insight_steps select $1::uuid, 'latency', 'day', '2026-11-02'::timestamptz, $2::uuid, step, step
       from generate_series(3, 1, -1) as step`,
      [place, one],
    );
    await client.query("insert into mcp_servers (workspace_id, id, url) values ($1, $2, 'x'), ($1, $3, 'y')", [
      ...[place, one, other],
    ]);
    await client.query("insert into mcp_tools (workspace_id, server_id, name, hash) values ($1, $2, 't', 'h')", [
      ...[place, one],
    ]);
  } finally {
    await client.query('reset session_replication_role');
    client.release();
  }
  assert.equal(await migrate(pool), readMigrations().length - 27);
  const rows = async (text: string) => (await pool.query({ text, values: [place], rowMode: 'array' })).rows;
  assert.deepEqual(await rows('select id, brought from conversations where workspace_id = $1 order by id'), [
    ...[[one, ['private']] as [string, string[]], [other, []] as [string, string[]]].toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    ),
  ]);
  assert.deepEqual(
    await rows(`select dim, value, count(*)::int, sum(runs)::int, sum(cost) from insight_days where workspace_id = $1
      and dim in ('', 'model', 'user') group by 1, 2 order by 1, 2`),
    [
      ['', '', 3, 3, 1.5],
      ['model', '', 3, 0, 0],
      ['model', 'm', 3, 3, 1.5],
      ['user', '', 3, 3, 1.5],
    ],
  );
  assert.deepEqual(
    await rows(`select at::date::text, runs::int from insight_weeks where workspace_id = $1 and dim = '' order by at`),
    [
      ['2026-11-02', 2],
      ['2026-11-09', 1],
    ],
  );
  const taken = [
    [1, 2, 3],
    [1, 2, 3],
  ];
  assert.deepEqual(
    await rows('select unit, steps, counts::int[] from insight_steps where workspace_id = $1 order by unit'),
    [
      ['day', ...taken],
      ['week', ...taken],
    ],
  );
  assert.deepEqual(await rows('select url, met_at is not null from mcp_servers where workspace_id = $1 order by url'), [
    ['x', true],
    ['y', false],
  ]);
});

test('settings that a weaker key may have stored get no secrets without hosts after the upgrade', async () => {
  const { pool } = await empty();
  const all = readMigrations();
  await migrate(
    pool,
    all.filter(({ version }) => version < 51),
  );
  const [strong, mixed, agent] = [randomUUID(), randomUUID(), randomUUID()];
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (const [place, permissions] of [
      [strong, ['{workspace_admin}']],
      [mixed, ['{workspace_admin}', '{agents_run}']],
    ] as const) {
      await client.query(`insert into tenants (id, name) values ($1, '')`, [place]);
      await client.query(`insert into workspaces (id, tenant_id, name) values ($1, $1, '')`, [place]);
      for (const held of permissions)
        await client.query(
          `insert into api_keys (workspace_id, id, tenant_id, name, hash, hint, tenant_admin, permissions)
           values ($1, gen_random_uuid(), $1, 'key', sha256(gen_random_uuid()::text::bytea), '', false, $2)`,
          [place, held],
        );
      await client.query(
        `insert into conversations (workspace_id, id, etag_ms, settings)
         values ($1, gen_random_uuid(), 1, '{"actions":[]}'), ($1, gen_random_uuid(), 1, '{"temperature":1}')`,
        [place],
      );
      await client.query(
        `insert into agent_versions (workspace_id, agent_id, id, number, name, definition, rights)
         values ($1, $2, gen_random_uuid(), 1, 'weak', '{}', '{agents_edit}'),
           ($1, $2, gen_random_uuid(), 2, 'holder', '{}', '{agents_edit,variables_read}'),
           ($1, $2, gen_random_uuid(), 3, 'unknown', '{}', null)`,
        [place, agent],
      );
    }
  } finally {
    client.release(true);
  }
  await migrate(pool, all);
  const restricted = async (text: string, place: string) =>
    (await pool.query({ text, values: [place], rowMode: 'array' })).rows;
  const every = ['actions', 'tools', 'mcp_servers', 'databases'];
  const own = 'select settings, restricted_settings from conversations where workspace_id = $1 order by settings';
  assert.deepEqual(await restricted(own, strong), [
    ['{"actions":[]}', []],
    ['{"temperature":1}', []],
  ]);
  assert.deepEqual(await restricted(own, mixed), [
    ['{"actions":[]}', every],
    ['{"temperature":1}', []],
  ]);
  const versions = 'select name, restricted_settings from agent_versions where workspace_id = $1 order by number';
  assert.deepEqual(await restricted(versions, strong), [
    ['weak', every],
    ['holder', []],
    ['unknown', []],
  ]);
});

test('new migrations come after the old, in order', async () => {
  const { pool } = await empty();
  const texts = [
    'create table a (n int)',
    'insert into a values (1)',
    'update a set n = n * 10; update a set n = n + 1',
  ];
  assert.equal(await migrate(pool, folder(texts.slice(0, 1))), 1);
  assert.equal(await migrate(pool, folder(texts)), 2);
  assert.deepEqual((await pool.query('select n from a')).rows, [{ n: 11 }]);
  const { rows } = await pool.query('select version, name from schema_migrations order by version');
  assert.deepEqual(
    rows,
    [1, 2, 3].map((version) => ({ version, name: 'step' })),
  );
});

test('migrates once when several nodes start at once', async () => {
  const { pool } = await empty();
  const steps = folder(['create table a (n int)', 'select pg_sleep(0.2); insert into a values (1)']);
  const done = await Promise.all([migrate(pool, steps), migrate(pool, steps), migrate(pool, steps)]);
  assert.deepEqual(done.sort(), [0, 0, 2]);
  assert.equal((await pool.query('select n from a')).rowCount, 1);
});

test('two whole programs can make their first start on one empty database', async () => {
  const { connection, pool } = await empty();
  const start = () => makeApp(testConfig(dir, { admin_key: undefined }), connection, makeLog('silent'));
  const apps = await Promise.all([start(), start()]);
  const printed: string[] = [];
  await Promise.all(apps.map((app) => app.showAdminKey(async (key) => void printed.push(key))));
  await Promise.all(apps.map((app) => app.close()));
  assert.equal(printed.length, 1);
  assert.equal((await pool.query('select 1 from tenants')).rowCount, 1);
});

test('a database of a newer program is refused with what to do', async () => {
  const { pool, has } = await empty();
  await migrate(pool, folder(['create table a ()', 'create table b ()']));
  await assert.rejects(migrate(pool, folder(['create table a ()'])), (error: Error) => {
    assert.match(error.message, /newer than this program: it has migration 2 \(step\), this program knows 1\./);
    assert.match(error.message, /Start the newer program, or restore a backup/);
    return true;
  });
  assert.ok(await has('b'));
});

test('a migration that was changed after it was applied is refused before anything is done', async () => {
  const { pool, has } = await empty();
  await migrate(pool, folder(['create table a ()']));
  const changed = folder(['create table a (); -- better', 'create table b ()']);
  await assert.rejects(migrate(pool, changed), /Migration 1 \(step\) was changed after it was applied/);
  assert.equal(await has('b'), false);
});

test('a failing migration leaves nothing of itself, and the ones before it stay', async () => {
  const { pool, has } = await empty();
  const first = 'create table a ()';
  const broken = folder([first, 'create table b (); select 1 / 0; create table c ()', 'create table d ()']);
  await assert.rejects(migrate(pool, broken), /division by zero/);
  assert.deepEqual([await has('a'), await has('b'), await has('c'), await has('d')], [true, false, false, false]);
  // The lock was given back: mended, it goes through.
  assert.equal(await migrate(pool, folder([first, 'create table b ()'])), 1);
});

test('applies a migration whose number lies between those that are there, and no other once more', async () => {
  const { pool, has } = await empty();
  const files = { '0001_a.sql': 'create table a ()', '0005_c.sql': 'create table c ()' };
  assert.equal(await migrate(pool, folder(files)), 2);
  assert.equal(await migrate(pool, folder({ ...files, '0003_b.sql': 'create table b ()' })), 1);
  assert.ok(await has('b'));
  await assert.rejects(migrate(pool, folder({ '0001_a.sql': files['0001_a.sql'] })), /it has migration 5 \(c\)/);
});

test('a badly named file or a number that is there twice is refused; other files are not looked at', () => {
  assert.throws(() => folder({ '1_a.sql': '' }), /Migration 1_a\.sql should be named 0001_<what>\.sql/);
  assert.throws(() => folder({ '0001_A.sql': '' }), /0001_A\.sql/);
  assert.throws(() => folder({ '0000_a.sql': '' }), /0000_a\.sql should be named 0001_/);
  assert.throws(() => folder({ '0001_a.sql': '', '0001_b.sql': '' }), /0001_b\.sql should be named 0002_/);
  assert.equal(folder({ '0001_a.sql': '', 'README.md': '' }).length, 1);
});

test('a migration that waits for a lock lets other statements go on and is done when the lock is free', async () => {
  const { pool } = await empty();
  const first = 'create table busy (id integer);';
  await migrate(pool, folder([first]));
  const reader = await pool.connect();
  await reader.query('begin; select * from busy');
  const lines: string[] = [];
  const log = makeLog('info', (line) => lines.push(line));
  const migrating = migrate(pool, folder([first, 'alter table busy add column name text;']), log);
  while (!lines.some((line) => line.includes('migration.waiting'))) await sleep(20);
  await pool.query('select id from busy');
  await reader.query('commit');
  reader.release();
  assert.equal(await migrating, 1);
  assert.equal((await pool.query('select name from busy')).rowCount, 0);
});

test('a node that waits for the migrations of another one says so', async () => {
  const { pool } = await empty();
  const other = await pool.connect();
  await other.query('select pg_advisory_lock(7426910)');
  const lines: string[] = [];
  const migrating = migrate(
    pool,
    folder(['create table one (id integer);']),
    makeLog('info', (line) => lines.push(line)),
  );
  while (!lines.some((line) => line.includes('another node'))) await sleep(20);
  await other.query('select pg_advisory_unlock(7426910)');
  other.release();
  assert.equal(await migrating, 1);
});

test('an older program runs on a newer database when the migrations that it does not know only add', async () => {
  const { pool } = await empty();
  const first = 'create table one (id int)';
  const adds = '-- runs with: 0001\nalter table one add column note text';
  await migrate(pool, folder([first, adds]));
  assert.equal(await migrate(pool, folder([first])), 0);
  const removes = 'alter table one drop column note';
  await migrate(pool, folder([first, adds, removes]));
  await assert.rejects(migrate(pool, folder([first, adds])), /newer than this program: it has migration 3/);
});

test('an older program refuses a newer database that lacks one of its own migrations', async () => {
  const { pool } = await empty();
  const named = { '0001_a.sql': 'select 1', '0003_c.sql': '-- runs with: 0001\nselect 3' };
  await migrate(pool, folder(named));
  await assert.rejects(
    migrate(pool, folder({ '0001_a.sql': 'select 1', '0002_b.sql': 'select 2' })),
    /lacks migration 2, and has later ones/,
  );
});

test('a migration can not say that it runs with a later one', () => {
  assert.throws(() => folder(['-- runs with: 0002\nselect 1']), /can not run with a later one/);
});
