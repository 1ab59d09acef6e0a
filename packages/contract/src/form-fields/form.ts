import type { Permission } from '../permissions.ts';
import type { ShownWhen } from '../settings/key.ts';
import type { SettingLayer } from '../settings/layers.ts';
import type { LockName } from '../settings/locks.ts';
import type { SettingClass } from '../settings/setting-class.ts';
import type { FieldReference, FieldText, ValueForm } from './form-field.ts';

export const fieldKinds = [
  'agents',
  'base-tools',
  'knowledge-bases',
  'channels',
  'providers',
  'triggers',
  'variables',
  'nodes',
] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** The places that can give a field its value; records other than agents and knowledge bases have themselves alone. */
export type FieldLayer = SettingLayer | 'knowledge_base' | 'evaluation' | 'record';

/** One field of a form, as the API answers it. */
export interface FormField extends ValueForm {
  key: string;
  /** The kind of record that has the field, such as a channel. Null: all have it. */
  variant: string | null;
  /** Where the value stands in the body of a request. */
  path: string[];
  group: string;
  section: string;
  order: number;
  label: string;
  help: string;
  unit: string | null;
  required: boolean;
  default: unknown;
  references: FieldReference | null;
  shown_when: ShownWhen | null;
  advanced: boolean;
  lock: LockName | null;
  layers: FieldLayer[];
  class: SettingClass | null;
  stricter: string | null;
  permission: Permission[];
  reference_permission: Permission | null;
  pending: boolean;
}

export interface Form {
  kind: FieldKind;
  label: string;
  create: string[];
  update: string | null;
  /** The path of the field whose value is the variant. */
  variant_path: string[] | null;
  variants: { variant: string; label: string; help: string }[];
  groups: { group: string; label: string; sections: string[] }[];
  fields: FormField[];
}

type Given = Pick<FormField, 'key' | 'path' | 'group' | 'section' | 'permission'> & Partial<FormField>;

/** A field with the parts that most fields do not have; `order` is set by `orderFields`. */
export const fieldFrom = (
  form: ValueForm,
  { label, help, unit, references, shown_when, advanced }: FieldText,
  given: Given,
): FormField => ({
  // Named first, so that answers begin with the key.
  ...given,
  ...form,
  ...{ variant: null, order: 0, label, help, unit: unit ?? null, required: false, default: null },
  ...{ references: references ?? null, shown_when: shown_when ?? null, advanced: advanced ?? false },
  ...{ lock: null, layers: ['record'], class: null, stricter: null, reference_permission: null, pending: false },
  ...given,
});

/** Numbers the fields in their order. */
export const orderFields = (fields: readonly FormField[]): FormField[] =>
  fields.map((field, index) => ({ ...field, order: index + 1 }));

/** The sections of each group, in the order of their first field. */
export const groupsOf = (fields: readonly FormField[], labels: Readonly<Record<string, string>>): Form['groups'] =>
  Object.entries(labels).map(([group, label]) => ({
    ...{ group, label },
    sections: [...new Set(fields.filter((field) => field.group === group).map(({ section }) => section))],
  }));
