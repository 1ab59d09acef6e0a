import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveSettings, shownSettings } from '@atrium/contract/settings/settings.ts';
import fc from 'fast-check';
import { makeSettingsTextCache } from './settings-text-cache.ts';

const fresh = (layers: (string | null)[], preview: boolean) => {
  const parsed = layers.map((layer) => layer && JSON.parse(layer));
  const is_protected = parsed.some((layer) => layer?.protect_instructions_in_preview);
  return shownSettings(effectiveSettings(...parsed), { hide_prompt: preview && is_protected });
};

const layer = fc.option(
  fc
    .record(
      {
        intro: fc.constantFrom('', 'a', 'b', '\0', '\\0', '","'),
        persona: fc.constantFrom([], [{ text: 'secret', definition: { type: 'doc', content: [1] } }]),
        protect_instructions_in_preview: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    .map((settings) => JSON.stringify(settings)),
);

test('a kept text is always what would be written anew', () => {
  const settingsText = makeSettingsTextCache();
  fc.assert(
    fc.property(fc.array(layer, { maxLength: 3 }), fc.boolean(), (layers, preview) => {
      for (let turn = 0; turn < 2; turn++)
        assert.deepEqual(JSON.parse(settingsText(layers, { preview })), fresh(layers, preview));
    }),
    { numRuns: 300 },
  );
});

test('a text that was dropped for newer ones comes back the same', () => {
  const settingsText = makeSettingsTextCache();
  const layers = (number: number) => [null, JSON.stringify({ intro: `number ${number}` })];
  const first = settingsText(layers(0));
  for (let number = 1; number < 1200; number++)
    assert.equal(JSON.parse(settingsText(layers(number))).intro, `number ${number}`);
  assert.equal(settingsText(layers(0)), first);
});

test('very long settings are written right and not kept', () => {
  const settingsText = makeSettingsTextCache();
  const long = JSON.stringify({ intro: 'x'.repeat(1_000_000) });
  const before = process.memoryUsage().heapUsed;
  for (let turn = 0; turn < 200; turn++) {
    const own = long.replace('xx', `${turn} `);
    assert.equal(JSON.parse(settingsText([own])).intro.length, JSON.parse(own).intro.length);
  }
  assert.ok(process.memoryUsage().heapUsed - before < 300_000_000, 'two hundred settings of a megabyte were kept');
});
