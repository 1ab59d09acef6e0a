import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../src/openapi.ts';
import { operations } from '../src/operations.ts';
import type { JsonSchema } from '../src/schema/json-schema.ts';

interface Body {
  content: Record<string, { schema?: JsonSchema }>;
}
interface Described {
  operationId: string;
  parameters: { name?: string; in: string; description?: string; schema: JsonSchema }[];
  requestBody?: Body;
  responses: Record<string, Body>;
}
const document = openApi(operations) as unknown as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, JsonSchema> };
};

const nameOf = (schema: JsonSchema) =>
  typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
const componentOf = (schema: JsonSchema) => document.components.schemas[nameOf(schema) ?? ''];
const partsOf = (schema: JsonSchema, ...keys: string[]) => keys.flatMap((key) => (schema[key] ?? []) as JsonSchema[]);

/** A field is described by itself, by the schema that it refers to, or by one of its alternatives. */
const isDescribed = (field: JsonSchema): boolean =>
  typeof field['description'] === 'string' ||
  typeof componentOf(field)?.['description'] === 'string' ||
  partsOf(field, 'anyOf', 'allOf').some(isDescribed);

/** Every field below a schema with its place; each named schema is walked once. */
function* fieldsIn(schema: JsonSchema | undefined, place: string, seen: Set<string>): Generator<[string, JsonSchema]> {
  if (!schema) return;
  const name = nameOf(schema);
  if (name !== undefined) {
    if (seen.has(name)) return;
    seen.add(name);
    yield* fieldsIn(componentOf(schema), name, seen);
    return;
  }
  for (const [key, field] of Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)) {
    yield [`${place}.${key}`, field];
    yield* fieldsIn(field, `${place}.${key}`, seen);
  }
  for (const part of partsOf(schema, 'anyOf', 'oneOf', 'allOf', 'prefixItems')) yield* fieldsIn(part, place, seen);
  yield* fieldsIn(schema['items'] as JsonSchema | undefined, `${place}[]`, seen);
  if (typeof schema['additionalProperties'] === 'object')
    yield* fieldsIn(schema['additionalProperties'] as JsonSchema, `${place}{}`, seen);
}

const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const fields = () => {
  const seen = new Set<string>();
  const contents = ({ operationId, requestBody, responses }: Described) =>
    [requestBody, ...Object.values(responses)].flatMap((body) =>
      Object.values(body?.content ?? {}).flatMap(({ schema }) => [...fieldsIn(schema, operationId, seen)]),
    );
  return described.flatMap((operation) => [
    ...operation.parameters
      .filter(({ name }) => name !== undefined)
      .map((parameter): [string, JsonSchema] => [
        `${operation.operationId} ${parameter.in} ${parameter.name}`,
        { ...parameter.schema, ...(parameter.description !== undefined && { description: parameter.description }) },
      ]),
    ...contents(operation),
  ]);
};

test('every operation says what it does and when to use it', () => {
  const poor = operations.filter(({ description = '', summary }) => description.length < 40 || description === summary);
  assert.deepEqual(
    poor.map(({ id }) => id),
    [],
  );
});

test('every field of parameters, bodies and answers has a description', () => {
  const all = fields();
  assert.ok(all.length > 1500, `${all.length} fields`);
  assert.deepEqual(
    all.filter(([, field]) => !isDescribed(field)).map(([place]) => place),
    [],
  );
});

test('ids of operations are unique and name a feature and a verb', () => {
  const ids = operations.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
  for (const id of ids) assert.match(id, /^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/);
});

test('every operation with a body has an example that the body accepts', () => {
  for (const { id, body, example } of operations) {
    if (!body) continue;
    assert.ok(example, `${id} has no example`);
    const read = body.safeParse(example);
    assert.ok(read.success, `${id}: ${read.success ? '' : JSON.stringify(read.error.issues)}`);
  }
});

test('finds a field without a description', () => {
  const bare: JsonSchema = {
    type: 'object',
    properties: { name: { type: 'string' }, tags: { type: 'array', items: {} } },
  };
  assert.deepEqual(
    [...fieldsIn(bare, 'x', new Set())].filter(([, field]) => !isDescribed(field)).map(([place]) => place),
    ['x.name', 'x.tags'],
  );
});
