import type * as z from 'zod';
import { valueUnder } from '../keys-of.ts';
import { scalarJson } from './scalar.ts';

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

interface Def {
  type: string;
  in?: Schema;
  out?: Schema;
  innerType?: Schema;
  shape?: Record<PropertyKey, Schema>;
  element?: Schema;
  valueType?: Schema;
  options?: readonly Schema[];
  discriminator?: string;
  getter?: () => Schema;
}
const defOf = (schema: Schema): Def => schema._zod.def;

/** The schema behind defaults, optionals and coercions. */
function bare(schema: Schema | undefined): Schema | undefined {
  if (!schema) return undefined;
  const def = defOf(schema);
  if (def.type === 'pipe') return bare(def.in && defOf(def.in).type === 'transform' ? def.out : def.in);
  if (def.type === 'lazy') return bare(def.getter?.());
  return def.innerType ? bare(def.innerType) : schema;
}

/** The option of a tagged union that a value asks for; undefined when the schema is no such union or the tag is none. */
function taken(schema: Schema | undefined, value: unknown): { tag: string; option: Schema } | undefined {
  const { discriminator, options }: Partial<Def> = schema ? defOf(schema) : {};
  if (discriminator === undefined || typeof value !== 'object' || value === null) return undefined;
  const tag = valueUnder(value, discriminator) as z.core.util.Primitive;
  const option = options?.find((candidate) => candidate._zod.propValues?.[discriminator]?.has(tag));
  return option && { tag: String(tag), option };
}

/** A path as `loc` shows it, each tagged union's tag after the place of the union, and the schema at its end. */
export function follow(root: Schema | undefined, raw: unknown, path: Path): { loc: string[]; schema?: Schema } {
  const loc: string[] = [];
  let schema = bare(root);
  let value = raw;
  for (const key of path) {
    for (let branch = taken(schema, value); branch; branch = taken(schema, value)) {
      loc.push(branch.tag);
      schema = bare(branch.option);
    }
    loc.push(String(key));
    const { shape, element, valueType }: Partial<Def> = schema ? defOf(schema) : {};
    schema = bare(shape && Object.hasOwn(shape, key) ? shape[key] : (element ?? valueType));
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? valueUnder(value, key) : undefined;
  }
  return schema ? { loc, schema } : { loc };
}

const names: Record<string, string> = { string: 'str', integer: 'int', int: 'int', number: 'float', boolean: 'bool' };

/** What Pydantic calls a branch of a plain union. */
function nameOf(schema: Schema | undefined): string {
  const inner = bare(schema);
  if (!inner) return 'any';
  const id = (inner as z.ZodType).meta?.()?.id;
  if (id !== undefined) return id;
  const { type, element } = defOf(inner);
  if (type === 'array') return `list[${nameOf(element)}]`;
  if (type === 'record') return 'dict[str,any]';
  const { type: own = type, format, enum: values } = scalarJson(inner) ?? {};
  if (Array.isArray(values)) return `literal[${values.map((value) => `'${value}'`).join(',')}]`;
  if (format === 'uuid') return 'uuid';
  return format === 'date-time' ? 'datetime' : (names[String(own)] ?? String(own));
}

/** The name and schema of one branch of a plain union; null says nothing of its own, as in `X | None`. */
export function branchAt(schema: Schema | undefined, index: number): { name: string[]; schema?: Schema } {
  const option = schema && defOf(schema).options?.[index];
  if (!option) return { name: [] };
  return { name: defOf(option).type === 'null' ? [] : [nameOf(option)], schema: option };
}
