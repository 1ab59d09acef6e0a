import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Filled, fillSealedColumns, makeRotationSetup } from '../../../test/support/rotation-setup.ts';
import { adminKey } from '../../../test/support/test-config.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { newId } from '../../lib/ids.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-rotate-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const [first, second] = ['the-first-master-key-0123456789', 'the-second-master-key-0123456789'];

test('all keys are replaced while two nodes run, and nothing is lost', async () => {
  const rig = await makeRotationSetup({ secret_key: first });
  const [here, there] = [await rig.node(), await rig.node()];
  const filled = await fillSealedColumns(here);
  await filled.check(there);
  const before = await rig.boxes();
  assert.ok(before.size > 0);

  // Both nodes go on writing all the while.
  const during: Filled[] = [];
  let over = false;
  const writing = (async () => {
    while (!over) during.push(await fillSealedColumns(during.length % 2 ? here : there));
  })();
  await rig.rotate({ new_secret_key: second });
  over = true;
  await writing;

  for (const node of [here, there]) {
    await filled.check(node);
    for (const one of during) await one.check(node);
  }
  const afterwards = await rig.boxes();
  const old = [...afterwards].filter((box) => before.has(box));
  assert.deepEqual(old, [], 'no box is as it was');

  // The old key still starts a node until one has started with the new key.
  const late = await rig.node();
  await filled.check(late);
  const renewed = await rig.node({ secret_key: second });
  await filled.check(renewed);
  await assert.rejects(rig.node(), /not the one this database was made with/);
  for (const node of [here, there, late, renewed]) await filled.check(node);
  const [{ rows }] = await rig.query(`select count(*)::int as rows from instance where name <> 'master_key_check'`);
  assert.equal(rows, 0, 'nothing of the rotation is left');
});

test('memories open after all keys were replaced', async () => {
  const rig = await makeRotationSetup({ secret_key: first });
  const node = await rig.node();
  const headers = { 'x-api-key': adminKey };
  const payload = { name: 'c', settings: {} };
  const { id, group_id } = (
    await node.server.inject({ method: 'POST', url: '/v1/conversations', headers, payload })
  ).json();
  await rig.query(
    `insert into memories (workspace_id, id, conversation_id, subject, text, actor_kind, actor_id, untrusted)
     values ($1, $2, $3, 'everyone', 'Write to ada@example.com', 'api_key', 'k', false)`,
    [group_id, newId(), id],
  );
  const texts = async () => {
    const url = `/v1/conversations/${id}/memories`;
    const { items } = (await node.server.inject({ method: 'GET', url, headers })).json();
    return items.map(({ text }: { text: string }) => text);
  };
  assert.deepEqual(await texts(), ['Write to ada@example.com']);
  const sealed = async () => (await rig.query('select sealed from memories'))[0].sealed as string;
  const before = await sealed();
  await rig.rotate({ new_secret_key: second });
  assert.notEqual(await sealed(), before);
  assert.deepEqual(await texts(), ['Write to ada@example.com']);
});

test('a key in the data directory is replaced there, and only then is the old one of no use', async () => {
  const data_dir = join(dir, 'files');
  const rig = await makeRotationSetup({ data_dir, secret_key: undefined });
  const running = await rig.node();
  const filled = await fillSealedColumns(running);
  const file = join(data_dir, 'master.key');
  const old = readFileSync(file, 'utf8');
  await assert.rejects(rig.rotate({ new_secret_key: second }), /unset ATRIUM_NEW_SECRET_KEY/);
  await rig.rotate({});
  assert.notEqual(readFileSync(file, 'utf8'), old);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(!readdirSync(data_dir).includes('master.key.next'));
  await filled.check(running);
  await filled.check(await rig.node());
  const more = await fillSealedColumns(running);
  await rig.rotate({});
  await more.check(await rig.node());
  writeFileSync(file, old);
  await assert.rejects(rig.node(), /put the right master.key file back/);
  await filled.check(running);
});

test('a new key has to be given, and the same one until a rotation is finished', async () => {
  const rig = await makeRotationSetup({ secret_key: first });
  const filled = await fillSealedColumns(await rig.node());
  await assert.rejects(rig.rotate({}), /set ATRIUM_NEW_SECRET_KEY/);
  await assert.rejects(rig.rotate({ new_secret_key: first }), /set ATRIUM_NEW_SECRET_KEY/);
  await rig.rotate({ new_secret_key: second });
  // A node has not started with it yet, so the bridge stands: the same key again is no harm, another is refused.
  await rig.rotate({ new_secret_key: second });
  await assert.rejects(rig.rotate({ new_secret_key: 'a-third-master-key-0123456789' }), /give that key again/);
  const renewed = await rig.node({ secret_key: second });
  await filled.check(renewed);
  await rig.rotate({ secret_key: second, new_secret_key: first });
  await filled.check(renewed);
});

test('refuses a second rotation while one runs, and accepts one afterwards', async () => {
  const rig = await makeRotationSetup({ secret_key: first });
  await fillSealedColumns(await rig.node());
  const blocker = new pg.Client(rig.connection);
  await blocker.connect();
  try {
    // The first rotation can read the data keys and has to wait before it writes one.
    await blocker.query('begin');
    await blocker.query('lock table data_keys in exclusive mode');
    const running = rig.rotate({ new_secret_key: second });
    await until('the first rotation waits to write a data key', async () => {
      const [row] = await rig.query(
        `select 1 from pg_locks where not granted and relation = 'data_keys'::regclass
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return row;
    });
    const other = rig.rotate({ new_secret_key: second }).then(() => 'it was accepted', String);
    const outcome = await Promise.race([other, sleep(20_000, 'it waits for the first one', { ref: false })]);
    assert.match(outcome, /Another rotation of the keys is running/);
    await blocker.query('rollback');
    await running;
  } finally {
    await blocker.end();
  }
  await rig.rotate({ new_secret_key: second });
});

test('removes a retired key when it is old and unused, and seals boxes that were sealed late again first', async () => {
  const rig = await makeRotationSetup({ secret_key: first });
  const node = await rig.node();
  const filled = await fillSealedColumns(node);
  const sleepy = await rig.keyring();
  const stale = await sleepy.sealer(filled.workspace_id);
  await rig.rotate({ new_secret_key: second });
  const keys = async () =>
    Number((await rig.query('select (select count(*) from data_keys) + (select count(*) from tenant_keys) as n'))[0].n);
  const all = await keys();
  await rig.sweep();
  assert.equal(await keys(), all, 'retired a moment ago');

  // A node that had heard nothing seals with the key it knew.
  const elsewhere = newId();
  await rig.query(`insert into workspaces (id, tenant_id, name) select $1, id, 'late' from tenants`, [elsewhere]);
  const late = await sleepy.seal(elsewhere, 'p', 'late');
  await rig.query('update variables set value = $1 where id = $2', [
    stale(`variable ${filled.variable_id}`, filled.plain),
    filled.variable_id,
  ]);
  for (const table of ['data_keys', 'tenant_keys'])
    await rig.query(`update ${table} set retired_at = now() - interval '2 hours' where retired_at is not null`);
  await rig.sweep();
  const [{ retired }] = await rig.query('select count(*)::int as retired from data_keys where retired_at is not null');
  assert.equal(retired, 0);
  await filled.check(node);
  await filled.check(await rig.node({ secret_key: second }));
  // The first key of a workspace is sealed with the present master key, also by a node that was not notified.
  const renewed = await rig.keyring({ secret_key: second });
  assert.equal(await renewed.open(elsewhere, 'p', late), 'late');
});

test('a box that can not be opened is left alone, and so is its key', async () => {
  const rig = await makeRotationSetup({ secret_key: first });
  const filled = await fillSealedColumns(await rig.node());
  const [{ value }] = await rig.query('select value from variables where id = $1', [filled.secret_id]);
  const damaged = `${value.slice(0, -4)}AAAA`;
  await rig.query('update variables set value = $1 where id = $2', [damaged, filled.secret_id]);
  const said = await rig.rotate({ new_secret_key: second });
  assert.match(said.join('\n'), /1 could not be opened/);
  await rig.query(`update data_keys set retired_at = now() - interval '2 hours' where retired_at is not null`);
  await rig.sweep();
  const [{ kept }] = await rig.query('select value as kept from variables where id = $1', [filled.secret_id]);
  assert.equal(kept, damaged);
  const [{ retired }] = await rig.query('select count(*)::int as retired from data_keys where retired_at is not null');
  assert.equal(retired, 1);
});

test('a database that no node has used yet can be rotated as well', async () => {
  const rig = await makeRotationSetup({ secret_key: first });
  const said = await rig.rotate({ new_secret_key: second });
  assert.match(said.join('\n'), /Done\. Now set ATRIUM_SECRET_KEY to the new key/);
  const filled = await fillSealedColumns(await rig.node({ secret_key: second }));
  await assert.rejects(rig.node(), /not the one this database was made with/);
  await filled.check(await rig.node({ secret_key: second }));
});
