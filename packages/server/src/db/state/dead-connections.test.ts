import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** What the connection that has sent a statement last waits for at the server. */
const waitOf = async (statement: string) =>
  (
    await direct.row<{ wait: string }>(sql`
      select wait_event as wait from pg_stat_activity where query like ${statement} and pid <> pg_backend_pid()`)
  )?.wait;

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  for (const since = Date.now(); !(await look()); await sleep(20))
    assert.ok(Date.now() - since < 60_000, `waited in vain: ${what}`);
}

/** The connection was broken, and the statement did not wait until its own time was over. */
function assertFoundDead(error: unknown): void {
  assert.ok(isDatabaseOutage(error));
  assert.match(String(error), /Connection terminated/);
}

describe('a connection whose bytes are lost', { concurrency: true }, () => {
  test('fails its statement, and the next statement is answered', async () => {
    const { proxy, db } = await openBehindProxy();
    proxy.swallow('all');
    const lost = db.row(sql`select text from notes where id = 1`).catch((error) => error);
    await until('the statement is lost', async () => proxy.lost > 0);
    proxy.swallow('none');
    assertFoundDead(await lost);
    assert.deepEqual(await db.row(sql`select text from notes where id = 1`), { text: 'a' });
  });

  test('fails its statement when only the answer is lost', async () => {
    const { proxy, db } = await openBehindProxy();
    let lost: Promise<unknown> | undefined;
    await direct.transaction(undefined, async (tx) => {
      await tx.row(sql`select pg_advisory_xact_lock(47)`);
      lost = db.row(sql`select pg_advisory_xact_lock(47) as mine`).catch((error) => error);
      await until('the server works on it', async () => (await waitOf('% as mine')) === 'advisory');
      proxy.swallow('all');
    });
    await until('the server has answered', async () => (await waitOf('% as mine')) === 'ClientRead');
    // The proxy has the answer by then. Looks get through from now on; what was swallowed does not come again.
    await sleep(200);
    proxy.swallow('none');
    assertFoundDead(await lost);
  });
});
