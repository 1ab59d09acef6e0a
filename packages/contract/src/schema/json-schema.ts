import * as z from 'zod';
import { type JsonSchema, scalarJson } from './scalar.ts';

export type { JsonSchema };

interface Def {
  type: string;
  out?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
  defaultValue?: unknown;
}
const defOf = (schema: z.core.$ZodType): Def => schema._zod.def;

/** Whether a key of this schema may be left out of a request. Our scalars read laxly, which zod takes for optional. */
function mayBeAbsent(schema: z.core.$ZodType): boolean {
  const def = defOf(schema);
  if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault') return true;
  if (def.type === 'pipe' && def.out) return mayBeAbsent(def.out);
  return def.type === 'nullable' && def.innerType ? mayBeAbsent(def.innerType) : false;
}

function mend(zodSchema: z.core.$ZodType, json: JsonSchema, io: 'input' | 'output'): void {
  const own = scalarJson(zodSchema);
  if (own) Object.assign(json, own);
  const def = defOf(zodSchema);
  // Of settings, whose schemas fill nothing in.
  const documented = z.globalRegistry.get(zodSchema as z.ZodType)?.['default'];
  if (documented !== undefined && json['default'] === undefined) json['default'] = documented;
  // Zod leaves the default out of the input form when the schema behind it transforms; ours say it is the same value.
  if (def.type === 'default' && json['default'] === undefined) json['default'] = def.defaultValue;
  if (def.type === 'object' && def.shape && io === 'input') {
    const fields = Object.entries(def.shape);
    const required = fields.filter(([, field]) => !mayBeAbsent(field)).map(([name]) => name);
    if (required.length) json['required'] = required;
    else delete json['required'];
  }
}

/** Gives a schema a JSON Schema of its own, made when it is first read: a start reads none. */
export function describeAs(schema: z.ZodType, make: () => JsonSchema): void {
  let json: JsonSchema | undefined;
  Object.defineProperty(schema._zod.def, 'json', {
    ...{ enumerable: true, configurable: true },
    get() {
      json ??= make();
      return json;
    },
  });
}

const knownInputs = new WeakMap<z.ZodType, JsonSchema>();

/** The input form of a schema, cached; callers must not change it. */
export function inputSchemaOf(schema: z.ZodType): JsonSchema {
  const known = knownInputs.get(schema) ?? jsonSchemaOf(schema, 'input');
  knownInputs.set(schema, known);
  return known;
}

/** The JSON Schema of one schema: `input` for what callers send, `output` for what they get. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => mend(zodSchema, jsonSchema, io),
  });
  return json;
}
