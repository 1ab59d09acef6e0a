import type * as z from 'zod';

/**
 * How the effect of a setting is verified: the title of the test that shows it, or why there is none. `layout`: a string
 * that settings screens use, stored and returned. `kept for clients`: stored and returned as it came.
 */
export type Evidence = 'layout' | 'kept for clients' | { test: string };

/** The form elements that settings are edited with. */
export const settingControls = [
  'switch',
  'number',
  'text',
  'long_text',
  /** Texts with an editor's structure; a plain string is accepted as well. */
  'rich_text',
  'select',
  'multi_select',
  /** Plain texts or numbers, one in a row. */
  'list',
  /** Objects with known fields, one in a row. */
  'entries',
  'model_list',
  'tool_list',
  /** One record of the workspace. */
  'reference',
  'reference_list',
  /** The grade of a guardrail and the context that it is given. */
  'guardrail',
  'json',
  /** Not edited by hand. */
  'none',
] as const;
export type SettingControl = (typeof settingControls)[number];

/** Holds when the effective value of `key`, or this field of it, is one of these. */
export interface Condition {
  key: string;
  field?: string;
  is: readonly (string | boolean)[];
}
/** The conditions under which a setting has an effect. */
export type ShownWhen = { all: readonly Condition[] } | { any: readonly Condition[] };

type Accepted = string | boolean;
const condition = (key: string, ...is: Accepted[]): Condition => ({ key, is });
/** The setting has an effect only while another one has one of these values. */
export const onlyIf = (key: string, ...is: Accepted[]): ShownWhen => ({ all: [condition(key, ...is)] });
/** The same for several settings at once, each with its one value. */
export const onlyIfAll = (values: Readonly<Record<string, Accepted | readonly Accepted[]>>): ShownWhen => ({
  all: Object.entries(values).map(([key, value]) => condition(key, ...[value].flat())),
});

/** The texts and the form of a setting. */
export interface SettingText {
  /** Short, sentence case. */
  label: string;
  /** One or two sentences: the effect, the unit, what an empty value means. */
  help: string;
  /** The heading that it stands under in its group. */
  section: string;
  /** Where the schema does not decide it. */
  control?: SettingControl;
  unit?: string;
  /** Labels of the options, where the values do not read well. */
  options?: Readonly<Record<string, string>>;
  shownWhen?: ShownWhen;
  evidence: Evidence;
}

/** One key of a settings object: what it accepts, its default, its effect. */
export interface SettingKey<T = unknown> extends SettingText {
  schema: z.ZodType<T>;
  fallback: T;
  /** The default as documents show it, where the fallback is only what is stored of it. */
  documented?: unknown;
  /** The value in answers, where it can't be derived from the schema. */
  answer?: z.ZodType;
}

/** The type comes from the schema alone, so that a default of another type is refused. */
export const key = <T>(definition: Omit<SettingKey<T>, 'fallback'> & { fallback: NoInfer<T> }): SettingKey<T> =>
  definition;

/** The values of a group of keys. */
export type ValuesOf<K extends Record<string, SettingKey>> = { [N in keyof K]: K[N]['fallback'] };

/** The fallback of every key. */
export const defaultsOf = <K extends Record<string, SettingKey>>(keys: K) =>
  Object.fromEntries(Object.entries(keys).map(([name, { fallback }]) => [name, fallback])) as ValuesOf<K>;

/** What the OpenAPI document says of a key besides its type. */
export const documentationOf = ({ help, fallback, documented = fallback }: SettingKey) => ({
  ...{ description: help, default: documented },
});

/** The schema of every key, with the key's help as its description, and its default. */
export const schemasOf = <K extends Record<string, SettingKey>>(keys: K) =>
  Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, key.schema.meta(documentationOf(key))])) as {
    [N in keyof K]: K[N]['schema'];
  };
