import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { countRows } from './count-rows.ts';
import type { Db } from './database.ts';
import { sql } from './sql.ts';

/** A table of so many rows that notes how often it was counted. */
function tableOf(rows: number) {
  const table = { rows, counted: 0, fails: false };
  const one = async () => {
    table.counted++;
    if (table.fails) throw new Error('away');
    return { total: table.rows };
  };
  return { table, db: { one } as unknown as Db };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('counts a short list each time', async () => {
  const { table, db } = tableOf(10_000);
  assert.equal(await countRows(db, sql`from t`), 10_000);
  table.rows = 9;
  assert.equal(await countRows(db, sql`from t`), 9);
});

test('keeps the total of a long list for five seconds and counts it anew beside the request', async () => {
  mock.timers.enable({ apis: ['Date'] });
  const { table, db } = tableOf(10_001);
  const count = (id = 1) => countRows(db, sql`from t where id = ${id}`);
  assert.equal(await count(), 10_001);
  table.rows = 20_000;
  assert.deepEqual([await count(), table.counted], [10_001, 1]);
  assert.deepEqual([await count(2), table.counted], [20_000, 2]);
  mock.timers.tick(5_001);
  assert.equal(await count(), 10_001);
  await settle();
  assert.deepEqual([await count(), table.counted], [20_000, 3]);
  mock.timers.reset();
});

test('keeps the last total when counting fails, and waits for a new one after a minute', async () => {
  mock.timers.enable({ apis: ['Date'] });
  const { table, db } = tableOf(50_000);
  await countRows(db, sql`from t`);
  table.fails = true;
  mock.timers.tick(5_001);
  await countRows(db, sql`from t`);
  await settle();
  assert.equal(await countRows(db, sql`from t`), 50_000);
  await settle();
  mock.timers.tick(60_000);
  await assert.rejects(countRows(db, sql`from t`), /away/);
  mock.timers.reset();
});
