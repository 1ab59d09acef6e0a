import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundleOf } from '../scripts/build/bundle-of.mjs';
import { bundleProgram } from '../scripts/build/bundle-program.ts';
import { removeOldBundles, writeBundle } from '../scripts/build/bundles.ts';

function makeDist(t: { after(work: () => void): void }): string {
  const dist = mkdtempSync(join(tmpdir(), 'atrium-dist-'));
  t.after(() => rmSync(dist, { recursive: true, force: true }));
  return dist;
}
const write = async (folder: string) => writeFileSync(join(folder, 'main.mjs'), 'export {};');

test('starts no bundle until it is whole', async (t) => {
  const dist = makeDist(t);
  await writeBundle(dist, 'one', async (folder) => {
    await write(folder);
    assert.equal(bundleOf(dist, 'one'), undefined);
  });
  assert.equal(bundleOf(dist, 'one'), join(dist, 'one', 'main.mjs'));
  assert.equal(bundleOf(dist, 'two'), undefined);
  assert.equal(statSync(join(dist, 'one')).mode & 0o777, 0o755, 'others start it too');
});

test('leaves nothing behind when a bundle could not be made', async (t) => {
  const dist = makeDist(t);
  await assert.rejects(
    writeBundle(dist, 'one', () => Promise.reject(new Error('no room'))),
    /no room/,
  );
  assert.deepEqual(readdirSync(dist), []);
});

test('makes a bundle anew when one of its files is empty or gone', async (t) => {
  const dist = makeDist(t);
  for (const damage of [(file: string) => writeFileSync(file, ''), (file: string) => rmSync(file)]) {
    await writeBundle(dist, 'one', write);
    damage(join(dist, 'one', 'main.mjs'));
    assert.equal(bundleOf(dist, 'one'), undefined);
    await writeBundle(dist, 'one', write);
    assert.ok(bundleOf(dist, 'one'));
  }
  assert.deepEqual(readdirSync(dist), ['one']);
});

test('takes the bundle that another start has made of the same sources meanwhile', async (t) => {
  const dist = makeDist(t);
  await writeBundle(dist, 'one', async (folder) => {
    await writeBundle(dist, 'one', async (other) => writeFileSync(join(other, 'main.mjs'), 'theirs'));
    await write(folder);
  });
  assert.equal(readFileSync(join(dist, 'one', 'main.mjs'), 'utf8'), 'theirs');
  assert.deepEqual(readdirSync(dist), ['one']);
});

test('removes bundles after a month, and what a start that was cut off has left after an hour', async (t) => {
  const dist = makeDist(t);
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000);
  const ages = { current: 60, old: 31, young: 29, 'unfinished-old': 1 / 12, 'unfinished-young': 0 };
  for (const [name, days] of Object.entries(ages)) {
    mkdirSync(join(dist, name));
    utimesSync(join(dist, name), daysAgo(days), daysAgo(days));
  }
  symlinkSync(join(dist, 'gone'), join(dist, 'nowhere'));
  removeOldBundles(dist, 'current');
  assert.deepEqual(readdirSync(dist).sort(), ['current', 'nowhere', 'unfinished-young', 'young']);
});

test('bundles the packages of each start, and keeps what is imported later out of the file that is read first', async (t) => {
  const dist = makeDist(t);
  await bundleProgram(dist);
  const main = readFileSync(join(dist, 'main.mjs'), 'utf8');
  assert.match(main, /import\("\.\/run-alone-/);
  const written = readdirSync(dist).filter((name) => name.endsWith('.mjs'));
  const all = written.map((name) => readFileSync(join(dist, name), 'utf8'));
  assert.ok(all.length < 100, `${all.length} files`);
  assert.ok(all.some((text) => text.includes('import("nodemailer")') || text.includes('import("openid-client")')));
  const first = written.filter((name) => /^(main|app)\b/.test(name));
  const imported = first.flatMap((name) =>
    [...readFileSync(join(dist, name), 'utf8').matchAll(/^import .*from "([^."][^"]*)";$/gm)].map(([, id = '']) => id),
  );
  assert.deepEqual(
    imported.filter((id) => !isBuiltin(id)),
    [],
    'packages that each start looks for',
  );
  assert.ok(all.every((text) => /^\p{ASCII}*$/u.test(text)));
  for (const name of readdirSync(dist).filter((own) => own.endsWith('.map')))
    assert.ok(JSON.parse(readFileSync(join(dist, name), 'utf8')).mappings, name);
});

test('gives a bundled module the place of its source and its texts as they were written', async (t) => {
  const dist = makeDist(t);
  const entry = join(dist, 'texts.ts');
  const lines = [
    'export const raw = String.raw`ü \\… é`;',
    "export const texts = ['a … ü 😀', `é→`, '’…'.match(/^[’ü-ž]…$/)?.[0], 'import.meta.url'];",
    'export const places: string[] = [import.meta.url, import.meta.dirname, import.meta.filename];',
  ];
  writeFileSync(entry, lines.join('\n'));
  await bundleProgram(join(dist, 'out'), { entries: { texts: entry } });
  const bundled = join(dist, 'out/texts.mjs');
  assert.deepEqual({ ...(await import(bundled)) }, { ...(await import(entry)) });
  assert.match(readFileSync(bundled, 'utf8'), /"a \\u2026 /);
});
