import { type AnonymizeText, anonymizeValue } from './anonymize-value.ts';

type Schema = Record<string, unknown>;
const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords with meaning for machines; anonymized, they would mean something else. */
const structural = new Set(
  'type format pattern $ref $dynamicRef $schema $id $anchor $dynamicAnchor $vocabulary contentEncoding contentMediaType'.split(
    ' ',
  ),
);
/** Keywords that hold values of the field, not schemas. */
const data = new Set(['enum', 'const', 'default', 'examples', 'example']);
/** Keywords that hold a schema for each name. Only names of fields may contain personal data. */
const named = new Set([
  'properties',
  'dependentSchemas',
  'dependentRequired',
  'patternProperties',
  '$defs',
  'definitions',
]);
const ofFields = new Set(['properties', 'dependentSchemas', 'dependentRequired']);

/**
 * Providers accept only such names for fields, and a first name is a common field name. A name that may be an address
 * or a number is not ordinary.
 */
export const isOrdinaryKey = (name: string) =>
  /^[\p{L}\p{N}_.$-]{1,64}$/u.test(name) && (name.match(/\d/g)?.length ?? 0) < 7;
const hideName = async (name: string, hide: AnonymizeText) => (isOrdinaryKey(name) ? name : hide(name));

/** Anonymizes all words in a schema: descriptions, choices, examples, unusual field names. */
export async function anonymizeSchema(schema: unknown, hide: AnonymizeText): Promise<unknown> {
  if (typeof schema === 'string') return hide(schema);
  if (Array.isArray(schema)) {
    const items: unknown[] = [];
    for (const item of schema) items.push(await anonymizeSchema(item, hide));
    return items;
  }
  if (!isObject(schema)) return schema;
  const entries: [string, unknown][] = [];
  for (const [key, own] of Object.entries(schema)) entries.push([key, await hideKeyword(key, own, hide)]);
  return Object.fromEntries(entries);
}

async function hideKeyword(key: string, value: unknown, hide: AnonymizeText): Promise<unknown> {
  if (structural.has(key)) return value;
  if (data.has(key)) return anonymizeValue(value, hide);
  if (key === 'required') return hideNames(value, hide);
  if (!named.has(key) || !isObject(value)) return anonymizeSchema(value, hide);
  const entries: [string, unknown][] = [];
  for (const [name, own] of Object.entries(value))
    entries.push([
      ofFields.has(key) ? await hideName(name, hide) : name,
      await (key === 'dependentRequired' ? hideNames(own, hide) : anonymizeSchema(own, hide)),
    ]);
  return Object.fromEntries(entries);
}

/** Names of fields must match the names in the properties. */
async function hideNames(names: unknown, hide: AnonymizeText): Promise<unknown> {
  if (!Array.isArray(names)) return names;
  const hidden: unknown[] = [];
  for (const name of names) hidden.push(typeof name === 'string' ? await hideName(name, hide) : name);
  return hidden;
}
