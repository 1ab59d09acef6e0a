import assert from 'node:assert/strict';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { newId } from '../../../../lib/ids.ts';
import { defaultLimits } from '../../default-limits.ts';
import { SandboxFileRefused, SandboxGone } from '../../driver.ts';
import { destroyDirectory, directoriesIn, makeDirectories } from '../local-directories.ts';
import { localSnapshots } from './local-snapshots.ts';
import { unpackTree } from './unpack-tree.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-snapshots-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const limits = { ...defaultLimits, disk_bytes: 10_000_000, inodes: 500 };
const machine = (name: string) => {
  const root = join(dir, name);
  const create = async ({ id }: { id: string }) => {
    await makeDirectories(root, id);
    return id;
  };
  const snapshots = localSnapshots({ root, limits, create, destroy: (ref) => destroyDirectory(root, ref) });
  return { create, snapshots, work: (id: string) => directoriesIn(root, id).work };
};
const [here, there] = [machine('here'), machine('there')];
const spec = (id: string) => ({ id, persistent: true, network: false });

async function carry(id: string): Promise<void> {
  const packed = await buffer(here.snapshots.pack(id));
  await there.snapshots.unpack(spec(id), Readable.from([packed]));
}

test('carries files, folders, links, modes and times to another machine', async () => {
  const id = newId();
  await here.create({ id });
  const from = here.work(id);
  mkdirSync(join(from, 'a/empty'), { recursive: true });
  writeFileSync(join(from, 'a/f'), Buffer.alloc(700_000, 7));
  writeFileSync(join(from, '-rf "x"\n'), '');
  symlinkSync('/etc/passwd', join(from, 'out'));
  symlinkSync('a', join(from, 'inner'));
  linkSync(join(from, 'a/f'), join(from, 'second name'));
  chmodSync(join(from, 'a/f'), 0o751);
  chmodSync(join(from, 'a/empty'), 0o500);
  utimesSync(join(from, 'a/f'), 5, 6);
  await carry(id);
  const to = there.work(id);
  assert.deepEqual(readdirSync(to).sort(), readdirSync(from).sort());
  assert.ok(readFileSync(join(to, 'a/f')).equals(Buffer.alloc(700_000, 7)));
  assert.ok(readFileSync(join(to, 'second name')).equals(Buffer.alloc(700_000, 7)));
  assert.deepEqual([readlinkSync(join(to, 'out')), readlinkSync(join(to, 'inner'))], ['/etc/passwd', 'a']);
  const facts = lstatSync(join(to, 'a/f'));
  assert.deepEqual([facts.mode & 0o777, facts.mtimeMs], [0o751, 6000]);
  assert.equal(lstatSync(join(to, 'a/empty')).mode & 0o777, 0o500);
});

test('replaces what was there before', async () => {
  const id = newId();
  await here.create({ id });
  writeFileSync(join(here.work(id), 'new'), 'new');
  await there.create({ id });
  writeFileSync(join(there.work(id), 'old'), 'old');
  await carry(id);
  assert.deepEqual(readdirSync(there.work(id)), ['new']);
});

test('knows the state that files are of, and any change since', async () => {
  const id = newId();
  const { snapshots } = here;
  const isChanged = async () => snapshots.isChanged(id, await snapshots.fingerprint(id));
  assert.equal(await snapshots.current(id), undefined);
  await assert.rejects(snapshots.fingerprint(id), SandboxGone);
  await here.create({ id });
  const file = join(here.work(id), 'f');
  writeFileSync(file, 'one');
  assert.equal(await isChanged(), true);
  await snapshots.mark(id, 'state-1', await snapshots.fingerprint(id));
  assert.deepEqual([await snapshots.current(id), await isChanged()], ['state-1', false]);
  const { atime, mtime } = lstatSync(file);
  writeFileSync(file, 'two');
  utimesSync(file, atime, mtime);
  assert.equal(await isChanged(), true, 'also when its time is set back');
  await snapshots.mark(id, 'state-2', await snapshots.fingerprint(id));
  chmodSync(file, 0o600);
  assert.equal(await isChanged(), true);
});

test('does not store files with holes that have more bytes than a sandbox may have', async () => {
  const id = newId();
  await here.create({ id });
  writeFileSync(join(here.work(id), 'holes'), '');
  truncateSync(join(here.work(id), 'holes'), 1e12);
  await assert.rejects(buffer(here.snapshots.pack(id)), SandboxFileRefused);
});

test('stores neither folders that lie too deep nor too many files, and does not walk through them all', async () => {
  const [deep, many] = [newId(), newId()];
  await here.create(spec(deep));
  mkdirSync(join(here.work(deep), ...Array<string>(300).fill('a')), { recursive: true });
  await here.create(spec(many));
  for (let file = 0; file <= limits.inodes; file++) writeFileSync(join(here.work(many), `${file}`), '');
  for (const id of [deep, many]) {
    await assert.rejects(buffer(here.snapshots.pack(id)), SandboxFileRefused);
    await assert.rejects(here.snapshots.fingerprint(id), SandboxFileRefused);
  }
});

test('refuses stored files that are cut off or lead out of the sandbox', async () => {
  const id = newId();
  await here.create({ id });
  writeFileSync(join(here.work(id), 'f'), 'content');
  const packed = await buffer(here.snapshots.pack(id));
  const unpack = (bytes: Buffer) => there.snapshots.unpack(spec(newId()), Readable.from([bytes]));
  await assert.rejects(unpack(packed.subarray(0, -1)), /cut off/);
  const hostile = (...entries: object[]) =>
    Buffer.concat(
      entries.flatMap((entry) => {
        const text = Buffer.from(JSON.stringify({ mode: 0o644, modified_ms: 0, ...entry }));
        const length = Buffer.alloc(4);
        length.writeUInt32BE(text.length);
        return [length, text];
      }),
    );
  for (const names of [['..', 'x'], ['a/../../x'], [''], []])
    await assert.rejects(unpack(hostile({ names, size: 0 })), /leads out/);
  const outside = join(dir, 'outside');
  mkdirSync(outside);
  const target = join(dir, 'target');
  mkdirSync(target);
  const through = hostile({ names: ['link'], target: outside }, { names: ['link', 'x'], size: 0 });
  await assert.rejects(unpackTree(Readable.from([through]), target));
  assert.deepEqual(readdirSync(outside), []);
});

test('lists the sandboxes whose files are here', async () => {
  const id = newId();
  await here.create({ id });
  assert.ok((await here.snapshots.list(new Date(Date.now() + 1000))).includes(id));
  assert.deepEqual(await here.snapshots.list(new Date(1)), []);
});
