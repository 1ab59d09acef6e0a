import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundleProgram } from '../scripts/build/bundle-program.ts';
import { currentBundle, publishBundle } from '../scripts/build/bundles.ts';

function makeDist(t: { after(work: () => void): void }): string {
  const dist = mkdtempSync(join(tmpdir(), 'atrium-dist-'));
  t.after(() => rmSync(dist, { recursive: true, force: true }));
  return dist;
}
const write = async (folder: string) => writeFileSync(join(folder, 'main.mjs'), '');

test('starts no bundle until a new one is whole', async (t) => {
  const dist = makeDist(t);
  await publishBundle(dist, 'one', write);
  assert.equal(currentBundle(dist), 'one');
  await publishBundle(dist, 'two', async (folder) => {
    assert.equal(currentBundle(dist), undefined);
    await write(folder);
  });
  assert.equal(currentBundle(dist), 'two');
});

test('starts no bundle of other sources when one could not be made', async (t) => {
  const dist = makeDist(t);
  await publishBundle(dist, 'one', write);
  await assert.rejects(
    publishBundle(dist, 'two', () => Promise.reject(new Error('no room'))),
    /no room/,
  );
  assert.equal(currentBundle(dist), undefined);
});

test('keeps the bundle that a running server reads from, and none before it', async (t) => {
  const dist = makeDist(t);
  for (const name of ['one', 'two', 'three']) await publishBundle(dist, name, write);
  assert.deepEqual(readdirSync(dist).sort(), ['current', 'three', 'two']);
});

test('leaves a bundle alone that another start is writing', async (t) => {
  const dist = makeDist(t);
  mkdirSync(join(dist, 'unfinished-1'));
  await publishBundle(dist, 'one', write);
  assert.deepEqual(readdirSync(dist).sort(), ['current', 'one', 'unfinished-1']);
});

test('takes the bundle that another start has made of the same sources meanwhile', async (t) => {
  const dist = makeDist(t);
  await publishBundle(dist, 'one', async (folder) => {
    mkdirSync(join(dist, 'one'));
    writeFileSync(join(dist, 'one', 'main.mjs'), 'theirs');
    await write(folder);
  });
  assert.equal(readFileSync(join(dist, 'one', 'main.mjs'), 'utf8'), 'theirs');
  assert.deepEqual(readdirSync(dist).sort(), ['current', 'one']);
});

test('keeps packages, and what is imported later, out of the file that is read first', async (t) => {
  const dist = makeDist(t);
  await bundleProgram(dist);
  const main = readFileSync(join(dist, 'main.mjs'), 'utf8');
  assert.match(main, /import\("\.\/run-alone-/);
  assert.doesNotMatch(main, /node_modules/);
  const all = readdirSync(dist).map((name) => readFileSync(join(dist, name), 'utf8'));
  assert.ok(all.length < 100, `${all.length} files`);
  assert.ok(all.some((text) => text.includes('import("nodemailer")') || text.includes('import("openid-client")')));
});
