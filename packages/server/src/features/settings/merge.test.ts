import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf } from '@atrium/contract/keys-of.ts';
import { namesInLayers } from '@atrium/contract/settings/names-in-layers.ts';
import {
  effectiveSettings,
  overlay,
  type SparseSettings,
  settingKeys,
  settingsInput,
  shownSettings,
} from '@atrium/contract/settings/settings.ts';
import { baseTools } from '@atrium/contract/settings/tools/base-tools.ts';
import fc from 'fast-check';

const tool = fc.record(
  {
    type: fc.constantFrom(...baseTools.map(({ type }) => type), 'unknown', 'constructor'),
    enabled: fc.boolean(),
    visible: fc.boolean(),
    title: fc.string(),
  },
  { requiredKeys: ['type'] },
);

/** Settings as they can be stored: keys of every kind, each there or not. */
const layer = fc.record(
  {
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    jailbreak: fc.boolean(),
    model: fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
    crime: fc.record({ value: fc.constantFrom('Off', 'Low', 'High'), context: fc.string() }),
    persona: fc.array(fc.record({ text: fc.string() }), { maxLength: 3 }),
    stop_sequences: fc.array(fc.string()),
    capability_versions: fc.dictionary(fc.string(), fc.integer()),
    base_tools: fc.array(tool, { maxLength: 6 }),
    tools: fc.array(tool, { maxLength: 4 }),
  },
  { requiredKeys: [] },
);
const read = (sent: unknown): SparseSettings => settingsInput.parse(JSON.parse(JSON.stringify(sent)));
const stored = layer.map(read);

test('laying settings over each other is associative', () => {
  fc.assert(
    fc.property(stored, stored, stored, (a, b, c) => {
      const [left, right] = [overlay(overlay(a, b), c), overlay(a, overlay(b, c))];
      assert.deepEqual(effectiveSettings(left), effectiveSettings(right));
    }),
  );
});

test('effective settings have every key and all ten base tools for any layers', () => {
  const names = Object.keys(settingKeys).sort();
  fc.assert(
    fc.property(fc.array(fc.option(stored), { maxLength: 4 }), (layers) => {
      const settings = effectiveSettings(...layers);
      assert.deepEqual(Object.keys(settings).sort(), names);
      assert.ok(Object.values(settings).every((value) => value !== undefined));
      const types = settings.base_tools.map(({ type }) => type);
      assert.deepEqual(
        types.slice(0, 10),
        baseTools.map(({ type }) => type),
      );
      assert.equal(new Set(types).size, types.length);
    }),
  );
});

test('settings that no layer names are at their defaults for any layers', () => {
  const defaults = effectiveSettings();
  fc.assert(
    fc.property(fc.array(fc.option(stored), { maxLength: 4 }), (layers) => {
      const [settings, named] = [effectiveSettings(...layers), namesInLayers(layers)];
      const others = keysOf(settingKeys).filter((name) => !named.includes(name));
      for (const name of others) assert.deepEqual(settings[name], defaults[name], name);
      assert.deepEqual(
        named,
        keysOf(settingKeys).filter((name) => named.includes(name)),
        'in the order of all settings',
      );
    }),
  );
});

test('an empty layer, no layer and the same layer again change nothing', () => {
  fc.assert(
    fc.property(stored, (a) => {
      const once = effectiveSettings(a);
      assert.deepEqual(effectiveSettings(null, a, {}, null), once);
      assert.deepEqual(effectiveSettings(overlay(a, {})), once);
      assert.deepEqual(effectiveSettings(overlay({}, a)), once);
      assert.deepEqual(effectiveSettings(overlay(a, a)), once);
    }),
  );
});

test('null never changes anything', () => {
  fc.assert(
    fc.property(layer, fc.subarray(Object.keys(settingKeys)), (sent, names) => {
      const nulls = Object.fromEntries(names.filter((name) => !(name in sent)).map((name) => [name, null]));
      assert.deepEqual(read({ ...nulls, ...sent }), read(sent));
      assert.deepEqual(overlay(read(sent), read(nulls)), read(sent));
    }),
  );
});

test('a key of the layer above replaces the one below whole, and no other', () => {
  fc.assert(
    fc.property(stored, stored, (below, above) => {
      const merged = effectiveSettings(below, above) as Record<string, unknown>;
      const under = effectiveSettings(below) as Record<string, unknown>;
      for (const name of Object.keys(settingKeys).filter((name) => name !== 'base_tools'))
        assert.deepEqual(merged[name], name in above ? (above as Record<string, unknown>)[name] : under[name], name);
    }),
  );
});

test('parsing parsed settings again changes nothing', () => {
  fc.assert(fc.property(stored, (a) => assert.deepEqual(read(a), JSON.parse(JSON.stringify(a)))));
});

test('nothing changes the defaults or a layer in place', () => {
  const before = JSON.stringify(effectiveSettings());
  fc.assert(
    fc.property(stored, stored, (a, b) => {
      const text = JSON.stringify([a, b]);
      shownSettings(effectiveSettings(a, b), { hide_prompt: true });
      overlay(a, b);
      assert.equal(JSON.stringify([a, b]), text);
    }),
  );
  assert.equal(JSON.stringify(effectiveSettings()), before);
});
