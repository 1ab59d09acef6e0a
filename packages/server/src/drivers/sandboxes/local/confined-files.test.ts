import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultLimits } from '../default-limits.ts';
import { SandboxFileRefused } from '../driver.ts';
import { sandboxRoot } from '../testing.ts';
import { confinedFiles } from './confined-files.ts';
import { destroyDirectory, makeDirectories } from './local-directories.ts';
import { localFiles } from './local-files.ts';
import { makeUsageCounter } from './usage-counter.ts';

const root = sandboxRoot();
const id = '018f0000-0000-7000-8000-000000000001';
const { work } = await makeDirectories(root, id);
const outside = join(root, 'outside');
mkdirSync(outside);
writeFileSync(join(outside, 'secret'), 'secret');
symlinkSync(join(outside, 'secret'), join(work, 'link'));
symlinkSync(outside, join(work, 'folder'));
symlinkSync('/proc/self/environ', join(work, 'environ'));
execFileSync('mkfifo', [join(work, 'fifo')]);

const content = async (path: string) =>
  Buffer.concat(await Array.fromAsync(await confinedFiles.read(work, path, 1000))).toString();
const refused = (error: unknown) => error instanceof SandboxFileRefused;

test('reads nothing through a link, from a FIFO or from a directory', async () => {
  for (const path of ['link', 'folder/secret', 'environ', 'fifo', '.', 'folder', '', '/'])
    await assert.rejects(content(path), refused, path);
  await assert.rejects(confinedFiles.list(work, 'folder'), refused);
});

test('writes and removes nothing through a link', async () => {
  await assert.rejects(confinedFiles.write(work, 'folder/new', Buffer.from('x')), refused);
  await confinedFiles.write(work, 'link', Buffer.from('mine'));
  assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'secret');
  assert.equal(await content('link'), 'mine');
  await confinedFiles.remove(work, 'folder');
  assert.ok(existsSync(join(outside, 'secret')));
  assert.ok(!existsSync(join(outside, 'new')));
});

test('refuses a file that is larger than the limit before reading it', async () => {
  await confinedFiles.write(work, 'large', Buffer.alloc(1001));
  await assert.rejects(
    content('large'),
    (error) => refused(error) && (error as SandboxFileRefused).code === 'too_large',
  );
});

test('writes below the root for any path', async () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '', '/', 'a', 'link', 'folder', '...', '..a'),
    fc.string({ maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
      const path = parts.join('/');
      await confinedFiles.write(work, path, Buffer.from('x')).then(
        ({ path: written }) => assert.ok(!written.split('/').includes('..') && statSync(join(work, written)).isFile()),
        (error) => assert.ok(refused(error), String(error)),
      );
    }),
    { numRuns: 200 },
  );
  assert.deepEqual(readFileSync(join(outside, 'secret'), 'utf8'), 'secret');
});

test('counts a tree that is deeper than the longest path as too much, and removes it', async () => {
  const deep = '018f0000-0000-7000-8000-000000000002';
  const made = await makeDirectories(root, deep);
  execFileSync(
    'bash',
    ['-c', 'n=$(printf "d%.0s" $(seq 100)); for i in $(seq 120); do mkdir $n && cd $n || exit 1; done; echo x > f'],
    {
      cwd: made.work,
    },
  );
  const counter = makeUsageCounter();
  const { inodes } = await counter.measure(made.work, 1000);
  assert.equal(inodes, 121);
  assert.equal((await counter.measure(made.work, 50)).inodes > 50, true);
  await counter.close();
  await destroyDirectory(root, deep);
  assert.equal(existsSync(made.directory), false);
});

test('counts and removes a directory without permissions', async () => {
  const closed = '018f0000-0000-7000-8000-000000000003';
  const made = await makeDirectories(root, closed);
  execFileSync('bash', ['-c', 'mkdir -p a/b; head -c 100000 /dev/zero > a/b/f; chmod 000 a/b a'], { cwd: made.work });
  const counter = makeUsageCounter();
  const { bytes, inodes, largest } = await counter.measure(made.work, 1000);
  assert.ok(bytes >= 100_000);
  assert.deepEqual([inodes, largest], [3, 100_000]);
  await counter.close();
  await destroyDirectory(root, closed);
  assert.equal(existsSync(made.directory), false);
});

test('knows no disk usage when there are too many files to count', async () => {
  const counter = makeUsageCounter();
  const many = await makeDirectories(root, '018f0000-0000-7000-8000-00000000000a');
  const { usedBytes } = localFiles({ limits: { ...defaultLimits, inodes: 3 }, counter, workOf: () => many.work });
  for (const name of ['a', 'b', 'c']) writeFileSync(join(many.work, name), 'x');
  assert.equal(typeof (await usedBytes?.('any')), 'number');
  for (const name of ['d', 'e']) writeFileSync(join(many.work, name), 'x');
  assert.equal(await usedBytes?.('any'), undefined);
  await counter.close();
});
