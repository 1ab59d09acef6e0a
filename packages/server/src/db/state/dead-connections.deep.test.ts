import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startDatabaseProxy } from '../../../test/support/database-proxy.ts';
import { makeDatabase } from '../../../test/support/test-database.ts';
import { makeLog } from '../../lib/log.ts';
import { isDatabaseOutage } from '../../lib/outages/database-outages.ts';
import { openDatabase } from '../database.ts';
import { sql } from '../sql.ts';

const log = makeLog('silent');
const { connection, drop } = await makeDatabase('empty');
const direct = openDatabase({ connection, max: 4, log });
await direct.run(sql`create table notes (id integer primary key, text text)`);
await direct.run(sql`insert into notes values (1, 'a'), (2, 'b')`);
after(async () => {
  await direct.close();
  await drop();
});

/** A database behind a network of its own, whose only connection is open. */
async function openBehindProxy() {
  const proxy = await startDatabaseProxy(connection);
  const host = { ...connection, host: '127.0.0.1', port: proxy.port };
  const db = openDatabase({ connection: host, max: 1, log });
  after(async () => {
    proxy.swallow('none');
    db.cut();
    await db.close();
    await proxy.close();
  });
  await db.row(sql`select 1`);
  return { proxy, db };
}

const seconds = (since: number) => (Date.now() - since) / 1000;

describe('a connection whose bytes are lost or late', { concurrency: true }, () => {
  test('is waited for while a long statement is on its way over a slow link', async () => {
    const { proxy, db } = await openBehindProxy();
    // About 3 MB in a second, for longer than a dead connection is left open.
    proxy.throttle(20);
    setTimeout(() => proxy.throttle(0), 6000);
    const since = Date.now();
    const answer = await db.row(sql`select length(${'x'.repeat(50_000_000)}::text) as length`);
    assert.deepEqual(answer, { length: 50_000_000 });
    assert.ok(seconds(since) > 5, `it took only ${seconds(since)} s`);
  });

  test('is waited for when its statement only takes long', async () => {
    const { db } = await openBehindProxy();
    const answer = await db.row(sql`select pg_sleep(5), 'late' as answer`);
    assert.equal((answer as { answer: string }).answer, 'late');
  });

  test('is waited for when its statement waits for a lock', async () => {
    const { db } = await openBehindProxy();
    let waiting: Promise<unknown> | undefined;
    await direct.transaction(undefined, async (tx) => {
      await tx.run(sql`update notes set text = 'held' where id = 1`);
      waiting = db.run(sql`update notes set text = 'a' where id = 1`);
      await tx.run(sql`select pg_sleep(5)`);
    });
    assert.equal(await waiting, 1);
  });

  test('holds no lock for much longer than ten seconds', async () => {
    const { proxy, db } = await openBehindProxy();
    const lost = db
      .transaction(undefined, async (tx) => {
        await tx.run(sql`update notes set text = 'held' where id = 2`);
        proxy.swallow('all');
        await tx.run(sql`update notes set text = 'lost' where id = 2`);
      })
      .catch((error) => error);
    // The server is not told that the connection is closed.
    setTimeout(() => db.cut(), 300);
    assert.ok(isDatabaseOutage(await lost));
    const since = Date.now();
    await direct.run(sql`update notes set text = 'mine' where id = 2`);
    // Without a limit the server would wait for the connection for hours.
    assert.ok(seconds(since) < 30, `it took ${seconds(since)} s`);
  });
});
