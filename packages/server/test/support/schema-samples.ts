import { type JsonSchema, jsonSchemaOf } from '@atrium/contract/schema/json-schema.ts';
import type { z } from 'zod';

/** An own id of a kind, for a sample that has to refer to something. */
export type IdOf = (kind: string) => string;

export interface Step {
  at: string | 0;
  of: JsonSchema;
  /** The example shows another choice of this union, or none: begin with the least the schema takes. */
  fresh: boolean;
}

export interface Reference {
  kind: string;
  path: Step[];
}

const entries = (node: unknown) => Object.entries((node ?? {}) as Record<string, JsonSchema>);

/** A schema as JSON Schema without `$ref`: a definition that contains itself is cut off at its second turn. */
export function plainSchema(schema: z.ZodType | undefined): JsonSchema {
  const root = schema ? jsonSchemaOf(schema, 'input') : {};
  const definitions: Record<string, JsonSchema> = {};
  const lift = (node: unknown, above: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((item) => lift(item, above));
    if (typeof node !== 'object' || node === null) return node;
    const { $defs, $ref, ...rest } = node as JsonSchema & { $ref?: string };
    Object.assign(definitions, $defs);
    if ($ref === undefined) return Object.fromEntries(entries(rest).map(([key, value]) => [key, lift(value, above)]));
    const name = $ref.replace('#/$defs/', '');
    return above.includes(name) ? {} : lift(definitions[name], [...above, name]);
  };
  return lift(root, []) as JsonSchema;
}

/** Every place in a schema that holds the id of something. */
export function referencesIn(node: JsonSchema, path: Step[] = [], fresh = false): Reference[] {
  const kind = node['x-refers-to'];
  const into = (below: unknown, at: Step['at']) =>
    typeof below === 'object' ? referencesIn(below as JsonSchema, [...path, { at, of: node, fresh }]) : [];
  return [
    ...(typeof kind === 'string' ? [{ kind, path }] : []),
    ...entries(node['properties']).flatMap(([name, below]) => into(below, name)),
    ...into(node['items'], 0),
    ...into(node['additionalProperties'], 'any'),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((word) =>
      entries(node[word]).flatMap(([, branch]) => referencesIn(branch, path, true)),
    ),
  ];
}

/** The least a schema takes. */
export function sampleOf(node: JsonSchema, idOf: IdOf): unknown {
  if (typeof node['x-refers-to'] === 'string') return idOf(node['x-refers-to']);
  if ('default' in node) return node['default'];
  if (Array.isArray(node['examples'])) return node['examples'][0];
  if ('const' in node) return node['const'];
  if (Array.isArray(node['enum'])) return node['enum'][0];
  const choice = (node['anyOf'] ?? node['oneOf']) as JsonSchema[] | undefined;
  if (choice) return sampleOf(choice[0] as JsonSchema, idOf);
  if (node['type'] === 'object') {
    const required = (node['required'] ?? []) as string[];
    const properties = node['properties'] as Record<string, JsonSchema>;
    return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] as JsonSchema, idOf)]));
  }
  if (node['type'] === 'array') return [];
  if (node['type'] === 'boolean') return false;
  if (node['type'] === 'integer' || node['type'] === 'number') return node['minimum'] ?? 1;
  if (node['format'] === 'uuid') return '018f0000-0000-7000-8000-000000000000';
  if (node['format'] === 'date-time') return '2099-01-01T00:00:00Z';
  return 'x'.repeat((node['minLength'] as number | undefined) ?? 1);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Copies a value and sets an id at the path of a reference, creating missing parents. */
export function withId(value: unknown, path: readonly Step[], id: string, idOf: IdOf): unknown {
  const [step, ...rest] = path;
  if (!step) return id;
  if (step.at === 0) return [withId(Array.isArray(value) && !step.fresh ? value[0] : undefined, rest, id, idOf)];
  const base = isObject(value) && !step.fresh ? value : (sampleOf(step.of, idOf) as Record<string, unknown>);
  return { ...base, [step.at]: withId(base[step.at], rest, id, idOf) };
}

/** An example with the ids in it replaced by own ones: those in the reference are made up. */
export function withOwnIds(node: JsonSchema, value: unknown, idOf: IdOf): unknown {
  if (typeof node['x-refers-to'] === 'string' && typeof value === 'string') return idOf(node['x-refers-to']);
  let out = value;
  for (const branch of ['anyOf', 'oneOf', 'allOf'].flatMap((word) => entries(node[word]).map(([, branch]) => branch)))
    out = withOwnIds(branch, out, idOf);
  if (Array.isArray(out)) return out.map((item) => withOwnIds((node['items'] ?? {}) as JsonSchema, item, idOf));
  if (!isObject(out)) return out;
  const properties = (node['properties'] ?? {}) as Record<string, JsonSchema>;
  return Object.fromEntries(
    Object.entries(out).map(([key, item]) => [key, withOwnIds(properties[key] ?? {}, item, idOf)]),
  );
}
