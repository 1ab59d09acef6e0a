import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDatabase, testPool } from '../../test/support/test-database.ts';
import { makeLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import { sql } from './sql.ts';

const { connection, drop } = await makeDatabase();
after(drop);

test('refuses those that wait for a connection when it is abandoned', async () => {
  const db = openDatabase({ connection, max: 1, log: makeLog('silent', () => {}) });
  const begun = Promise.withResolvers<void>();
  const holder = db.transaction(undefined, async (tx) => {
    begun.resolve();
    // Longer than any machine takes for the rest, and shorter than a statement may take.
    await tx.run(sql`select pg_sleep(55)`);
  });
  const held = assert.rejects(holder);
  await begun.promise;
  const waiting = assert.rejects(
    db.transaction(undefined, async () => {}),
    /calling end/,
  );
  const look = testPool(connection);
  after(() => look.end());
  const sleepers = async () =>
    (await look.query(`select 1 from pg_stat_activity where query = 'select pg_sleep(55)' and state = 'active'`)).rows;
  for (let looks = 0; (await sleepers()).length === 0; looks++) {
    assert.ok(looks < 3000, 'the statement is not under way');
    await sleep(10);
  }
  db.abandon();
  await Promise.all([held, waiting]);
  assert.equal((await sleepers()).length, 1, 'neither has waited for the statement');
});
