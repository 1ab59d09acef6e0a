import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputSchemaOf, type JsonSchema } from '@atrium/contract/schema/json-schema.ts';
import { settingsInput } from '@atrium/contract/settings/settings.ts';
import { allNodeTypes } from '@atrium/contract/workflows/node-types/all-node-types.ts';
import fc from 'fast-check';
import { stripSecrets } from '../../../lib/secrets/mask-secrets.ts';
import { maskSettings, stripSettings } from './mask-settings.ts';

/** A value of a schema that has one text in it, and the path of that text. */
interface Planting {
  path: string;
  build(text: string): unknown;
}

const list = (value: unknown) => (Array.isArray(value) ? (value as JsonSchema[]) : []);
const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const root = inputSchemaOf(settingsInput);
const definitionOf = (reference: string) =>
  (root['$defs'] as Record<string, JsonSchema>)[reference.replace('#/$defs/', '')] ?? {};

/** Every place of a schema that takes a free text: ids, enumerations and constants do not. */
function plantingsIn(given: JsonSchema, path = '', depth = 0): Planting[] {
  const schema = typeof given['$ref'] === 'string' ? definitionOf(given['$ref']) : given;
  if (depth > 12 || schema['enum'] !== undefined || schema['const'] !== undefined) return [];
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => list(schema[name]));
  const types = [schema['type']].flat();
  const found = choices.flatMap((choice) => plantingsIn(choice, path, depth + 1));
  const isAnything = schema['type'] === undefined && choices.length === 0;
  const isId = /(?:^|[._])ids?(?:\.0)?$/.test(path);
  if ((types.includes('string') || isAnything) && !isId) found.push({ path, build: (text) => text });
  if (isAnything) found.push({ path: `${path}.*`, build: (text) => ({ a: [{ b: text }] }) });
  const within = (name: string, inner: JsonSchema, wrap: (value: unknown) => unknown) =>
    found.push(
      ...plantingsIn(inner, path ? `${path}.${name}` : name, depth + 1).map((one) => ({
        path: one.path,
        build: (text: string) => wrap(one.build(text)),
      })),
    );
  for (const [name, inner] of Object.entries((schema['properties'] as Record<string, JsonSchema> | undefined) ?? {}))
    within(name, inner, (value) => ({ [name]: value }));
  if (isSchema(schema['items'])) within('0', schema['items'], (value) => [value]);
  if (isSchema(schema['additionalProperties']))
    within('other', schema['additionalProperties'], (value) => ({ other: value }));
  return found;
}

const texts = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const token = fc.oneof(
  texts(`${letters}0123456789`, 40),
  texts(`${letters}0123456789-_`, 43),
  texts('0123456789abcdef', 40),
);
/** Ways in which people write a token down. */
const forms: ((text: string) => string)[] = [
  (text) => text,
  (text) => `Use ${text}, please.`,
  (text) => `Authorization: Bearer ${text}`,
  (text) => `https://host.example/services/T0/B0/${text}`,
  (text) => `See <https://host.example/a/${text}/b?c=1>`,
  (text) => `https://user:${text}@host.example/`,
  (text) => `https://host.example/?page=1&x=${text}`,
  (text) => `{"a": {"b": ["${text}"]}}`,
  (text) => `{"a": {{b}}, "c": "${text}"}`,
];
/** The same tokens in each run. */
const options = { seed: 41, numRuns: 3 };

const settings = plantingsIn(root);
test('no token that is planted in any text of the settings survives an export, nor an answer to a reader', () => {
  assert.ok(settings.length > 80, String(settings.length));
  for (const { path, build } of settings)
    for (const form of forms)
      fc.assert(
        fc.property(token, (text) => {
          const value = build(form(text)) as object;
          const stripped = stripSettings(value, []);
          assert.ok(!JSON.stringify(stripped.value).includes(text), `${path}: ${form('…')}`);
          assert.equal(stripped.places.length, 1, path);
          assert.ok(!JSON.stringify(maskSettings(value)).includes(text), `${path}: ${form('…')}`);
        }),
        options,
      );
});

test('no token that is planted in any text of a node survives an export of its workflow', () => {
  const fields = allNodeTypes.flatMap(({ type, config }) => Object.keys(config).map((field) => ({ type, field })));
  for (const { type, field } of fields.filter(({ field: name }) => !/(?:^|_)ids?$/.test(name)))
    for (const form of forms)
      fc.assert(
        fc.property(token, (text) => {
          const config = { [field]: form(text), [`${field}s`]: [{ a: form(text) }] };
          const definition = { nodes: [{ id: 'a', type, node_config: config }], edges: [] };
          const stripped = stripSecrets(definition, [], { programs: true });
          assert.ok(!JSON.stringify(stripped.value).includes(text), `${type} ${field}: ${form('…')}`);
        }),
        options,
      );
});
