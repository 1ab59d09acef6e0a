/** Bounds of a schema that a caller sends: it is stored, checked by guardrails and sent to models. */
const mostCharacters = 32_000;
const deepest = 32;

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const oneSchema = [
  ...['items', 'additionalProperties', 'additionalItems', 'unevaluatedProperties', 'unevaluatedItems', 'propertyNames'],
  ...['contains', 'not', 'if', 'then', 'else'],
];
const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const namedSchemas = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const texts = ['$ref', '$id', '$schema', 'title', 'description', 'pattern', 'format'];
const numbers = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string');
const isType = (value: unknown) => typeof value === 'string' && types.has(value);

/** Old and new forms of `exclusiveMinimum` are a boolean and a number. */
const isBound = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';

function problemOf(schema: unknown, place: string, depth: number): string | undefined {
  const at = (key: string) => (place ? `${place}.${key}` : key);
  const wrong = (key: string, expected: string) => `${at(key)} should be ${expected}`;
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return `${place || 'the schema'} should be an object or a boolean`;
  if (depth > deepest) return `it is nested more than ${deepest} levels deep`;

  const { type, required, enum: choices } = schema;
  if (type !== undefined && !isType(type) && !(Array.isArray(type) && type.length > 0 && type.every(isType)))
    return wrong('type', `of ${[...types].join(', ')}`);
  if (required !== undefined && !isTexts(required)) return wrong('required', 'a list of names');
  if (choices !== undefined && !Array.isArray(choices)) return wrong('enum', 'a list');
  for (const key of texts)
    if (schema[key] !== undefined && typeof schema[key] !== 'string') return wrong(key, 'a text');
  // A resolver of the schema would fetch another address.
  if (typeof schema['$ref'] === 'string' && !schema['$ref'].startsWith('#'))
    return wrong('$ref', 'a place in the schema itself, beginning with #');
  for (const key of numbers) if (schema[key] !== undefined && !isBound(schema[key])) return wrong(key, 'a number');

  const inner: [key: string, schema: unknown][] = [];
  for (const key of oneSchema) {
    const value = schema[key];
    // Draft 7 has a list of schemas for the items of a tuple.
    if (key === 'items' && Array.isArray(value))
      inner.push(...value.map((item, index): [string, unknown] => [`${key}.${index}`, item]));
    else if (value !== undefined) inner.push([key, value]);
  }
  for (const key of schemaLists) {
    const value = schema[key];
    if (value === undefined) continue;
    if (!Array.isArray(value) || value.length === 0) return wrong(key, 'a list of schemas');
    inner.push(...value.map((item, index): [string, unknown] => [`${key}.${index}`, item]));
  }
  for (const key of namedSchemas) {
    const value = schema[key];
    if (value === undefined) continue;
    if (!isObject(value)) return wrong(key, 'an object of schemas');
    inner.push(...Object.entries(value).map(([name, item]): [string, unknown] => [`${key}.${name}`, item]));
  }
  for (const [key, item] of inner) {
    const problem = problemOf(item, at(key), depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

/** Why a value can't be sent to a model as JSON Schema; undefined when it can. */
export function jsonSchemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'it should be an object';
  const problem = problemOf(schema, '', 0);
  // Measured last: a schema that is nested too deep can't be serialized.
  return (
    problem ??
    (JSON.stringify(schema).length > mostCharacters ? `it is longer than ${mostCharacters} characters` : undefined)
  );
}
