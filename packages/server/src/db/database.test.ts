import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { makeDatabase } from '../../test/support/test-database.ts';
import { makeLog } from '../lib/log.ts';
import { isDuplicate, openDatabase } from './database.ts';
import { sql } from './sql.ts';

const log = makeLog('silent');
const { connection, drop } = await makeDatabase('empty');
const db = openDatabase({ connection, max: 4, log });
/** One connection only, so that the next statement meets any state that is left on it. */
const single = openDatabase({ connection, max: 1, log });
after(async () => {
  await single.close();
  await db.close();
  await drop();
});
await db.run(sql`create table notes (id integer primary key, text text)`);

const count = async () => (await db.row<{ n: number }>(sql`select count(*) as n from notes`))?.n;
const backend = async () => (await single.row<{ pid: number }>(sql`select pg_backend_pid() as pid`))?.pid as number;
const kill = (pid: number) => db.row(sql`select pg_terminate_backend(${pid}, 5000)`);

test('rows, the first row, and how many were touched', async () => {
  assert.equal(await db.run(sql`insert into notes values (1, 'a'), (2, 'b')`), 2);
  assert.deepEqual(await db.rows(sql`select * from notes order by id`), [
    { id: 1, text: 'a' },
    { id: 2, text: 'b' },
  ]);
  assert.equal(await db.row(sql`select * from notes where id = ${9}`), undefined);
  assert.equal(await count(), 2, 'a count is a number');
});

test('a statement is planned once per connection, under a name', async () => {
  for (const id of [1, 2, 3]) await single.row(sql`select text from notes where id = ${id}`);
  const prepared = await single.rows<{ calls: number }>(sql`
    select generic_plans + custom_plans as calls from pg_prepared_statements
    where statement = 'select text from notes where id = $1'`);
  assert.deepEqual(prepared, [{ calls: 3 }]);
});

test('times come as ISO 8601 UTC with milliseconds, with a fraction in the database or without', async () => {
  const times = [
    '2024-05-06 07:08:09+00',
    '2024-05-06 07:08:09.1+00',
    '2024-05-06 09:08:09.123456+02',
    '2024-02-29 23:59:59.999Z',
  ];
  const read = await db.rows<{ at: string }>(sql`
    select at::timestamptz as at from unnest(${times}::text[]) with ordinality as t (at, n) order by n`);
  assert.deepEqual(
    read.map(({ at }) => at),
    ['2024-05-06T07:08:09.000Z', '2024-05-06T07:08:09.100Z', '2024-05-06T07:08:09.123Z', '2024-02-29T23:59:59.999Z'],
  );
  const moment = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  await fc.assert(
    fc.asyncProperty(moment, async (at) => {
      const row = await db.row<{ at: string; none: null }>(
        sql`select ${at.toISOString()}::timestamptz as at, null::timestamptz as none`,
      );
      assert.deepEqual(row, { at: at.toISOString(), none: null });
    }),
  );
});

test('an address may bring session options along, but no other time zone', async () => {
  const { host, port, user, password, database } = connection;
  const address = `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`;
  const options = encodeURIComponent('-c search_path=pg_catalog -c timezone=Asia/Kolkata');
  const other = openDatabase({ connection: { connectionString: `${address}?options=${options}` }, max: 1, log });
  after(() => other.close());
  const row = await other.row(sql`
    select '2024-01-01T00:00:00Z'::timestamptz as at, current_setting('search_path') as path,
      current_setting('statement_timeout') as timeout`);
  assert.deepEqual(row, { at: '2024-01-01T00:00:00.000Z', path: 'pg_catalog', timeout: '1min' });
});

test('a transaction is all or nothing, and its connection works on', async () => {
  const before = await count();
  const pid = await backend();
  const failed = single.transaction(undefined, async (tx) => {
    await tx.run(sql`insert into notes values (10, 'x')`);
    throw new Error('changed my mind');
  });
  await assert.rejects(failed, /changed my mind/);
  const refused = single.transaction(undefined, async (tx) => {
    await tx.run(sql`insert into notes values (11, 'x')`);
    await tx.run(sql`insert into notes values (1, 'again')`);
  });
  await assert.rejects(refused, (error) => isDuplicate(error));
  assert.equal(await count(), before);
  const answer = await single.transaction(undefined, async (tx) => {
    await tx.run(sql`insert into notes values (12, 'kept')`);
    assert.equal(await count(), before, 'nothing is seen before the commit');
    return 'done';
  });
  assert.equal(answer, 'done');
  assert.equal(await count(), (before as number) + 1);
  assert.equal(await backend(), pid);
});

test("a request's answer is stored with the work, or neither", async () => {
  const stored: unknown[] = [];
  const scope = (fails: boolean) =>
    ({
      actor: { kind: 'api_key', id: '00000000-0000-7000-8000-000000000001' },
      idempotency: {
        store: async (run: (text: string, values: unknown[]) => Promise<unknown>, answer: unknown) => {
          await run('insert into notes values ($1, $2)', [21, 'answer']);
          stored.push(answer);
          if (fails) throw new Error('not stored');
        },
      },
    }) as never;
  const work = () => single.transaction(scope(true), (tx) => tx.run(sql`insert into notes values (20, 'work')`));
  const before = await count();
  await assert.rejects(work, /not stored/);
  assert.equal(await count(), before);
  await single.transaction(scope(false), (tx) => tx.run(sql`insert into notes values (20, 'work')`));
  assert.deepEqual([await count(), stored], [(before as number) + 2, [1, 1]]);
});

test('a killed connection is replaced, idle or in a transaction, and the process lives', async () => {
  await kill(await backend());
  while (single.pool.totalCount > 0) await sleep(5);
  const first = await backend();
  const cut = single.transaction(undefined, async (tx) => {
    await tx.run(sql`insert into notes values (30, 'lost')`);
    await kill(first);
    await tx.run(sql`select 1`);
  });
  await assert.rejects(cut);
  assert.notEqual(await backend(), first);
  assert.equal(await db.row(sql`select 1 from notes where id = 30`), undefined);
});

test('an error of the database names the place that sent the statement', async () => {
  const failed = await db.rows(sql`select * from no_such_table`).catch((error: Error) => error);
  assert.match((failed as Error).stack ?? '', /database\.test\.m?[jt]s/);
});
