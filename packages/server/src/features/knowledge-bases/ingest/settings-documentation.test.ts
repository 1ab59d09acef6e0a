import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kbSettingKeys } from '@atrium/contract/knowledge-bases/settings/keys.ts';

test('every setting of a base names a test that exists, or why there is none', () => {
  const here = join(import.meta.dirname, '..');
  // OCR is slow, so the tests of its settings are among the slow suites.
  const slow = join(here, '../../../slow/ocr.test.ts');
  const text = [...globSync('**/*.test.ts', { cwd: here }).map((file) => join(here, file)), slow]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  for (const [name, { evidence, fallback }] of Object.entries(kbSettingKeys)) {
    if (typeof evidence === 'object')
      assert.ok(text.includes(`test('${evidence.test}'`), `${name}: no test "${evidence.test}"`);
    else assert.deepEqual([evidence, fallback], ['layout', ''], name);
  }
});
