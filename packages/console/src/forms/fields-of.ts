import type { Form, FormField } from './form-types.ts';

/** The fields of one variant of a record, and those that every variant has. */
export const fieldsOf = (form: Form, variant: string, without: readonly string[] = []): FormField[] =>
  form.fields.filter((field) => (field.variant ?? variant) === variant && !without.includes(field.key));
