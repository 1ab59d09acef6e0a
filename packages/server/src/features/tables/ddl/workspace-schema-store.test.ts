import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { adminKey, testConfig } from '../../../../test/support/test-config.ts';
import { makeDatabase, testServer } from '../../../../test/support/test-database.ts';
import { makeApp } from '../../../app.ts';
import { openDatabase } from '../../../db/database.ts';
import { makeLog } from '../../../lib/log.ts';
import { makeTableJobs } from '../jobs.ts';
import { tablesApp } from '../testing.ts';

const { app, call, good, make, insert, query } = await tablesApp({ roles: ['http', 'worker'] });
const [{ database }] = await query('select current_database() as database');
const db = openDatabase({ connection: { ...testServer(), database }, max: 2, log: makeLog('silent') });
const { purge } = makeTableJobs({ db });
const runPurge = () => purge.handler({ log: makeLog('silent'), signal: new AbortController().signal }, {});
test.after(() => db.close());

test('a deleted workspace takes its schemas and its role along', async () => {
  const { id, key } = await app.workspace();
  const table = good(await call('POST', '/v1/tables', { name: 'T', columns: [{ name: 'a' }] }, { key }));
  good(await call('DELETE', `/v1/tables/${table.id}`, undefined, { key }));
  good(await call('POST', '/v1/tables', { name: 'U' }, { key }));
  const [space] = await query('select * from table_spaces where workspace_id = $1', [id]);
  const left = async () =>
    (
      await query(
        `select nspname as name from pg_namespace where nspname = any($1)
         union all select rolname from pg_roles where rolname = $2
         union all select 'space' from table_spaces where workspace_id = $3`,
        [[space.schema_name, space.read_schema_name], space.role_name, id],
      )
    ).length;
  assert.equal(await left(), 4);
  good(await app.call('DELETE', `/v1/admin/groups/${id}`));
  for (let turn = 0; turn < 1200 && (await left()) > 0; turn++) await sleep(50);
  assert.equal(await left(), 0);
});

test('after a week what was dropped is gone for good, and not before', async () => {
  const parents = await make([{ name: 'a' }]);
  const table = await make([{ name: 'a' }, { name: 'b' }, { name: 'p', type: 'reference', references: parents.id }]);
  await insert(table.id, { a: 'x', b: 'y' });
  const column = `/v1/tables/${table.id}/columns`;
  for (const name of ['a', 'b', 'p']) good(await call('DELETE', `${column}/${name}`));
  good(await call('DELETE', `/v1/tables/${parents.id}`));
  await query(`update table_columns set dropped_at = now() - interval '8 days' where table_id = $1 and name = 'a'`, [
    table.id,
  ]);
  await query(`update tables set dropped_at = now() - interval '8 days' where id = $1`, [parents.id]);
  await runPurge();
  assert.equal((await call('POST', `${column}/a/restore`)).status, 404);
  assert.equal((await call('POST', `/v1/tables/${parents.id}/restore`)).status, 404);
  const back = good(await call('POST', `${column}/b/restore`));
  assert.deepEqual(
    back.columns.map(({ name }: { name: string }) => name),
    ['b'],
  );
  // The referenced table is gone, so the column holds plain ids now.
  const [, plain] = good(await call('POST', `${column}/p/restore`)).columns;
  assert.deepEqual([plain.name, plain.type, plain.references], ['p', 'uuid', null]);
  const physical = await query(
    `select count(*)::int as count from information_schema.columns where table_schema like 'ws_%' and table_schema not like '%_read'
     and table_name = $1`,
    [table.sql_name],
  );
  assert.equal(physical[0].count, 3);
});

test('tables work without the createrole privilege, and SQL queries answer query_role_missing', async () => {
  const { connection, drop } = await makeDatabase();
  const user = `plain_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(8).toString('hex');
  const admin = new pg.Client(connection);
  await admin.connect();
  const dir = mkdtempSync(join(tmpdir(), 'atrium-app-'));
  try {
    await admin.query(`create role ${user} login password '${password}'`);
    await admin.query(`alter database ${connection.database} owner to ${user}`);
    await admin.query(`grant all on schema public, atrium_platform, graphile_worker to ${user}`);
    for (const schema of ['public', 'atrium_platform', 'graphile_worker']) {
      await admin.query(`grant all on all tables in schema ${schema} to ${user}`);
      await admin.query(`grant all on all sequences in schema ${schema} to ${user}`);
      await admin.query(`grant all on all functions in schema ${schema} to ${user}`);
    }
    const lines: string[] = [];
    const log = makeLog('warn', (line) => lines.push(line));
    const own = await makeApp(testConfig(dir, { roles: ['http'] }), { ...connection, user, password }, log);
    const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) => {
      const { statusCode, payload: text } = await own.server.inject({
        method,
        url,
        headers: { 'x-api-key': adminKey },
        ...(payload && { payload }),
      });
      return [statusCode, JSON.parse(text)] as const;
    };
    try {
      assert.match(lines.join(''), /may not make one.*createrole/);
      const [made, table] = await ask('POST', '/v1/tables', { name: 'Own', columns: [{ name: 'a' }] });
      assert.equal(made, 200, JSON.stringify(table));
      assert.equal((await ask('POST', `/v1/tables/${table.id}/rows`, { a: '5' }))[0], 200);
      assert.equal((await ask('PATCH', `/v1/tables/${table.id}/columns/a/type`, { new_type: 'integer' }))[0], 200);
      const [status, body] = await ask('POST', '/v1/tables/query', { sql: 'select * from own' });
      assert.deepEqual([status, body.code], [503, 'query_role_missing']);
      assert.match(body.detail, /createrole/);
      // Once that is put right, it works without a new start.
      await admin.query(`alter role ${user} createrole`);
      await admin.query(`grant all on schema atrium_platform to ${user} with grant option`);
      await admin.query(`grant select on all tables in schema atrium_platform to ${user} with grant option`);
      const [now, answer] = await ask('POST', '/v1/tables/query', { sql: 'select a from own' });
      assert.equal(now, 200, JSON.stringify(answer));
      assert.deepEqual(answer.items, [{ a: 5 }]);
    } finally {
      await own.close();
    }
  } finally {
    await admin.end();
    rmSync(dir, { recursive: true, force: true });
    await drop();
  }
});
