import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeDatabase } from '../../test/support/test-database.ts';
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
    await tx.run(sql`select pg_sleep(30)`);
  });
  const held = assert.rejects(holder);
  await begun.promise;
  const waiting = assert.rejects(
    db.transaction(undefined, async () => {}),
    /calling end/,
  );
  const since = Date.now();
  db.abandon();
  await Promise.all([held, waiting]);
  assert.ok(Date.now() - since < 5000, `${Date.now() - since} ms`);
});
