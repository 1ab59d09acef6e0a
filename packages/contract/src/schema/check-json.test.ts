import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { misfit } from './check-json.ts';
import { fromJsonSchema, isModest } from './from-json.ts';
import { inputSchemaOf } from './json-schema.ts';

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5 },
    age: { type: 'integer', minimum: 0, exclusiveMaximum: 200 },
    kind: { enum: ['a', 'b'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    of: { $ref: '#/$defs/pair' },
    either: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    one: { oneOf: [{ type: 'number' }, { type: 'integer' }] },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: { pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] } },
};

test('says where and why a value does not fit', () => {
  const cases: [value: unknown, why: string | undefined][] = [
    [{ name: 'Ada', age: 3, kind: 'a', tags: ['x'], of: ['a', 1], either: null, one: 1.5 }, undefined],
    ['Ada', 'input: should be object'],
    [{}, 'input: name is missing'],
    [{ name: '' }, 'name: should have at least 1 characters'],
    [{ name: 'Adalbert' }, 'name: should have at most 5 characters'],
    [{ name: 'A', age: 1.5 }, 'age: should be integer'],
    [{ name: 'A', age: 200 }, 'age: should be less than 200'],
    [{ name: 'A', kind: 'c' }, 'kind: is not one of the values that are allowed'],
    [{ name: 'A', tags: ['x', 2] }, 'tags.1: should be string'],
    [{ name: 'A', tags: ['x', 'y', 'z'] }, 'tags: should have at most 2 items'],
    [{ name: 'A', of: ['a', 'b'] }, 'of.1: should be number'],
    [{ name: 'A', either: 'x' }, 'either: fits none of the forms allowed'],
    [{ name: 'A', one: 1 }, 'one: should fit exactly one of the forms allowed'],
    [{ name: 'A', other: 1 }, 'input: other is not known'],
  ];
  for (const [value, why] of cases) assert.equal(misfit(person, value), why, JSON.stringify(value));
});

test('a schema that leads in circles or branches without end is given up on, quickly', () => {
  const circle = { $ref: '#' };
  assert.equal(misfit(circle, 1), 'input: too much to check');
  let wide: Record<string, unknown> = { type: 'string' };
  for (let depth = 0; depth < 20; depth++) wide = { anyOf: [wide, wide, wide] };
  const started = Date.now();
  assert.ok(misfit(wide, 1));
  assert.ok(Date.now() - started < 20_000, 'all ways together would take hours');
});

test('answers for every schema and every value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (schema, value) => {
      const why = misfit(schema as never, value);
      assert.ok(why === undefined || typeof why === 'string');
      isModest(schema);
    }),
    { numRuns: 300 },
  );
});

test('passes a schema to models as it is, as the schema of an object', () => {
  const schema = fromJsonSchema(person);
  assert.deepEqual(inputSchemaOf(schema), person);
  assert.deepEqual(inputSchemaOf(fromJsonSchema({ $schema: 'x' })), { type: 'object', properties: {} });
  const refused = schema.safeParse({ name: 'A', tags: ['x', 2] });
  assert.deepEqual(
    refused.error?.issues.map(({ path, message }) => [path, message]),
    [[['tags', '1'], 'should be string']],
  );
  assert.deepEqual(fromJsonSchema({}).parse(undefined), {});
});
