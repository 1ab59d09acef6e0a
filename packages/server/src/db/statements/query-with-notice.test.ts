import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeDatabase } from '../../../test/support/test-database.ts';
import { makeLog } from '../../lib/log.ts';
import { openDatabase } from '../database.ts';
import { sql } from '../sql.ts';

const { connection, drop } = await makeDatabase('empty');
const db = openDatabase({ connection, max: 4, log: makeLog('silent') });
after(async () => {
  await db.close();
  await drop();
});

/** A commit of a row takes as long as its text says, in seconds, or fails where it says so. */
await db.run(sql`create table notes (id integer primary key, text text)`);
await db.run(sql`
  create function slow_commit() returns trigger language plpgsql as $$ begin
    if new.text = 'fails' then raise exception 'no commit'; end if;
    perform pg_sleep(new.text::float); return null;
  end $$`);
await db.run(sql`create constraint trigger slow_commit after insert on notes deferrable initially deferred
  for each row execute function slow_commit()`);

const insert = (id: number, text: string, executed?: (rows: { id: number }[]) => void) =>
  db.rows<{ id: number }>(sql`insert into notes values (${id}, ${text}) returning id`, executed);
const isVisible = async (id: number) => (await db.row(sql`select 1 from notes where id = ${id}`)) !== undefined;

test('tells of the rows before they are committed, and answers afterwards', async () => {
  const told: { rows: { id: number }[]; visible: Promise<boolean> }[] = [];
  // The second one is prepared already.
  for (const id of [1, 2])
    assert.deepEqual(await insert(id, '0.4', (rows) => told.push({ rows: [...rows], visible: isVisible(id) })), [
      { id },
    ]);
  assert.deepEqual(
    told.map(({ rows }) => rows),
    [[{ id: 1 }], [{ id: 2 }]],
  );
  assert.deepEqual(await Promise.all(told.map(({ visible }) => visible)), [false, false]);
  assert.ok(await isVisible(2));
});

test('fails after it has told of the rows when the commit fails', async () => {
  const told: number[] = [];
  await assert.rejects(
    insert(3, 'fails', (rows) => told.push(...rows.map(({ id }) => id))),
    /no commit/,
  );
  assert.deepEqual(told, [3]);
  assert.ok(!(await isVisible(3)));
});

test('tells of nothing when the statement fails', async () => {
  const told: unknown[] = [];
  await assert.rejects(
    insert(1, '0', (rows) => told.push(rows)),
    /duplicate key/,
  );
  assert.deepEqual(told, []);
  assert.deepEqual(await insert(4, '0'), [{ id: 4 }], 'the connection goes on');
});
