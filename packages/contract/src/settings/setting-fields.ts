import { type JsonSchema, jsonSchemaOf } from '../schema/json-schema.ts';
import type { SettingControl, SettingKey } from './key.ts';

export interface SettingOption {
  value: string;
  label: string;
}

/** What a value has to keep to. A bound that is not there does not exist. */
export interface SettingBounds {
  min?: number;
  /** The value has to be greater than this. */
  above?: number;
  max?: number;
  /** Whole numbers only. */
  integer?: true;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  options?: SettingOption[];
  /** The bounds of each item of a list. */
  items?: SettingBounds;
}

/** One field of an entry of a list. */
export interface EntryField {
  key: string;
  label: string;
  help: string;
  control: SettingControl;
  required: boolean;
  bounds: SettingBounds;
}

/** IBAN_CODE → Iban code, post_stream → Post stream */
export const labelFromName = (name: string) =>
  name.charAt(0).toUpperCase() + name.slice(1).toLowerCase().replaceAll('_', ' ');

const numberBounds: readonly [keyof SettingBounds, string][] = [
  ['min', 'minimum'],
  ['above', 'exclusiveMinimum'],
  ['max', 'maximum'],
  ['minLength', 'minLength'],
  ['maxLength', 'maxLength'],
  ['minItems', 'minItems'],
  ['maxItems', 'maxItems'],
];

/** The part of a schema that describes a settings value itself, past the short forms that are accepted besides. */
export const objectIn = ({ anyOf, ...rest }: JsonSchema): JsonSchema =>
  (Array.isArray(anyOf) && (anyOf as JsonSchema[]).find(({ type }) => type !== 'string')) || rest;

export const propertiesOf = (json: JsonSchema) => (json['properties'] ?? {}) as Record<string, JsonSchema>;
export const itemsOf = (json: JsonSchema) => (json['items'] ?? {}) as JsonSchema;

/** The closed set of values: of the value itself, of its field `value`, or of each item of a list. */
function enumIn(json: JsonSchema): string[] | undefined {
  if (Array.isArray(json['enum'])) return json['enum'] as string[];
  const { value } = propertiesOf(json);
  if (value) return enumIn(value);
  return json['type'] === 'array' ? enumIn(itemsOf(json)) : undefined;
}

export function boundsOf(json: JsonSchema, labels: Readonly<Record<string, string>> = {}): SettingBounds {
  const bounds: SettingBounds = {};
  for (const [name, keyword] of numberBounds)
    if (typeof json[keyword] === 'number') Object.assign(bounds, { [name]: json[keyword] });
  if (json['type'] === 'integer') bounds.integer = true;
  if (typeof json['pattern'] === 'string') bounds.pattern = json['pattern'];
  const options = enumIn(json)?.map((value) => ({ value, label: labels[value] ?? labelFromName(value) }));
  if (options) bounds.options = options;
  const isPlainList =
    json['type'] === 'array' && ['string', 'integer', 'number'].includes(String(itemsOf(json)['type']));
  const items = isPlainList && !options ? boundsOf(itemsOf(json)) : {};
  if (Object.keys(items).length) bounds.items = items;
  return bounds;
}

/** The form element that fits a schema. */
export function controlFor(json: JsonSchema): SettingControl {
  if (Array.isArray(json['enum'])) return 'select';
  if (json['type'] === 'boolean') return 'switch';
  if (json['type'] === 'integer' || json['type'] === 'number') return 'number';
  if (json['type'] === 'string') return 'text';
  if (json['type'] !== 'array') return 'json';
  const { type, properties } = itemsOf(json);
  if (properties) return 'entries';
  return type === 'string' || type === 'integer' || type === 'number' ? 'list' : 'json';
}

/** The known fields of each entry of a list of objects; undefined for any other value. */
function entryFieldsOf(json: JsonSchema): EntryField[] | undefined {
  const entry = objectIn(itemsOf(json));
  if (json['type'] !== 'array' || entry['properties'] === undefined) return undefined;
  const required = (entry['required'] ?? []) as string[];
  return Object.entries(propertiesOf(entry)).map(([key, field]) => ({
    key,
    label: labelFromName(key),
    help: String(field['description'] ?? ''),
    control: controlFor(field),
    required: required.includes(key),
    bounds: boundsOf(field),
  }));
}

/** What a form needs to know of a setting's value, from its schema and the overrides of its key. */
export function fieldOf({ schema, control, options, unit }: SettingKey): {
  control: SettingControl;
  unit: string | null;
  bounds: SettingBounds;
  fields: EntryField[] | null;
} {
  const json = jsonSchemaOf(schema, 'input');
  const value = control === 'rich_text' ? {} : json;
  const chosen = control ?? controlFor(value);
  const hasEntries = chosen === 'entries' || chosen === 'reference_list';
  return {
    control: chosen,
    unit: unit ?? null,
    bounds: boundsOf(value, options),
    fields: (hasEntries && entryFieldsOf(value)) || null,
  };
}
