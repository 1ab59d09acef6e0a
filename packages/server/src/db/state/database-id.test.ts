import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeDatabase } from '../../../test/support/test-database.ts';
import { makeLog } from '../../lib/log.ts';
import { openDatabase } from '../database.ts';
import { sql } from '../sql.ts';
import { findDatabaseId } from './database-id.ts';

async function open() {
  const { connection, drop } = await makeDatabase();
  const db = openDatabase({ connection, max: 1, log: makeLog('silent') });
  after(async () => {
    await db.close();
    await drop();
  });
  return db;
}

test('is the same at each look, and another for a copy of the database', async () => {
  const [first, copy] = [await open(), await open()];
  assert.equal(await findDatabaseId(first), await findDatabaseId(first));
  assert.notEqual(await findDatabaseId(first), await findDatabaseId(copy));
});

test('is read without the rights of an administrator', async () => {
  const db = await open();
  const id = await findDatabaseId(db);
  await db.run(sql`set role pg_read_all_stats`);
  const [role] = await db.rows<{ super: string }>(sql`select current_setting('is_superuser') as super`);
  assert.deepEqual([role?.super, await findDatabaseId(db)], ['off', id]);
});
