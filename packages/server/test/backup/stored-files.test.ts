import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { BackupFolder } from '../../scripts/backup/folder/backup-folder.ts';
import { makeDiskFolder } from '../../scripts/backup/folder/disk-folder.ts';
import { restoreFile, type StoredFile, storeFiles } from '../../scripts/backup/stored-files.ts';
import { newId } from '../../src/lib/ids.ts';

const root = fs.mkdtempSync(join(tmpdir(), 'atrium-stored-files-'));
// Trees that are deeper than the longest path are removed by a program that changes into them.
after(() => void spawnSync('rm', ['-rf', root]));
const key = { id: '0011223344556677', secret: randomBytes(32) };
const sandbox = `sandboxes/${newId()}`;
let count = 0;

/** A data directory with files, and a folder for its backups. `onLook` is called when a file is about to be stored. */
function makePlace(content: Record<string, string>, onLook: (data_dir: string) => void = () => {}) {
  const dir = join(root, String(count++));
  const data_dir = join(dir, 'data');
  for (const [path, text] of Object.entries(content)) {
    fs.mkdirSync(dirname(join(data_dir, path)), { recursive: true });
    fs.writeFileSync(join(data_dir, path), text);
  }
  const disk = makeDiskFolder(join(dir, 'backups'));
  const has: BackupFolder['has'] = async (path) => {
    const isThere = await disk.has(path);
    onLook(data_dir);
    return isThere;
  };
  const places = { data_dir, folder: { ...disk, has }, blobs: undefined };
  const files = new Map<string, StoredFile>();
  const leftOut = new Set<string>();
  const store = () => storeFiles(key, places, files, leftOut);
  /** Restores the files elsewhere and reads them. */
  async function restore(): Promise<Record<string, string>> {
    const target = join(dir, 'restored');
    for (const file of files.values()) await restoreFile(key, { ...places, data_dir: target }, file);
    return Object.fromEntries(
      [...files.keys()].sort().map((path) => [path, fs.readFileSync(join(target, path), 'utf8')]),
    );
  }
  return { data_dir, files, leftOut, store, restore };
}

/** Calls `work` at the first look only. */
function once(work: (data_dir: string) => void) {
  let isDone = false;
  return (data_dir: string) => {
    if (isDone) return;
    isDone = true;
    work(data_dir);
  };
}

test('leaves out a tree of a sandbox that is deeper than the longest path and goes on', async () => {
  const place = makePlace({ [`${sandbox}/work/a/before.txt`]: 'before', [`${sandbox}/work/z.txt`]: 'after' });
  const script = `cd "$1" && name=$(printf 'd%.0s' $(seq 250)) && for i in $(seq 17); do mkdir $name && cd $name || exit 1; done; echo deep > file`;
  const made = spawnSync('bash', ['-c', script, 'bash', join(place.data_dir, sandbox, 'work')], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  await place.store();
  assert.deepEqual(await place.restore(), {
    [`${sandbox}/work/a/before.txt`]: 'before',
    [`${sandbox}/work/z.txt`]: 'after',
  });
  assert.equal(place.leftOut.size, 1);
  assert.ok([...place.leftOut][0]?.startsWith(`${sandbox}/work/ddd`));
});

test('leaves out directories below the 200th level', async () => {
  const place = makePlace({ [`${sandbox}/work/${'d/'.repeat(300)}file`]: 'deep', [`${sandbox}/work/z.txt`]: 'after' });
  await place.store();
  assert.deepEqual(await place.restore(), { [`${sandbox}/work/z.txt`]: 'after' });
  assert.equal(place.leftOut.size, 1);
});

test('says so when a file of a sandbox has a name that is not UTF-8', async (t) => {
  const place = makePlace({ [`${sandbox}/work/a.txt`]: 'first' });
  const name = Buffer.concat([Buffer.from(join(place.data_dir, sandbox, 'work/b')), Buffer.from([0xff])]);
  try {
    fs.writeFileSync(name, 'second');
  } catch {
    return t.skip('the file system takes only UTF-8');
  }
  await place.store();
  assert.deepEqual(await place.restore(), { [`${sandbox}/work/a.txt`]: 'first' });
  assert.deepEqual([...place.leftOut], [`${sandbox}/work/b\ufffd`]);
});

test('does not follow a link that replaces a directory of a sandbox during the backup', async () => {
  const swap = once((data_dir) => {
    fs.renameSync(join(data_dir, sandbox, 'work/inner'), join(data_dir, sandbox, 'work/moved'));
    fs.symlinkSync(data_dir, join(data_dir, sandbox, 'work/inner'));
  });
  const content = { 'master.key': 'key of the host', [`${sandbox}/work/a.txt`]: 'first' };
  const place = makePlace({ ...content, [`${sandbox}/work/inner/master.key`]: 'of the user' }, swap);
  await place.store();
  await place.store();
  assert.deepEqual(await place.restore(), {
    [`${sandbox}/work/a.txt`]: 'first',
    [`${sandbox}/work/moved/master.key`]: 'of the user',
  });
});

test('does not follow a link that replaces a file of a sandbox before it is opened', async () => {
  const swap = once((data_dir) => {
    fs.rmSync(join(data_dir, sandbox, 'work/a.txt'));
    fs.symlinkSync(join(data_dir, 'master.key'), join(data_dir, sandbox, 'work/a.txt'));
  });
  const place = makePlace({ 'master.key': 'key of the host', [`${sandbox}/work/a.txt`]: 'of the user' }, swap);
  await place.store();
  assert.deepEqual(await place.restore(), {});
  assert.deepEqual([...place.leftOut], [`${sandbox}/work/a.txt`]);
});

test('does not wait for a pipe that replaces a file of a sandbox before it is opened', async () => {
  const swap = once((data_dir) => {
    fs.rmSync(join(data_dir, sandbox, 'work/a.txt'));
    assert.equal(spawnSync('mkfifo', [join(data_dir, sandbox, 'work/a.txt')]).status, 0);
  });
  const place = makePlace({ [`${sandbox}/work/a.txt`]: 'of the user', [`${sandbox}/work/b.txt`]: 'second' }, swap);
  await place.store();
  assert.deepEqual(await place.restore(), { [`${sandbox}/work/b.txt`]: 'second' });
  assert.deepEqual([...place.leftOut], [`${sandbox}/work/a.txt`]);
});

test('stores what the last look found when a directory replaces a file of a sandbox, or a file a directory', async () => {
  const place = makePlace({ [`${sandbox}/work/a`]: 'file', [`${sandbox}/work/b/c/inner.txt`]: 'inner' });
  await place.store();
  const work = join(place.data_dir, sandbox, 'work');
  fs.rmSync(join(work, 'a'));
  fs.mkdirSync(join(work, 'a'));
  fs.writeFileSync(join(work, 'a/inner.txt'), 'now a directory');
  fs.rmSync(join(work, 'b'), { recursive: true });
  fs.writeFileSync(join(work, 'b'), 'now a file');
  await place.store();
  assert.deepEqual(await place.restore(), {
    [`${sandbox}/work/a/inner.txt`]: 'now a directory',
    [`${sandbox}/work/b`]: 'now a file',
  });
});

test('stores the files of users that are named like marks and partial files', async () => {
  const users = { [`${sandbox}/work/.files`]: 'mine', [`${sandbox}/work/film.part`]: 'mine too' };
  const partial = `blobs/${newId()}/ab/${newId()}.0123456789ab.part`;
  const place = makePlace({ ...users, [`${sandbox}/.files`]: '{}', [partial]: 'half' });
  await place.store();
  assert.deepEqual(await place.restore(), users);
});

test('stores files below a folder that is a link of the operator', async () => {
  const place = makePlace({ [`elsewhere/${newId()}/work/a.txt`]: 'kept' });
  fs.symlinkSync(join(place.data_dir, 'elsewhere'), join(place.data_dir, 'sandboxes'));
  await place.store();
  assert.deepEqual(Object.values(await place.restore()), ['kept']);
});

test('reports a failure to write the backup rather than leaving the file out', async () => {
  const place = makePlace({ [`${sandbox}/work/a.txt`]: 'text' });
  fs.writeFileSync(join(dirname(place.data_dir), 'backups'), 'not a folder');
  await assert.rejects(place.store(), /ENOTDIR|EEXIST/);
});

const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
// The checkout may lie where other users can't go.
const isReachable =
  spawnSync(process.execPath, ['--check', import.meta.filename], { ...nobody, cwd: '/' }).status === 0;

/** Stores the files in a process of an ordinary user, to whom permissions apply. */
function storeAsUser(data_dir: string) {
  const dir = dirname(data_dir);
  fs.chmodSync(root, 0o755);
  if ('uid' in nobody) spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, dir]);
  const script = fileURLToPath(new URL('./store-files-process.ts', import.meta.url));
  const args = [script, data_dir, join(dir, 'backups')];
  return spawnSync(process.execPath, args, { ...nobody, cwd: '/', encoding: 'utf8' });
}

test('leaves out what a user of a sandbox made unreadable and goes on', { skip: !isReachable }, () => {
  const inner = `${sandbox}/work/closed/inner.txt`;
  const content = { [`${sandbox}/work/a.txt`]: 'a', [inner]: 'inner', [`${sandbox}/work/z.txt`]: 'z' };
  const { data_dir } = makePlace({ ...content, [`blobs/${newId()}/ab/x`]: 'blob', [`${sandbox}/work/y.txt`]: 'y' });
  for (const name of ['closed', 'y.txt']) fs.chmodSync(join(data_dir, sandbox, 'work', name), 0);
  const { stdout, stderr } = storeAsUser(data_dir);
  assert.deepEqual(
    JSON.parse(stdout || '{}'),
    { files: 3, left_out: ['closed', 'y.txt'].map((name) => `${sandbox}/work/${name}`) },
    stderr,
  );
});

test('refuses when a file that is not of a sandbox is unreadable', { skip: !isReachable }, () => {
  const blob = `blobs/${newId()}/ab/${newId()}`;
  for (const closed of [blob, dirname(blob), sandbox, 'sandboxes']) {
    const { data_dir } = makePlace({ [blob]: 'blob', [`${sandbox}/work/a.txt`]: 'a' });
    fs.chmodSync(join(data_dir, closed), 0);
    const { status, stderr } = storeAsUser(data_dir);
    assert.equal(status, 1, closed);
    assert.match(stderr, /EACCES/);
  }
});
