import type { JsonSchema } from './scalar.ts';

/** More steps than an honest schema needs; bounds the work that a foreign schema can cause. */
const mostSteps = 50_000;
const deepest = 40;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' && Number.isInteger(value)) return 'integer';
  return typeof value;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'object';
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Key order says nothing. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => same(item, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** What a `#/…` reference leads to. Others lead out of the schema and are not followed. */
function target(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return true;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!(isObject(at) || Array.isArray(at)) || !Object.hasOwn(at, key)) return true;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

const numberRules: [keyword: string, broken: (value: number, limit: number) => boolean, word: string][] = [
  ['minimum', (value, limit) => value < limit, 'at least'],
  ['maximum', (value, limit) => value > limit, 'at most'],
  ['exclusiveMinimum', (value, limit) => value <= limit, 'more than'],
  ['exclusiveMaximum', (value, limit) => value >= limit, 'less than'],
];

function lengthTrouble(schema: JsonSchema, length: number, of: 'Length' | 'Items', what: string): string | undefined {
  const [least, most] = [schema[`min${of}`], schema[`max${of}`]];
  if (typeof least === 'number' && length < least) return `should have at least ${least} ${what}`;
  if (typeof most === 'number' && length > most) return `should have at most ${most} ${what}`;
  return undefined;
}

/**
 * Says where and why a value does not fit a JSON Schema; undefined when it does. Nothing is compiled and patterns are
 * not checked, since the schema may come from anywhere and its expressions could run for ever. Unknown keywords are
 * not checked.
 */
export function misfit(root: JsonSchema | boolean, given: unknown): string | undefined {
  let steps = 0;

  function look(schema: unknown, value: unknown, path: string, depth: number): string | undefined {
    if (++steps > mostSteps || depth > deepest) return `${path}: too much to check`;
    if (schema === false) return `${path}: not allowed`;
    if (!isObject(schema)) return undefined;
    const at = (why: string | undefined) => why && `${path}: ${why}`;
    const inner = (one: unknown, item: unknown, key: string | number) =>
      look(one, item, path === 'input' ? String(key) : `${path}.${key}`, depth + 1);

    if (typeof schema['$ref'] === 'string') {
      const why = look(target(root, schema['$ref']), value, path, depth + 1);
      if (why) return why;
    }
    const kinds = typeof schema['type'] === 'string' ? [schema['type']] : list(schema['type']);
    const kind = typeOf(value);
    if (kinds.length && !kinds.includes(kind) && !(kind === 'integer' && kinds.includes('number')))
      return at(`should be ${kinds.join(' or ')}`);
    if ('const' in schema && !same(schema['const'], value)) return at('is not the one value that is allowed');
    if (Array.isArray(schema['enum']) && !schema['enum'].some((one) => same(one, value)))
      return at('is not one of the values that are allowed');

    if (typeof value === 'number')
      for (const [keyword, broken, word] of numberRules) {
        const limit = schema[keyword];
        if (typeof limit === 'number' && broken(value, limit)) return at(`should be ${word} ${limit}`);
      }
    if (typeof value === 'string') {
      const why = lengthTrouble(schema, [...value].length, 'Length', 'characters');
      if (why) return at(why);
    }
    if (Array.isArray(value)) {
      const why = lengthTrouble(schema, value.length, 'Items', 'items');
      if (why) return at(why);
      const first = list(schema['prefixItems']);
      for (const [index, item] of value.entries()) {
        const found = inner(first[index] ?? schema['items'], item, index);
        if (found) return found;
      }
    }
    if (isObject(value)) {
      for (const key of list(schema['required']))
        if (typeof key === 'string' && !Object.hasOwn(value, key)) return at(`${key} is missing`);
      const known = isObject(schema['properties']) ? schema['properties'] : {};
      const patterned = isObject(schema['patternProperties']);
      for (const [key, item] of Object.entries(value)) {
        const own = Object.hasOwn(known, key);
        if (!own && schema['additionalProperties'] === false && !patterned) return at(`${key} is not known`);
        const found = inner(own ? known[key] : schema['additionalProperties'], item, key);
        if (found) return found;
      }
    }

    for (const one of list(schema['allOf'])) {
      const why = look(one, value, path, depth + 1);
      if (why) return why;
    }
    const fits = (one: unknown) => look(one, value, path, depth + 1) === undefined;
    if (Array.isArray(schema['anyOf']) && !schema['anyOf'].some(fits)) return at('fits none of the forms allowed');
    if (Array.isArray(schema['oneOf']) && schema['oneOf'].filter(fits).length !== 1)
      return at('should fit exactly one of the forms allowed');
    if (schema['not'] !== undefined && fits(schema['not'])) return at('has a form that is not allowed');
    return undefined;
  }

  return look(root, given, 'input', 0);
}
