import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelConfigs, channels } from '../deployments/channel-config.ts';
import { kbSettingKeys } from '../knowledge-bases/settings/keys.ts';
import { providerKinds } from '../models/provider-kinds.ts';
import { providerCreate } from '../models/schema.ts';
import { settingKeys } from '../settings/settings.ts';
import { baseToolFields } from '../settings/tools/base-tools.ts';
import { channelTypes, definitionFields, triggerTypes } from '../triggers/schema.ts';
import { variableCreate } from '../variables/schema.ts';
import { allNodeTypes } from '../workflows/node-types/all-node-types.ts';
import { fieldsOf } from '../workflows/node-types/catalogue-entry.ts';
import { readConfig } from '../workflows/node-types/read-node-config.ts';
import { formOf } from './all-forms.ts';
import { type FieldKind, fieldKinds } from './form.ts';
import { form as formSchema } from './schema.ts';
import { valuesAround } from './testing.ts';

const keysOfVariant = (kind: FieldKind, variant: string | null, first?: string) =>
  formOf(kind)
    .fields.filter((field) => field.variant === variant && (first === undefined || field.path[0] === first))
    .map(({ key }) => key)
    .sort();

const sorted = (keys: Iterable<string>) => [...keys].sort();

test('lists every setting of agents and of knowledge bases once', () => {
  assert.deepEqual(keysOfVariant('agents', null, 'definition'), sorted(Object.keys(settingKeys)));
  assert.ok(Object.keys(settingKeys).length >= 151);
  assert.deepEqual(keysOfVariant('knowledge-bases', null, 'settings_'), sorted(Object.keys(kbSettingKeys)));
});

test('lists every field of each base tool, channel, provider, trigger, variable and node once', () => {
  for (const [type, fields] of baseToolFields)
    assert.deepEqual(keysOfVariant('base-tools', type), sorted(fields.keys()), type);
  for (const channel of channels) {
    const { needed, defaults, secrets } = channelConfigs[channel];
    const known = new Set([...needed, ...Object.keys(defaults), ...secrets]);
    assert.deepEqual(keysOfVariant('channels', channel), sorted(known), channel);
  }
  const ofProviders = new Set(providerKinds.flatMap((kind) => keysOfVariant('providers', kind)));
  assert.deepEqual(sorted([...ofProviders, 'provider']), sorted(Object.keys(providerCreate.shape)));
  const ofTriggers = new Set(triggerTypes.flatMap((type) => keysOfVariant('triggers', type)));
  assert.deepEqual(sorted(ofTriggers), sorted(Object.keys(definitionFields)));
  for (const type of channelTypes)
    assert.deepEqual(keysOfVariant('triggers', type), ['channel', 'keyword', 'team_id'], type);
  const ofVariables = formOf('variables').fields.map(({ key }) => key);
  const aliases = ['source_type', 'value_type'];
  assert.deepEqual(sorted([...ofVariables, ...aliases]), sorted(Object.keys(variableCreate.shape)));
  for (const node of allNodeTypes)
    assert.deepEqual(keysOfVariant('nodes', node.type), sorted(Object.keys(fieldsOf(node))), node.type);
});

for (const kind of fieldKinds) {
  const form = formOf(kind);

  test(`every field of ${kind} has all of its parts`, () => {
    formSchema.parse(form);
    assert.deepEqual(JSON.parse(JSON.stringify(form)), form, 'it is plain JSON');
    const names = form.fields.map(({ variant, path }) => JSON.stringify([variant, path]));
    assert.equal(new Set(names).size, names.length, 'no field is there twice');
    assert.deepEqual(
      form.fields.map(({ order }) => order),
      form.fields.map((_, index) => index + 1),
    );
    for (const field of form.fields) {
      const name = `${field.variant ?? ''} ${field.key}`;
      assert.match(field.label, /^[A-Z][^.]{0,60}$/, name);
      assert.match(field.help, /^["`(A-Z].{7,300}[.)]$/s, name);
      const group = form.groups.find((one) => one.group === field.group);
      assert.ok(group?.sections.includes(field.section), `${name}: ${field.section}`);
      assert.ok(field.permission.length > 0, name);
      assert.ok(field.variant === null || form.variants.some(({ variant }) => variant === field.variant), name);
      if (field.control === 'select' || field.control === 'multi_select') assert.ok(field.options?.length, name);
      if (field.control === 'entries' || field.control === 'group') assert.ok(field.fields?.length, name);
      if (field.control === 'reference' || field.control === 'reference_list') assert.ok(field.references, name);
      for (const option of field.options ?? []) assert.match(option.label, /^[A-Z]/, `${name}: ${option.value}`);
      for (const nested of field.fields ?? []) assert.match(nested.help, /\.$/, `${name}.${nested.key}`);
    }
  });

  test(`conditions of ${kind} name fields of the same form and values that they have`, () => {
    for (const { key, variant, shown_when } of form.fields) {
      if (!shown_when) continue;
      for (const { key: other, field, is } of 'all' in shown_when ? shown_when.all : shown_when.any) {
        const named = form.fields.find((one) => one.key === other && (one.variant ?? variant) === variant);
        assert.ok(named && other !== key, `${key}: ${other}`);
        const nested = named.fields?.find((one) => one.key === field);
        const options = nested?.options ?? named.options;
        for (const value of is)
          assert.ok(
            typeof value === 'boolean' ? named.type === 'boolean' : options?.some((option) => option.value === value),
            `${key}: ${other} is never ${value}`,
          );
      }
    }
  });
}

test('bounds and defaults of nodes agree with what a definition may hold', () => {
  for (const node of allNodeTypes)
    for (const field of formOf('nodes').fields.filter(({ variant }) => variant === node.type)) {
      const errorsAt = (value: unknown) =>
        readConfig(node, { [field.key]: value }).validationErrors.filter(({ loc }) => loc[1] === field.key);
      const name = `${node.type}.${field.key}`;
      const { accepted, refused } = valuesAround(field);
      if (field.default !== null) assert.deepEqual(errorsAt(field.default), [], name);
      assert.equal(errorsAt(undefined).length > 0, field.required, name);
      // An expression has to be one that can be read.
      if (field.control !== 'expression')
        for (const value of accepted) assert.deepEqual(errorsAt(value), [], `${name} refuses ${value}`);
      for (const value of refused) assert.ok(errorsAt(value).length, `${name} accepts ${JSON.stringify(value)}`);
    }
});
