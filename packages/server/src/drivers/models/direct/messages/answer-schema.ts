import { isObject, type JsonObject } from '../protocol.ts';
import { hasCircularReference, resolvePointer } from './schema-references.ts';

/** More optional properties than these make the provider's grammar too large. */
const max_optional = 10;

const children = ['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'then'];
const childLists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const childMaps = ['dependentSchemas', 'patternProperties', 'properties'];

interface Counts {
  optional: number;
  /** An object with keys of any name, which the provider would close. */
  has_open_object: boolean;
}

function isOpenObject({ additionalProperties, patternProperties, properties, type }: JsonObject): boolean {
  if (additionalProperties === true || isObject(additionalProperties)) return true;
  if (isObject(patternProperties) && Object.keys(patternProperties).length > 0) return true;
  const isObjectType = type === 'object' || (Array.isArray(type) && type.includes('object'));
  return isObjectType && (properties === undefined || properties === null) && additionalProperties !== false;
}

const childrenOf = (node: JsonObject): unknown[] => [
  ...children.flatMap((key) => node[key]),
  ...childLists.flatMap((key) => (Array.isArray(node[key]) ? node[key] : [])),
  ...childMaps.flatMap((key) => (isObject(node[key]) ? Object.values(node[key]) : [])),
];

function countsOf(node: unknown, root: JsonObject, known: Map<string, Counts>): Counts {
  if (!isObject(node)) return { optional: 0, has_open_object: false };
  const parts = childrenOf(node).map((child) => countsOf(child, root, known));
  const { $ref: reference, properties, required } = node;
  if (typeof reference === 'string' && reference.startsWith('#')) {
    const target = known.get(reference) ?? countsOf(resolvePointer(root, reference), root, known);
    known.set(reference, target);
    parts.push(target);
  }
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const own = isObject(properties) ? Object.keys(properties).filter((name) => !needed.has(name)).length : 0;
  return {
    optional: parts.reduce((sum, { optional }) => sum + optional, own),
    has_open_object: isOpenObject(node) || parts.some(({ has_open_object }) => has_open_object),
  };
}

/** Whether the provider can hold an answer to a schema without refusing it or losing data. */
export function canFollowSchema(schema: JsonObject): boolean {
  if (hasCircularReference(schema)) return false;
  const { optional, has_open_object } = countsOf(schema, schema, new Map());
  return !has_open_object && optional <= max_optional;
}
