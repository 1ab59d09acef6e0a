import assert from 'node:assert/strict';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newId } from '../../../lib/ids.ts';
import { conforms } from '../conformance.ts';
import { IndexMissing } from '../driver.ts';
import { makeDiskStorage } from './disk/disk-storage.ts';
import { quoted, quotedId, renderFilter } from './filters.ts';
import { makeLanceIndex } from './lance-index.ts';

const root = mkdtempSync(join(tmpdir(), 'atrium-index-'));
after(() => rmSync(root, { recursive: true, force: true }));
const index = makeLanceIndex(makeDiskStorage(root));

conforms('LanceDB', index);

const aRow = (text: string) => ({
  id: newId(),
  document_id: newId(),
  run_id: newId(),
  path: '/',
  text,
  heading: '',
  vector: null,
});

test('an index whose files are torn says that it is missing, and another process sees what one writes', async () => {
  const name = { workspace_id: newId(), kb_id: newId(), name: newId() };
  await index.create(name, { language: 'en', dimension: null });
  await index.add(name, [aRow('apple')]);
  const reader = makeLanceIndex(makeDiskStorage(root));
  assert.equal((await reader.searchText(name, 'apple', 5)).length, 1);
  await index.add(name, [aRow('apple')]);
  assert.equal((await reader.searchText(name, 'apple', 5)).length, 2);
  for (const file of globSync(`${root}/${name.workspace_id}/**/*.manifest`)) writeFileSync(file, 'torn');
  await assert.rejects(makeLanceIndex(makeDiskStorage(root)).searchText(name, 'apple', 5), IndexMissing);
});

test('the files of an index are for the account of the process alone, also those of older versions', async () => {
  const name = { workspace_id: newId(), kb_id: newId(), name: newId() };
  const modes = () =>
    globSync('**/*', { cwd: join(root, name.workspace_id), exclude: [] })
      .map((path) => statSync(join(root, name.workspace_id, path)))
      .map((found) => [found.isDirectory() ? 'folder' : 'file', (found.mode & 0o777).toString(8)].join(' '));
  await index.create(name, { language: 'en', dimension: null });
  for (const text of ['apple', 'pear', 'plum']) await index.add(name, [aRow(text)]);
  await index.remove(name, [newId()]);
  await index.tend(name, 'fully');
  assert.deepEqual([...new Set(modes())].sort(), ['file 600', 'folder 700']);
  assert.equal(statSync(root).mode & 0o777, 0o700);

  for (const path of globSync(`${root}/${name.workspace_id}/**/*.lance`, { withFileTypes: true }))
    if (path.isFile()) chmodSync(join(path.parentPath, path.name), 0o644);
  assert.ok(modes().includes('file 644'));
  await makeLanceIndex(makeDiskStorage(root)).add(name, [aRow('fig')]);
  assert.deepEqual([...new Set(modes())].sort(), ['file 600', 'folder 700']);
});

test('values get into filters as values', () => {
  assert.equal(quoted("a' OR '1'='1"), "'a'' OR ''1''=''1'");
  assert.throws(() => quotedId("x' OR 1=1"), TypeError);
  assert.throws(() => renderFilter({ document_ids: ['1'] }), TypeError);
  assert.equal(renderFilter({ path: '/' }), undefined);
  assert.equal(renderFilter({ path: "/it's/" }), "path >= '/it''s/' AND path < '/it''s0'");
  assert.throws(() => renderFilter({ path: '/a' }), TypeError);
});

test('finds every row that is left while it is purged', async () => {
  const name = { workspace_id: newId(), kb_id: newId(), name: newId() };
  await index.create(name, { language: 'en', dimension: null });
  const rows = Array.from({ length: 6 }, (_, at) => aRow(`walnut ${at}`));
  await index.add(name, rows);
  await index.tend(name, 'fully');
  for (let turn = 0; turn < 5; turn++) {
    const gone = aRow('walnut gone');
    await index.add(name, [gone]);
    await index.removeRows(name, [gone.id]);
    let isDone = false;
    const purged = index.purge(name).finally(() => {
      isDone = true;
    });
    while (!isDone) assert.equal((await index.searchText(name, 'walnut', 20)).length, rows.length);
    await purged;
  }
});

test('purge leaves no word of removed rows in any file, and finds the others as before', async () => {
  const name = { workspace_id: newId(), kb_id: newId(), name: newId() };
  await index.create(name, { language: 'en', dimension: null });
  const secret = aRow('zyxmarmalade zyxmarmalade');
  const others = Array.from({ length: 50 }, (_, at) => aRow(`apple number ${at}`));
  await index.add(name, [...others, secret]);
  await index.tend(name, 'fully');
  const holding = () =>
    globSync(`${root}/${name.workspace_id}/**/*`, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes('zyxma')).length;
  assert.ok(holding() > 0);
  await index.remove(name, [secret.document_id]);
  assert.equal(await index.purge(name, 10), false, 'it is too large');
  assert.equal(await index.purge(name), true);
  assert.equal(holding(), 0);
  assert.deepEqual(await index.searchText(name, 'zyxmarmalade', 5), []);
  assert.equal((await index.searchText(name, 'apple', 100)).length, 50);
  // Nothing is left but the current version, also of an index without rows.
  await index.remove(
    name,
    others.map(({ document_id }) => document_id),
  );
  assert.equal(await index.purge(name), true);
  assert.deepEqual(await index.searchText(name, 'apple', 5), []);
  await index.add(name, [aRow('plum')]);
  assert.equal((await index.searchText(name, 'plum', 5)).length, 1);
});
