import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../src/lib/ids.ts';
import { sealingKeyId } from '../src/lib/secrets/sealed-box.ts';
import { fillSealedColumns, makeRotationSetup } from '../test/support/rotation-setup.ts';
import { startProcess } from '../test/support/server-process.ts';

const program = new URL('../scripts/rotate-key.ts', import.meta.url).pathname;
const [first, second] = ['the-first-master-key-0123456789', 'the-second-master-key-0123456789'];

/** `npm run rotate-key` with these settings, in a process of its own. */
function rotating(env: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [program], { env: { PATH, NODE_COMPILE_CACHE, ...env }, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const ended = once(child, 'exit');
  return {
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async ended() {
      const [code] = await ended;
      return { code, output };
    },
    isOver: () => child.exitCode !== null,
  };
}

test('killed in the middle again and again, everything opens all the while and the rotation comes to its end', async () => {
  const rig = await makeRotationSetup({ secret_key: first });
  const node = await rig.node();
  const filled = await fillSealedColumns(node);
  const keyring = await rig.keyring();
  const count = 1200;
  const seal = await keyring.sealer(filled.workspace_id);
  const rows = Array.from({ length: count }, () => newId()).map((id) => ({ id, box: seal(`variable ${id}`, id) }));
  await rig.query(
    `insert into variables (workspace_id, id, name, type, source, is_secret, value)
     select $1, id, 'n' || replace(id::text, '-', ''), 'string', 'inline', true, box
     from unnest($2::uuid[], $3::text[]) as t (id, box)`,
    [filled.workspace_id, rows.map(({ id }) => id), rows.map(({ box }) => box)],
  );
  const oldKey = sealingKeyId(rows[0]?.box ?? '') as string;
  const resealed = async () =>
    (await rig.query(`select count(*)::int as n from variables where value not like $1`, [`box1.${oldKey}.%`]))[0].n;

  const { user, password, host, port, database } = rig.connection;
  const url = `postgres://${user}:${password}@/${database}?${new URLSearchParams({ host, port: String(port) })}`;
  const env = { DATABASE_URL: url, ATRIUM_SECRET_KEY: first, ATRIUM_NEW_SECRET_KEY: second };
  // It stands still after so many values, for as long as this lock is held, and is killed there.
  const lock = new pg.Client(rig.connection);
  await lock.connect();
  await rig.query(`create table trap as select 0 as place`);
  await rig.query(`create function trap() returns trigger language plpgsql as $$ begin
    if (select count(*) from variables where value not like 'box1.${oldKey}.%') >= (select place from trap) then
      perform pg_advisory_xact_lock_shared(4, 7);
    end if;
    return new; end $$`);
  await rig.query(`create trigger trap before update on variables for each row execute function trap()`);
  const caught = `select pid from pg_locks where locktype = 'advisory' and not granted and objid = 7`;
  const moments: [what: string, place: number][] = [
    ['the next key is there', 0],
    ['the first values are sealed anew', 1],
    ['half of them is', count / 2],
  ];
  for (const [what, place] of moments) {
    await lock.query('select pg_advisory_lock(4, 7)');
    await rig.query('update trap set place = $1', [place]);
    const process = rotating(env);
    while ((await rig.query(caught)).length === 0) {
      if (process.isOver()) assert.fail(`${what}: ${(await process.ended()).output}`);
      await sleep(20);
    }
    await process.kill();
    while ((await rig.query(`select pg_terminate_backend(pid) from (${caught}) as waiting`)).length > 0)
      await sleep(20);
    await lock.query('select pg_advisory_unlock(4, 7)');
    assert.equal(await resealed(), place, what);
    assert.equal((await rig.query(`select 1 from instance where name = 'next_master_key'`)).length, 1);
    // On a node that runs, on one that starts now, and box by box.
    await filled.check(node);
    await filled.check(await rig.node());
    const fresh = await rig.keyring();
    for (const { id, value } of await rig.query(`select id, value from variables where name like 'n%'`))
      assert.equal(await fresh.open(filled.workspace_id, `variable ${id}`, value), id);
  }
  await lock.end();
  const { code, output } = await rotating(env).ended();
  assert.equal(code, 0, output);
  assert.match(output, /Now set ATRIUM_SECRET_KEY to the new key/);
  assert.ok(!output.includes(first) && !output.includes(second));
  assert.equal(await resealed(), count + 2);
  const [{ keys }] = await rig.query(`select count(*)::int as keys from data_keys where workspace_id = $1`, [
    filled.workspace_id,
  ]);
  assert.equal(keys, 2, 'a rotation that was begun several times makes one new key');
  await filled.check(node);
  await filled.check(await rig.node({ secret_key: second }));
});

test('the key in the data directory of a running server is replaced beside it, and it starts with the new one', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-rotate-'));
  const key = 'rotate-admin-key-0123456789';
  const start = () => startProcess({ dir, env: { ATRIUM_ADMIN_KEY: key } });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  let server = start();
  after(async () => {
    if (server.child.exitCode === null) await server.killEverything();
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  });
  let address = await server.ready;
  const body = JSON.stringify({ name: 'kept', inline_value: 'the value' });
  const made = await fetch(`${address}/v1/variables`, { method: 'POST', headers, body });
  const { id } = (await made.json()) as { id: string };
  const value = async () =>
    ((await (await fetch(`${address}/v1/variables/${id}`, { headers })).json()) as { inline_value: string })
      .inline_value;

  const { code, output } = await rotating({ ATRIUM_DATA_DIR: dir }).ended();
  assert.equal(code, 0, output);
  assert.equal(await value(), 'the value');
  await server.stop();
  // With no server running the database is started for as long as it takes.
  const again = await rotating({ ATRIUM_DATA_DIR: dir }).ended();
  assert.equal(again.code, 0, again.output);
  server = start();
  address = await server.ready;
  assert.equal(await value(), 'the value');
  const nowhere = await rotating({ ATRIUM_DATA_DIR: join(dir, 'nowhere') }).ended();
  assert.deepEqual([nowhere.code, /There is no database/.test(nowhere.output)], [1, true]);
});
