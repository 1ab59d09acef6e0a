import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteStates, readStates, stampOfUnchanged } from '../scripts/build/unchanged-files.mjs';

const paths = ['src', 'src/a.ts', 'src/b.ts', 'public'];
let root: string;
let list: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'atrium-unchanged-'));
  list = join(root, 'dist/sources.json');
  mkdirSync(join(root, 'src'));
  for (const name of ['a', 'b']) writeFileSync(join(root, `src/${name}.ts`), `export const ${name} = 1;`);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Notes the files as if they had been there for a while, and waits until a change has another time. */
async function note(): Promise<void> {
  noteStates(list, 'one', readStates(root, paths, Date.now() + 10_000));
  await sleep(50);
}

test('knows files again that have not changed', async () => {
  await note();
  assert.equal(stampOfUnchanged(list, root), 'one');
});

const changes: [string, (file: string) => void][] = [
  ['has another content', (file) => writeFileSync(file, 'export const a = 22;')],
  [
    'has a content of the same size and its old time',
    (file) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(file, 'export const a = 2;');
      utimesSync(file, atime, mtime);
    },
  ],
  ['is gone', (file) => rmSync(file)],
  ['has another name', (file) => renameSync(file, `${file}x`)],
  ['has a new neighbour', (file) => writeFileSync(`${file}.ts`, '')],
  ['has a folder that was not there', () => mkdirSync(join(root, 'public'))],
];
for (const [what, change] of changes)
  test(`does not know files again when one of them ${what}`, async () => {
    await note();
    change(join(root, 'src/a.ts'));
    assert.equal(stampOfUnchanged(list, root), undefined);
  });

test('notes nothing of files that have just changed, and forgets an earlier note', async () => {
  await note();
  writeFileSync(join(root, 'src/a.ts'), 'export const a = 2;');
  noteStates(list, 'two', readStates(root, paths));
  assert.equal(stampOfUnchanged(list, root), undefined);
});

test('does not know files again by a list that is cut off', async () => {
  await note();
  writeFileSync(list, '{"stamp":"one","states":{"src');
  assert.equal(stampOfUnchanged(list, root), undefined);
});
