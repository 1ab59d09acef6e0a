import { isObject, type JsonObject } from '../protocol.ts';

const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']);

/** Rules that the provider refuses; they are said in the description instead. */
const describedRules = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'not'],
];
const keptAsTheyAre = ['$schema', '$id', 'title', 'description', 'enum', 'type'];

const isThere = (value: unknown) => value !== undefined && value !== null;

function describeRules(schema: JsonObject): string | undefined {
  const rules = describedRules.flatMap((key) => {
    const value = schema[key];
    if (!isThere(value) || value === false) return [];
    const name = key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
  });
  const { format } = schema;
  if (typeof format === 'string' && !formats.has(format)) rules.push(`format: ${format}`);
  return rules.length ? `${rules.join('; ')}.` : undefined;
}

const plain = (schema: unknown): unknown => (isObject(schema) ? plainSchema(schema) : schema);
const plainList = (schemas: unknown) => (Array.isArray(schemas) ? schemas.map(plain) : schemas);
const plainMap = (schemas: unknown) =>
  Object.fromEntries(Object.entries(schemas as object).map(([name, schema]) => [name, plain(schema)]));

function plainDefinitions({ definitions, $defs }: JsonObject): Record<string, unknown> {
  return {
    ...(isThere(definitions) && { definitions: plainMap(definitions) }),
    ...(isThere($defs) && { $defs: plainMap($defs) }),
  };
}

/** A schema without the keywords that the provider refuses in the format of an answer. */
export function plainSchema(schema: JsonObject): JsonObject {
  if (isThere(schema['$ref'])) return { $ref: schema['$ref'], ...plainDefinitions(schema) };
  const result: Record<string, unknown> = {};
  for (const key of keptAsTheyAre) if (isThere(schema[key])) result[key] = schema[key];
  for (const key of ['default', 'const']) if (schema[key] !== undefined) result[key] = schema[key];
  const { anyOf = schema['oneOf'], allOf, properties, required, items, format } = schema;
  if (isThere(anyOf)) result['anyOf'] = plainList(anyOf);
  if (isThere(allOf)) result['allOf'] = plainList(allOf);
  Object.assign(result, plainDefinitions(schema));
  if (schema['type'] === 'object' || isThere(properties)) {
    if (isThere(properties)) result['properties'] = plainMap(properties);
    result['additionalProperties'] = false;
    if (isThere(required)) result['required'] = required;
  }
  if (isThere(items)) result['items'] = Array.isArray(items) ? plainList(items) : plain(items);
  if (typeof format === 'string' && formats.has(format)) result['format'] = format;
  const rules = describeRules(schema);
  const described = result['description'];
  if (rules) result['description'] = isThere(described) ? `${described}\n${rules}` : rules;
  return result;
}
