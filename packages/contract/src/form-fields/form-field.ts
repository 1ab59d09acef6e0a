import type * as z from 'zod';
import { type JsonSchema, jsonSchemaOf } from '../schema/json-schema.ts';
import type { ReferenceKind } from '../settings/entries.ts';
import { type SettingControl, type ShownWhen, settingControls } from '../settings/key.ts';
import {
  boundsOf,
  controlFor,
  itemsOf,
  labelFromName,
  objectIn,
  propertiesOf,
  type SettingBounds,
  type SettingOption,
} from '../settings/setting-fields.ts';
import { approverFields } from '../settings/tools/entry-approvers.ts';

/** The form elements of all kinds of fields; those of settings, and some that only other records have. */
export const formControls = [
  ...settingControls,
  /** Written and never shown again. */
  'secret',
  /** An object with known fields. */
  'group',
  /** Texts by name. */
  'key_value',
  'cron',
  'time_zone',
  /** `#rrggbb` */
  'color',
  /** A text that values are filled into. */
  'template',
  'expression',
  /** The name of a variable of the workspace. */
  'variable',
] as const;
export type FormControl = (typeof formControls)[number];

export const valueTypes = ['boolean', 'integer', 'number', 'string', 'list', 'object', 'any'] as const;
export type ValueType = (typeof valueTypes)[number];

/** What a value has to keep to. A bound that is not there does not exist. */
export interface FormBounds {
  min?: number;
  above?: number;
  max?: number;
  min_length?: number;
  max_length?: number;
  pattern?: string;
  min_items?: number;
  max_items?: number;
}

/** What a form needs to know of a value, whatever it belongs to. */
export interface ValueForm {
  control: FormControl;
  type: ValueType;
  write_only: boolean;
  bounds: FormBounds;
  options: SettingOption[] | null;
  /** Of a list of plain values: what each has to be. */
  items: { type: ValueType; bounds: FormBounds } | null;
  /** The known fields of an object, or of each entry of a list. */
  fields: NestedField[] | null;
}

export interface NestedField extends Omit<ValueForm, 'fields'> {
  key: string;
  label: string;
  help: string;
  required: boolean;
  default: unknown;
  /** The kind of record that its ids name; null: none. */
  references: FieldReference | null;
}

/** The words of a field, and what its schema does not say of its form. */
export interface FieldText {
  label: string;
  help: string;
  control?: FormControl;
  unit?: string;
  options?: Readonly<Record<string, string>>;
  references?: FieldReference;
  shown_when?: ShownWhen;
  advanced?: true;
}

/** The kinds of records that a field can name. */
export type FieldReference = ReferenceKind | 'vault_credential' | 'agent_version' | 'workflow_version';

const types: Record<string, ValueType> = {
  ...{ boolean: 'boolean', integer: 'integer', number: 'number', string: 'string', array: 'list', object: 'object' },
};
const typeOf = (json: JsonSchema): ValueType =>
  (Array.isArray(json['enum']) && 'string') || (types[String(objectIn(json)['type'])] ?? 'any');

const plainTypes: readonly ValueType[] = ['string', 'integer', 'number'];

function formBounds({ minLength, maxLength, minItems, maxItems, min, above, max, pattern }: SettingBounds): FormBounds {
  const all = { min, above, max, pattern };
  const renamed = { min_length: minLength, max_length: maxLength, min_items: minItems, max_items: maxItems };
  return Object.fromEntries(Object.entries({ ...all, ...renamed }).filter(([, value]) => value !== undefined));
}

function describeValue(
  json: JsonSchema,
  labels?: Readonly<Record<string, string>>,
): Omit<ValueForm, 'control' | 'fields'> {
  const bounds = boundsOf(json, labels);
  const type = typeOf(json);
  const item = itemsOf(json);
  const isPlain = type === 'list' && plainTypes.includes(typeOf(item)) && !bounds.options;
  return {
    type,
    write_only: json['writeOnly'] === true,
    bounds: formBounds(bounds),
    options: bounds.options ?? null,
    items: isPlain ? { type: typeOf(item), bounds: formBounds(boundsOf(item)) } : null,
  };
}

function pickControl(json: JsonSchema, given?: FormControl): FormControl {
  if (json['writeOnly'] === true) return 'secret';
  const control: FormControl = given ?? controlFor(json);
  if (control !== 'json') return control;
  if (Object.keys(propertiesOf(json)).length) return 'group';
  const values = json['additionalProperties'] as JsonSchema | undefined;
  return json['type'] === 'object' && values?.['type'] === 'string' ? 'key_value' : 'json';
}

/** Entries of lists of references may be an id alone; the fields are those of the longer form. */
function nestedFieldsOf(json: JsonSchema): NestedField[] | null {
  const object = objectIn(typeOf(json) === 'list' ? itemsOf(json) : json);
  const properties = Object.entries(propertiesOf(object));
  if (properties.length === 0) return null;
  const required = (object['required'] ?? []) as string[];
  return properties.map(([key, field]) => ({
    key,
    label: labelFromName(key),
    help: String(field['description'] ?? ''),
    required: required.includes(key),
    default: field['default'] ?? null,
    references: approverFields[key as keyof typeof approverFields] ?? null,
    control: pickControl(field, key in approverFields ? 'reference_list' : undefined),
    ...describeValue(field),
  }));
}

const withFields: readonly FormControl[] = ['entries', 'reference_list', 'group', 'guardrail'];

/** The form of a value, from its schema and what the text overrides. */
export function valueForm(
  schema: z.ZodType,
  { control, options }: { control?: FormControl | SettingControl | undefined; options?: FieldText['options'] } = {},
): ValueForm {
  const json = jsonSchemaOf(schema, 'input');
  // The structure of rich text is the editor's; what a form edits is its text.
  const isText = control === 'rich_text';
  const chosen = pickControl(json, control);
  return {
    control: chosen,
    ...describeValue(isText ? { type: 'array' } : json, options),
    fields: withFields.includes(chosen) ? nestedFieldsOf(json) : null,
  };
}
