import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { testConfig } from '../../../test/support/test-config.ts';
import { makeDatabase } from '../../../test/support/test-database.ts';
import { makeApp } from '../../app.ts';
import { openDatabase } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { newId } from '../../lib/ids.ts';
import { makeLog } from '../../lib/log.ts';
import { newBoxKey } from '../../lib/secrets/sealed-box.ts';
import { loadMasterKey } from './load-master-key.ts';
import { openMasterKeys } from './master-keys.ts';
import { makeKeyring } from './service.ts';
import { fixedMasterKey } from './testing.ts';

const log = makeLog('silent');
const { connection, drop } = await makeDatabase();
const db = openDatabase({ connection, max: 8, log });
const dir = mkdtempSync(join(tmpdir(), 'atrium-keyring-'));
after(async () => {
  await db.close();
  await drop();
  rmSync(dir, { recursive: true, force: true });
});
const master = fixedMasterKey(newBoxKey());
const words = fc.string({ unit: 'binary', maxLength: 100 });

async function workspace(): Promise<string> {
  const id = newId();
  await db.run(sql`insert into workspaces (id, tenant_id, name) select ${id}, id, 'test' from tenants`);
  return id;
}
const dataKeys = (id: string) =>
  db.rows<{ id: string; wrapped: string }>(sql`select id, wrapped from data_keys where workspace_id = ${id}`);

test('opens a box only for its workspace and purpose', async () => {
  const keyring = makeKeyring(db, master);
  const [here, there] = [await workspace(), await workspace()];
  await keyring.seal(there, 'p', 'a key of its own');
  await fc.assert(
    fc.asyncProperty(words, words, words, async (purpose, other, plain) => {
      const box = await keyring.seal(here, purpose, plain);
      assert.equal(await keyring.open(here, purpose, box), plain);
      await assert.rejects(keyring.open(there, purpose, box), /does not have/);
      if (other !== purpose) await assert.rejects(keyring.open(here, other, box), /sealed for something else/);
    }),
    { numRuns: 30 },
  );
});

test("a data key moved to another workspace's row does not open there", async () => {
  const [here, there] = [await workspace(), await workspace()];
  const box = await makeKeyring(db, master).seal(here, 'p', 'text');
  await db.run(sql`insert into data_keys (workspace_id, id, wrapped)
    select ${there}, id, wrapped from data_keys where workspace_id = ${here}`);
  await assert.rejects(makeKeyring(db, master).open(there, 'p', box), /sealed for something else/);
});

test('a first use from many sides at once makes one data key, the same for every node', async () => {
  const nodes = Array.from({ length: 4 }, () => makeKeyring(db, master));
  const id = await workspace();
  const boxes = await Promise.all(
    Array.from({ length: 40 }, (_, i) => nodes[i % 4]?.seal(id, 'p', String(i)) as Promise<string>),
  );
  assert.equal((await dataKeys(id)).length, 1);
  for (const node of nodes) {
    const opened = await Promise.all(boxes.map((box) => node.open(id, 'p', box)));
    assert.deepEqual(
      opened,
      boxes.map((_, i) => String(i)),
    );
  }
});

test('a retired data key opens what it sealed, and a node that does not know the new one looks again', async () => {
  const id = await workspace();
  const [first, second] = [makeKeyring(db, master), makeKeyring(db, master)];
  const old = await first.seal(id, 'p', 'old');
  await second.open(id, 'p', old);
  await db.run(sql`update data_keys set retired_at = now() where workspace_id = ${id}`);
  const fresh = makeKeyring(db, master);
  const box = await fresh.seal(id, 'p', 'new');
  const [retired] = (await db.rows<{ id: string }>(
    sql`select id from data_keys where workspace_id = ${id} and retired_at is not null`,
  )) as [{ id: string }];
  assert.notEqual(box.split('.')[1], retired.id, 'a retired key seals nothing new');
  for (const node of [first, second, fresh])
    assert.deepEqual([await node.open(id, 'p', old), await node.open(id, 'p', box)], ['old', 'new']);
});

test('a workspace that is not there has no key, and asking again later is not spoilt by it', async () => {
  const keyring = makeKeyring(db, master);
  const id = newId();
  await assert.rejects(keyring.seal(id, 'p', 'x'));
  await db.run(sql`insert into workspaces (id, tenant_id, name) select ${id}, id, 'late' from tenants`);
  assert.equal(await keyring.open(id, 'p', await keyring.seal(id, 'p', 'x')), 'x');
});

test('a wrong master key opens nothing and stops the start', async () => {
  const id = await workspace();
  const box = await makeKeyring(db, master).seal(id, 'p', 'x');
  await assert.rejects(makeKeyring(db, fixedMasterKey(newBoxKey())).open(id, 'p', box), /made with another key/);
  await assert.rejects(
    openMasterKeys(db, () => [newBoxKey()]),
    /not the one this database was made with/,
  );
  const wrong = testConfig(dir, { secret_key: 'another-secret-key-0123456789' });
  await assert.rejects(makeApp(wrong, connection, log), /ATRIUM_SECRET_KEY/);
  const right = await makeApp(testConfig(dir), connection, log);
  await right.close();
});

test('the master key is made once, for the owner alone, and kept', () => {
  const data_dir = join(dir, 'made', 'here');
  const load = () => loadMasterKey({ data_dir, secret_key: undefined });
  const made = load();
  const path = join(data_dir, 'master.key');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.match(readFileSync(path, 'utf8'), /^[\w-]{43}\n$/);
  assert.deepEqual(readdirSync(data_dir), ['master.key']);
  chmodSync(path, 0o644);
  assert.deepEqual(load(), made);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  writeFileSync(path, '');
  assert.throws(load, /too short/);
});

test('a master key given by the environment is used and written nowhere', () => {
  const data_dir = join(dir, 'unused');
  const given = (secret_key: string) => loadMasterKey({ data_dir, secret_key });
  assert.deepEqual(given('a secret of one kind'), given('a secret of one kind'));
  assert.notEqual(given('a secret of one kind').id, given('a secret of another').id);
  assert.throws(() => readdirSync(data_dir), /ENOENT/);
});
