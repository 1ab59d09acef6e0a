import type { FormField, Values } from './form-types.ts';

type Box = Record<string, unknown>;
const isBox = (value: unknown): value is Box => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An entry of a list is named by its `type`, as in the paths of built-in tools. */
const entryAt = (list: readonly unknown[], name: string) =>
  list.find((entry) => isBox(entry) && entry['type'] === name) as Box | undefined;

/** The value at a field's path; undefined where nothing is. */
export function readAt(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const name of path)
    value = Array.isArray(value) ? entryAt(value, name) : isBox(value) ? (value[name] ?? undefined) : undefined;
  return value;
}

/** The same values with another one at a path. What is not on the path stays the same object. */
export function writeAt<V>(values: V, path: readonly string[], next: unknown): V {
  const [name, ...rest] = path;
  if (name === undefined) return next as V;
  if (Array.isArray(values)) {
    const entry = entryAt(values, name);
    if (!entry) return [...values, writeAt({ type: name }, rest, next)] as V;
    return values.map((old) => (old === entry ? writeAt(entry, rest, next) : old)) as V;
  }
  const box: Box = isBox(values) ? values : {};
  // A list of entries named by their type is begun by its first entry.
  const inner = box[name] ?? (name === 'base_tools' ? [] : undefined);
  return { ...box, [name]: writeAt(inner, rest, next) } as V;
}

/** The body of a request that sets these values and no others. */
export const bodyOf = (changes: Iterable<{ path: readonly string[]; value: unknown }>): Values => {
  let body: Values = {};
  for (const { path, value } of changes) body = writeAt(body, path, value);
  return body;
};

/** The texts of a rich text, which is sent and compared as a plain text. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((entry) => (isBox(entry) ? String(entry['text'] ?? '') : String(entry))).join('\n');
}

/** A value in the one form that is compared: rich texts as texts, choices with a label as their value. */
function comparable(field: Pick<FormField, 'control' | 'type'>, value: unknown): unknown {
  if (field.control === 'rich_text') return plainText(value);
  if (field.control === 'select' && isBox(value)) return value['value'];
  if (field.control === 'multi_select' && Array.isArray(value))
    return value.map((entry) => (isBox(entry) ? entry['value'] : entry));
  return value ?? null;
}

export function sameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, index) => sameJson(entry, other[index]));
  if (!isBox(one) || !isBox(other)) return false;
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => sameJson(one[name] ?? null, other[name] ?? null));
}

/** Whether two values of a field mean the same. */
export const sameValue = (field: Pick<FormField, 'control' | 'type'>, one: unknown, other: unknown): boolean =>
  sameJson(comparable(field, one), comparable(field, other));

/** The name of a field's place, unique in a form. */
export const placeOf = ({ path }: Pick<FormField, 'path'>): string => path.join('.');
