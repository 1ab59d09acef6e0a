import * as z from 'zod';
import { unknownFunctions } from '../../expressions/evaluate.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { ExpressionError } from '../../expressions/tokens.ts';
import * as s from '../../schema/schema.ts';
import type { ReferenceKind } from '../../settings/entries.ts';

export const configTypes = [
  'int',
  'float',
  'bool',
  'dict',
  'str',
  'list',
  'Image',
  'Audio',
  'File',
  'Quote',
  'Custom',
  'Any',
  'GoogleSheet',
  'SourceType',
] as const;

type Tab = 'Configuration' | 'Safety' | 'Human' | 'Model';

/** How editors show a field. */
interface Look {
  description: string;
  label?: string;
  tab?: Tab;
  advanced?: boolean;
  tooltip?: string;
}

/**
 * One field of a node's config; its entry in the catalogue and its validation come from it. A field with a default is
 * optional. One without is required, unless `optional` is set; it is then undefined when it is left out.
 */
export interface ConfigField<T = unknown> {
  type: (typeof configTypes)[number];
  schema: z.ZodType<T>;
  look: Look;
  optional: boolean;
  fallback: T | undefined;
  /** The allowed values, if there is a fixed set. */
  options?: readonly string[];
  /**
   * `template`: ((Key)) and {{variable}} are filled in before the node runs. `expression`: checked on save. `variable`:
   * the name of a variable, which the run may then read.
   */
  text?: 'template' | 'expression' | 'variable';
  /** The field holds the id of such a record, or a list of ids; checked on save. */
  refers_to?: ReferenceKind;
  /** The field holds the id of a version of the workflow that the named field refers to; checked on save. */
  version_of?: string;
}

type Given<T> = Look & { default?: T; optional?: boolean };

type Bounds = { min?: number; max?: number };
type Hints = Pick<ConfigField, 'options' | 'text' | 'refers_to' | 'version_of'>;

/** An optional field without a default may be undefined. */
type Made<T, G> = G extends { optional: true } ? ConfigField<T | undefined> : ConfigField<T>;

function field<T, G extends Given<T> & Bounds>(
  type: ConfigField['type'],
  schema: z.ZodType<T>,
  given: G,
  hints?: Hints,
): Made<T, G>;
function field<T>(
  type: ConfigField['type'],
  schema: z.ZodType<T>,
  { default: fallback, optional, min: _, max: __, ...look }: Given<T> & Bounds,
  hints: Hints = {},
): ConfigField<T> {
  return { type, schema, look, fallback, optional: optional ?? fallback !== undefined, ...hints };
}

const longestText = 200_000;

function checkExpression(source: string): string | undefined {
  try {
    const [unknown] = unknownFunctions(parseExpression(source));
    return unknown === undefined ? undefined : `there is no function ${unknown}`;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

/** An expression that can be parsed and calls only existing functions. */
export const expressionText = s.str({ min: 1, max: 10_000 }).superRefine((source, context) => {
  const error = typeof source === 'string' ? checkExpression(source) : undefined;
  if (error) context.addIssue({ code: 'custom', params: { refusal: refusalOf(error) } });
});

const refusalOf = (error: string) => ({ type: 'value_error', msg: `Value error, ${error}`, ctx: { error } });

/** Builders for the fields of a node's config. */
export const c = {
  /** A short text that nothing is filled into. */
  text: <G extends Given<string> & { max?: number }>(given: G) =>
    field('str', s.str({ max: given.max ?? 2000 }), given),
  /** A text with ((Key)) and {{variable}}; the engine fills it before the node runs. */
  template: <G extends Given<string>>(given: G) =>
    field('str', s.str({ max: longestText }), given, { text: 'template' }),
  /** The name of a variable of the workspace; the node reads it by `context.render`. */
  variable: <G extends Given<string>>(given: G) =>
    field('str', s.str({ min: 1, max: 200 }), given, { text: 'variable' }),
  /** An expression; the node evaluates it by `context.evaluate`. */
  expression: <G extends Given<string>>(given: G) => field('str', expressionText, given, { text: 'expression' }),
  /** A long text that nothing is filled into: code, a schema. */
  raw: <G extends Given<string>>(given: G) => field('str', s.str({ max: longestText }), given),
  int: <G extends Given<number> & { min: number; max: number }>(given: G) =>
    field('int', s.int({ ge: given.min, le: given.max }), given),
  number: <G extends Given<number> & { min: number; max: number }>(given: G) =>
    field('float', s.number({ ge: given.min, le: given.max }), given),
  bool: <G extends Given<boolean>>(given: G) => field('bool', s.bool(), given),
  choice: <const O extends string, G extends Given<O>>(options: readonly O[], given: G) =>
    field('str', s.oneOf(options), given, { options }),
  list: <T, G extends Given<T[]> & { min?: number; max?: number }>(item: z.ZodType<T>, given: G) =>
    field('list', s.list(item, { min: given.min ?? 0, max: given.max ?? 1000 }), given),
  dict: <G extends Given<Record<string, unknown>>>(given: G) => field('dict', s.dict(), given),
  any: <G extends Given<unknown>>(given: G) => field('Any', z.unknown(), given),
  /** The id of a record of the workspace. */
  reference: <G extends Given<string>>(kind: ReferenceKind, given: G) =>
    field('str', s.str({ min: 1, max: 100 }), given, { refers_to: kind }),
  /** The id of a version of the workflow that another field names. */
  version: <G extends Given<string>>(of: string, given: G) =>
    field('str', s.str({ min: 1, max: 100 }), given, { version_of: of }),
  /** Ids of records of the workspace. */
  references: <G extends Given<string[]>>(kind: ReferenceKind, given: G) =>
    field('list', s.list(s.str({ min: 1, max: 100 }), { max: 100 }), given, {
      refers_to: kind,
    }),
};

// biome-ignore lint/suspicious/noExplicitAny: a field of anything; unknown would not take one of something narrower
export type ConfigFields = Record<string, ConfigField<any>>;
export type ConfigOf<F extends ConfigFields> = { [K in keyof F]: F[K] extends ConfigField<infer T> ? T : never };
