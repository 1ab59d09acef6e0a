import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDatabase, testPool } from '../../test/support/test-database.ts';
import { makeLog } from '../lib/log.ts';
import { DeadlineReached, firstRows } from './first-rows.ts';
import { openQueryConnections } from './query-connections.ts';
import { sql } from './sql.ts';

const database = await makeDatabase('empty');
const look = testPool(database.connection, 1);
await look.query(`create function sleeps() returns int language plpgsql as $$
  begin perform pg_sleep(300); return 1; end $$`);
// It goes on whenever it is cancelled.
await look.query(`create function insists() returns int language plpgsql as $$
  begin
    for turn in 1..100 loop
      begin perform pg_sleep(300); exception when query_canceled then null; end;
    end loop;
    return 1;
  end $$`);

const asking = { values: [], max_rows: 1, max_bytes: 1000, before: [sql`set local statement_timeout = 0`] };
const sleeping = async () =>
  (
    await look.query("select from pg_stat_activity where datname = $1 and wait_event = 'PgSleep'", [
      database.connection.database,
    ])
  ).rowCount;

test('a statement is ended from outside at its deadline, also one that goes on when it is cancelled', async () => {
  const connections = openQueryConnections({
    ...{ connection: database.connection, max: 1, log: makeLog('silent'), memory_bytes: 0 },
  });
  try {
    for (const text of ['select sleeps()', 'select insists()']) {
      await assert.rejects(firstRows(connections, { ...asking, text, deadline_ms: 200 }), DeadlineReached);
      for (let turn = 0; turn < 400 && (await sleeping()) !== 0; turn++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(await sleeping(), 0, `${text} has ended at the server`);
      // The one connection was replaced.
      const { rows } = await firstRows(connections, { ...asking, text: 'select 7', deadline_ms: 60_000 });
      assert.deepEqual(rows, [['7']]);
    }
  } finally {
    await connections.close();
    await look.end();
    await database.drop();
  }
});
