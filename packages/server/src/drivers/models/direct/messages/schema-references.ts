import { isObject, type JsonObject } from '../protocol.ts';

/** Their values are maps of schemas by name. */
const schemaMaps = new Set(['dependentSchemas', 'patternProperties', 'properties']);
/** Data, which may well have a key `$ref`; and definitions, which only references reach. */
const skipped = new Set(['const', 'default', 'enum', 'examples', '$defs', 'definitions']);

function referencesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(referencesIn);
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === '$ref') return typeof value === 'string' && value.startsWith('#') ? [value] : [];
    if (schemaMaps.has(key) && isObject(value)) return Object.values(value).flatMap(referencesIn);
    return skipped.has(key) ? [] : referencesIn(value);
  });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The part of a schema that a local reference points at. */
export function resolvePointer(schema: JsonObject, pointer: string): unknown {
  if (pointer === '#') return schema;
  const path = pointer.startsWith('#/') ? decode(pointer.slice(2)) : undefined;
  if (path === undefined) return undefined;
  let current: unknown = schema;
  for (const segment of path.split('/')) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(current)) current = current[Number(key)];
    else if (isObject(current)) current = current[key];
    else return undefined;
  }
  return current;
}

/** Whether a schema refers to itself, as the one of a tree does. */
export function hasCircularReference(schema: JsonObject): boolean {
  const visiting = new Set<string>();
  const done = new Set<string>();
  const visit = (pointer: string): boolean => {
    if (visiting.has(pointer)) return true;
    if (done.has(pointer)) return false;
    const target = resolvePointer(schema, pointer);
    if (target === undefined) return false;
    visiting.add(pointer);
    const circular = referencesIn(target).some(visit);
    visiting.delete(pointer);
    done.add(pointer);
    return circular;
  };
  return visit('#');
}
