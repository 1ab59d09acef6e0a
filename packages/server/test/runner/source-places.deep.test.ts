import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundleProgram } from '../../scripts/build/bundle-program.ts';
import { withSourcePlaces } from './source-places.ts';

test('maps a place of a bundle to its source', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-places-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const source = join(dir, 'fails.ts');
  writeFileSync(
    source,
    '// A comment that a bundle leaves out.\nexport function fail(): never {\n  throw new Error("here");\n}\n',
  );
  await bundleProgram(join(dir, 'out'), { entries: { fails: source } });
  const { fail } = await import(join(dir, 'out/fails.mjs'));
  const { stack } = (() => {
    try {
      return fail();
    } catch (thrown) {
      return thrown as { stack: string };
    }
  })();
  assert.match(stack, /out\/fails\.mjs:\d+/);
  assert.match(withSourcePlaces(stack), /fails\.ts:3:9/);
  assert.equal(withSourcePlaces('at nowhere (file:///nowhere.mjs:1:2)'), 'at nowhere (file:///nowhere.mjs:1:2)');
});
