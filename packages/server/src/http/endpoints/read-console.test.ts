import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeConsoleReader } from './read-console.ts';

test('reads a console again when its page was missing, and only once when it was there', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-console-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const read = makeConsoleReader(folder);
  writeFileSync(join(folder, 'theme.js'), 'theme()');
  await assert.rejects(read(), /missing/);
  writeFileSync(join(folder, 'index.html'), 'the page');
  const { page, files } = await read();
  assert.equal(page, 'the page');
  assert.deepEqual([...files.keys()].sort(), ['/index.html', '/theme.js']);
  writeFileSync(join(folder, 'index.html'), 'another page');
  assert.equal((await read()).page, 'the page');
});
