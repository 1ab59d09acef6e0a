import type { FormAnswer } from '@atrium/contract/form-fields/schema.ts';

/** What the server says of a kind of record's form. */
export type Form = FormAnswer;
export type FormField = FormAnswer['fields'][number];
export type NestedField = NonNullable<FormField['fields']>[number];
/** What a control needs to know: a field of a form, or one inside of an object. */
export type ValueField = Omit<NestedField, 'references'> & {
  fields?: NestedField[] | null;
  unit?: string | null;
  references?: Reference;
};
export type Reference = FormField['references'];
export type ShownWhen = NonNullable<FormField['shown_when']>;

/** A record as its operations take it: fields, and objects of fields. */
export type Values = Readonly<Record<string, unknown>>;
