import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingKeys } from '@atrium/contract/settings/settings.ts';
import { baseToolFields, baseTools } from '@atrium/contract/settings/tools/base-tools.ts';
import { otherTools } from '@atrium/contract/settings/tools/other-tools.ts';
import { testTitles } from '../../../test/support/test-titles.ts';
import { baseToolTests, otherToolTests } from './base-tool-tests.ts';
import { settingsDocument } from './documentation.ts';

const root = new URL('../../../../../', import.meta.url).pathname;
const marks: unknown[] = ['layout', 'kept for clients'];

test('docs/settings.md is what the schema says', () => {
  const stored = readFileSync(join(root, 'docs/settings.md'), 'utf8');
  assert.equal(stored, settingsDocument(), 'docs/settings.md is stale: run `npm run docs`');
});

test('every setting names the test that shows its effect, or why there is none', () => {
  for (const [name, { evidence }] of Object.entries(settingKeys)) {
    const marked = typeof evidence === 'object' ? evidence.test.trim() !== '' : marks.includes(evidence);
    assert.ok(marked, `${name} has neither a test nor a mark`);
  }
});

test('the tests that settings name exist', () => {
  const titles = testTitles();
  for (const [name, { evidence }] of Object.entries(settingKeys))
    if (typeof evidence === 'object')
      assert.ok(titles.has(evidence.test), `${name}: there is no test "${evidence.test}"`);
  for (const [type, tests] of Object.entries({ ...baseToolTests, ...otherToolTests }))
    for (const [field, evidence] of Object.entries(tests))
      if (typeof evidence === 'object')
        assert.ok(titles.has(evidence.test), `${type}.${field}: there is no test "${evidence.test}"`);
});

test('every base tool and every field of its own names the test that shows it', () => {
  const common = new Set(baseToolFields.get('memory')?.keys());
  for (const { type } of baseTools) {
    const own = [...(baseToolFields.get(type)?.keys() ?? [])].filter((name) => !common.has(name));
    assert.deepEqual(Object.keys(baseToolTests[type] ?? {}).sort(), ['itself', ...own].sort(), type);
  }
  for (const { type, defaults } of otherTools)
    assert.deepEqual(Object.keys(otherToolTests[type] ?? {}), ['itself', ...Object.keys(defaults)], type);
});

test('only layout strings are marked as layout', () => {
  for (const [name, { evidence, fallback }] of Object.entries(settingKeys))
    if (evidence === 'layout') assert.equal(fallback, '', name);
});
