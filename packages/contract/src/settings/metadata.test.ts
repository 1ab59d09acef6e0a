import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as z from 'zod';
import { kbSettingKeys } from '../knowledge-bases/settings/keys.ts';
import { kbSettingsMetadata, kbSettingsOutline } from '../knowledge-bases/settings/metadata.ts';
import { kbSettingsInput } from '../knowledge-bases/settings/settings.ts';
import { settingControls } from './key.ts';
import { settingLayers } from './layers.ts';
import { type SettingMetadata, settingsMetadata, settingsOutline } from './metadata.ts';
import { settingClasses } from './setting-class.ts';
import type { SettingBounds } from './setting-fields.ts';
import { settingKeys, settingsInput } from './settings.ts';

interface Kind {
  name: string;
  list: readonly SettingMetadata[];
  outline: readonly { group: string; label: string; sections: readonly string[] }[];
  input: z.ZodType<Record<string, unknown>>;
  names: string[];
}
const kinds: Kind[] = [
  {
    name: 'agents and conversations',
    ...{ list: settingsMetadata(), outline: settingsOutline, input: settingsInput, names: Object.keys(settingKeys) },
  },
  {
    name: 'knowledge bases',
    ...{ list: kbSettingsMetadata(), outline: kbSettingsOutline, input: kbSettingsInput },
    names: Object.keys(kbSettingKeys),
  },
];

const accepts = ({ input }: Kind, key: string, value: unknown) => input.safeParse({ [key]: value }).success;

/** Values at the bounds, which are accepted, and just past them, which are refused. */
function valuesAround(bounds: SettingBounds): { accepted: unknown[]; refused: unknown[] } {
  const { min, above, max, integer, minLength, maxLength, options } = bounds;
  const step = integer ? 1 : 1e-6;
  const pairs: [accepted: unknown, refused: unknown][] = [];
  if (min !== undefined) pairs.push([min, min - step]);
  if (above !== undefined) pairs.push([above + step, above]);
  if (max !== undefined) pairs.push([max, max + step]);
  if (minLength) pairs.push(['x'.repeat(minLength), 'x'.repeat(minLength - 1)]);
  if (maxLength) pairs.push(['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)]);
  if (integer) pairs.push([min ?? 0, (min ?? 0) + 0.5]);
  for (const { value } of options ?? []) pairs.push([value, `no ${value}`]);
  return { accepted: pairs.map(([value]) => value), refused: pairs.map(([, value]) => value) };
}

for (const kind of kinds) {
  const { name, list, outline, names } = kind;

  test(`every setting of ${name} has all parts of its metadata`, () => {
    assert.deepEqual(
      list.map(({ key }) => key),
      names,
    );
    for (const { key, label, help, group, section, control, shownWhen, ...rest } of list) {
      assert.match(label, /^[A-Z][^.]{1,60}$/, key);
      assert.match(help, /^[A-Z`].{15,240}\.$/s, key);
      assert.ok(outline.find((entry) => entry.group === group)?.sections.includes(section), `${key}: ${section}`);
      assert.ok(settingControls.includes(control), key);
      assert.notEqual(rest.default, undefined, key);
      assert.equal(typeof rest.bounds, 'object', key);
      if (control === 'select' || control === 'multi_select') assert.ok(rest.bounds.options?.length, key);
      for (const field of rest.fields ?? []) assert.match(field.help, /\.$/, `${key}.${field.key}`);
      if (control === 'entries') assert.ok(rest.fields?.length, key);
      if (control === 'reference' || control === 'reference_list') assert.ok(rest.references, key);
    }
  });

  test(`the metadata of ${name} is plain JSON`, () => {
    assert.deepEqual(JSON.parse(JSON.stringify(list)), list);
  });

  test(`labels of ${name} are unique within a section, and no section is empty`, () => {
    for (const { group, sections } of outline)
      for (const section of sections) {
        const labels = list.filter((one) => one.group === group && one.section === section).map(({ label }) => label);
        assert.ok(labels.length > 0, `${group}: ${section}`);
        assert.equal(new Set(labels).size, labels.length, `${group}: ${section}`);
      }
  });

  test(`shownWhen of ${name} names existing settings and values that they accept`, () => {
    for (const { key, shownWhen } of list) {
      if (!shownWhen) continue;
      const conditions = 'all' in shownWhen ? shownWhen.all : shownWhen.any;
      assert.ok(conditions.length > 0, key);
      for (const { key: other, is } of conditions) {
        assert.ok(names.includes(other) && other !== key, `${key}: ${other}`);
        for (const value of is) assert.ok(accepts(kind, other, value), `${key}: ${other} is never ${value}`);
      }
    }
  });

  test(`defaults of ${name} are accepted and stay the same`, () => {
    for (const { key, default: value } of list) {
      const parsed = kind.input.parse({ [key]: value });
      assert.deepEqual(parsed[key], value === null ? undefined : value, key);
    }
  });

  test(`bounds of ${name} agree with the schema`, () => {
    for (const { key, bounds, default: standard } of list) {
      const isList = Array.isArray(standard);
      const { accepted, refused } = valuesAround(isList ? { ...bounds, ...bounds.items } : bounds);
      const sent = (value: unknown) => (isList ? [value] : value);
      for (const value of accepted) assert.ok(accepts(kind, key, sent(value)), `${key} refuses ${value}`);
      for (const value of refused) assert.ok(!accepts(kind, key, sent(value)), `${key} accepts ${value}`);

      if (bounds.minItems) assert.ok(!accepts(kind, key, []), `${key} accepts an empty list`);
      const item = [...accepted, ...(isList ? standard : []), 'x'][0];
      if (bounds.maxItems === undefined || !accepts(kind, key, [item])) continue;
      assert.ok(accepts(kind, key, Array(bounds.maxItems).fill(item)), `${key} refuses ${bounds.maxItems} items`);
      assert.ok(!accepts(kind, key, Array(bounds.maxItems + 1).fill(item)), `${key} accepts more items`);
    }
  });
}

test('every setting of agents names its layers, class and lock', () => {
  for (const setting of settingsMetadata()) {
    assert.deepEqual(setting.layers.slice(0, 2), ['agent', 'conversation'], setting.key);
    assert.ok(
      setting.layers.every((layer) => settingLayers.includes(layer)),
      setting.key,
    );
    assert.ok(settingClasses.includes(setting.class), setting.key);
    if (setting.lock) assert.equal(settingKeys[setting.lock].fallback, false, setting.key);
  }
  const held = settingsMetadata()
    .filter(({ lock }) => lock !== null)
    .map(({ key }) => key);
  assert.equal(held.length, 25);
});
