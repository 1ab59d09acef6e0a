import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allNodeTypes } from '@atrium/contract/workflows/node-types/all-node-types.ts';
import { configTypes } from '@atrium/contract/workflows/node-types/config-fields.ts';
import { connectorTypes, dataTypes } from '@atrium/contract/workflows/node-types/connectors.ts';
import { categories } from '@atrium/contract/workflows/node-types/node-type.ts';
import { z } from 'zod';
import { testApp } from '../../../../test/support/test-app.ts';
import { allNodes, type NodeDeps } from './all-nodes.ts';

const { call } = await testApp();

const shape = z.strictObject({ data_type: z.enum(dataTypes), is_list: z.boolean() });
const connector = z.strictObject({
  name: z.string().min(1),
  label: z.string().min(1),
  definition: shape,
  type: z.enum(connectorTypes),
  propagates_list: z.boolean(),
  optional: z.boolean(),
  rules: z.array(z.unknown()),
  visible: z.boolean(),
  keys: z.array(z.string()).optional(),
  manual: z.boolean().optional(),
  allow_empty: z.boolean().optional(),
  choices: z.array(shape).optional(),
  configured_by: z.string().optional(),
});
/** `null` has to stand there where nothing else does: a key that is missing is not the same. */
const present = z.unknown().refine((value) => value !== undefined);
const configDefinition = z.strictObject({
  type: z.enum(configTypes),
  description: z.string().nullable(),
  visible: z.boolean(),
  optional: z.boolean(),
  default: present,
  advanced: z.boolean(),
  tab: z.enum(['Configuration', 'Safety', 'Human', 'Model']),
  rules: z.array(z.unknown()),
  display: z.looseObject({ type: z.string(), label: z.string().min(1), tooltip: z.string().nullable() }),
});
const entry = z.strictObject({
  type: z.string().regex(/^[A-Z]\w+Node$/),
  title: z.string().min(1),
  description: z.string().min(1),
  small_description: z.string().min(1),
  category: z.enum(categories),
  integrations: z.array(z.union([z.string(), z.array(z.string())])),
  inputs: z.array(connector),
  outputs: z.array(connector).min(1),
  config: z.record(z.string(), configDefinition),
  is_available: z.boolean(),
  visible: z.boolean(),
  config_endpoint: z.string().nullable(),
  used_in: z.array(z.enum(['flow', 'agent_flow'])).min(1),
});

/** The check that clients apply to values of a config. */
const ofType: Record<string, (value: unknown) => boolean> = {
  str: (value) => typeof value === 'string',
  list: Array.isArray,
  bool: (value) => typeof value === 'boolean',
  int: Number.isInteger,
  float: (value) => typeof value === 'number',
  dict: (value) => typeof value === 'object' && !Array.isArray(value),
};

test('the server runs every node type of the contract, in its order', () => {
  const nodes = allNodes({ toolCalls: {} } as NodeDeps);
  assert.deepEqual(
    nodes.map(({ type }) => type),
    allNodeTypes.map(({ type }) => type),
  );
});

test('the catalogue is a bare array whose entries clients can load', async () => {
  const { status, json } = await call('GET', '/v1/nodes');
  assert.equal(status, 200);
  assert.ok(Array.isArray(json) && json.length >= 5);
  for (const one of json) {
    const read = entry.safeParse(one);
    assert.ok(read.success, `${one.type}: ${read.error?.message}`);
    for (const key of ['config_endpoint', 'integrations', 'is_available', 'visible'])
      assert.ok(Object.hasOwn(one, key), `${one.type} has no ${key}`);
    for (const [name, field] of Object.entries(read.data.config)) {
      assert.ok(Object.hasOwn(one.config[name], 'default'), `${one.type}.${name} has no default`);
      const fits = ofType[field.type];
      if (field.default !== null && fits)
        assert.ok(fits(field.default), `${one.type}.${name} defaults to another type`);
    }
    for (const { name, type, keys } of [...read.data.inputs, ...read.data.outputs])
      assert.equal(keys !== undefined, type === 'variable_connector', `${one.type}.${name}: keys`);
    for (const side of [read.data.inputs, read.data.outputs]) {
      const names = side.map(({ name }) => name);
      assert.equal(new Set(names).size, names.length, `${one.type} has two connectors of one name`);
    }
  }
  const types = json.map(({ type }: { type: string }) => type);
  assert.equal(new Set(types).size, types.length);
});

test('the nodes that clients use have the connectors and fields that they expect', async () => {
  const { json } = await call('GET', '/v1/nodes');
  const named = (type: string) => json.find((one: { type: string }) => one.type === type);
  const names = (connectors: { name: string }[]) => connectors.map(({ name }) => name);
  assert.deepEqual(names(named('InputNode').inputs), ['input']);
  assert.equal(named('InputNode').outputs[0].name, 'output');
  assert.deepEqual(names(named('OutputNode').inputs), ['input']);
  assert.equal(named('OutputNode').outputs[0].name, 'output');
  const writes = named('TextGenerationNode');
  assert.deepEqual(names(writes.outputs), ['output', 'on_error']);
  assert.equal(writes.config.template.optional, false);
  assert.deepEqual([writes.config.label.optional, writes.config.model.optional], [true, true]);
  assert.deepEqual(writes.inputs[0].keys, []);
  for (const key of ['label', 'fixed_value', 'value', 'type']) assert.ok(named('InputNode').config[key].optional, key);
});
