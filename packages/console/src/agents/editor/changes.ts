import { placeOf, plainText, readAt, sameValue } from '../../forms/field-values.ts';
import type { Form, FormField, Values } from '../../forms/form-types.ts';

/** Something that differs between two versions: a setting, or a built-in tool with all that changed in it. */
export interface Difference {
  key: string;
  label: string;
  /** The group of the editor that it stands in. */
  field: FormField;
  parts: { field: FormField; before: unknown; after: unknown }[];
}

/** What differs between two sets of values, in the order of the form. Tools count once each, whatever changed in them. */
export function listDifferences(form: Form, tools: Form, before: Values, after: Values): Difference[] {
  const differing = (fields: readonly FormField[]) =>
    fields
      .map((field) => ({ field, before: readAt(before, field.path), after: readAt(after, field.path) }))
      .filter(({ field, before: old, after: next }) => !sameValue(field, old, next));
  return form.fields.flatMap((field): Difference[] => {
    if (field.key === 'base_tools')
      return tools.variants.flatMap(({ variant, label }) => {
        const parts = differing(tools.fields.filter((each) => each.variant === variant));
        return parts.length ? [{ key: `base_tools.${variant}`, label, field, parts }] : [];
      });
    const parts = differing([field]);
    return parts.length ? [{ key: placeOf(field), label: field.label, field, parts }] : [];
  });
}

const textControls: readonly FormField['control'][] = ['rich_text', 'long_text', 'template', 'text'];

/** Texts are compared word by word, lists and objects as their JSON, everything else by value. */
export function comparedAs(field: FormField, ...values: unknown[]): 'text' | 'json' | 'value' {
  if (textControls.includes(field.control)) return 'text';
  if (field.options) return 'value';
  return values.some((value) => typeof value === 'object' && value !== null) ? 'json' : 'value';
}

export const textOf = (field: FormField, value: unknown): string =>
  field.control === 'rich_text' || typeof value === 'string'
    ? plainText(value)
    : value === null || value === undefined
      ? ''
      : JSON.stringify(value, null, 2);
