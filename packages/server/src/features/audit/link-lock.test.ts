import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { testApp } from '../../../test/support/test-app.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/two-nodes.ts';

const db_pool = 3;
const { call, query } = await testApp({ db_pool });

/** Holds the lock of the node that links, as one that has lost its network does, until the returned function is called. */
async function holdLinking(): Promise<() => Promise<void>> {
  const [{ database }] = await query('select current_database() as database');
  const client = new pg.Client({ ...testServer(), database });
  client.on('error', () => {});
  after(() => client.end());
  await client.connect();
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock(7730192651)');
  return async () => void (await client.query('commit'));
}

const countUnlinked = async () => Number((await query('select count(*) from audit_unlinked'))[0].count);

test('writes go on while another node holds the lock for linking, and their rows are linked afterwards', async () => {
  await until('the start is linked', async () => (await countUnlinked()) === 0);
  const release = await holdLinking();
  for (let written = 0; written < 3 * db_pool; written++) {
    const answer = call('POST', '/v1/agents', { name: `agent ${written}` });
    const late = sleep(10_000, undefined, { ref: false });
    assert.equal((await Promise.race([answer, late]))?.status, 200, `write ${written} is answered`);
    // Longer than the rows of a busy moment wait.
    await sleep(250);
  }
  const waiting = await query(
    `select 1 from pg_locks join pg_database on oid = database
     where datname = current_database() and locktype = 'advisory' and not granted`,
  );
  assert.equal(waiting.length, 1);
  await release();
  await until('all are linked', async () => (await countUnlinked()) === 0);
});
