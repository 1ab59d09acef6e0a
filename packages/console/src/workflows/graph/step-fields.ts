import type { FormField } from '../../forms/form-types.ts';
import type { StepType } from './graph-types.ts';

interface Shown {
  advanced?: boolean;
  display?: { type?: string; label?: string; options?: readonly string[]; refers_to?: string };
}

/** Lists of plain texts; other lists have entries of their own shape and are edited as JSON. */
const textLists = new Set(['anonymize', 'categories']);
const longTexts = new Set(['code', 'body', 'url']);
/** A person picks a record by its name: "Agent", not "Agent id". */
const labelOf = (key: string, { display }: Shown) => {
  const label = display?.label ?? key;
  return display?.type === 'reference' ? label.replace(/ id$/, '') : label;
};
const say = (option: string) => option.charAt(0).toUpperCase() + option.slice(1).replaceAll('_', ' ');

function controlOf(key: string, type: string, { display }: Shown): Pick<FormField, 'control' | 'type'> {
  const shown = display?.type;
  if (shown === 'select') return { control: 'select', type: 'string' };
  if (shown === 'reference') return { control: 'reference', type: 'string' };
  if (shown === 'template' || shown === 'expression' || longTexts.has(key))
    return { control: 'long_text', type: 'string' };
  if (shown === 'variable') return { control: 'variable', type: 'string' };
  if (type === 'bool') return { control: 'switch', type: 'boolean' };
  if (type === 'int') return { control: 'number', type: 'integer' };
  if (type === 'float') return { control: 'number', type: 'number' };
  if (key === 'model') return { control: 'model_list', type: 'list' };
  if (type === 'list') return { control: textLists.has(key) ? 'list' : 'json', type: 'list' };
  if (type === 'str') return { control: 'text', type: 'string' };
  return { control: 'json', type: 'object' };
}

/** How the text of a field is read: as a template, an expression or plainly. */
export const textKindOf = (type: StepType, key: string): string | undefined =>
  (type.config[key] as Shown).display?.type;

/** The fields of a kind of step as a form has them. */
export function stepFields(type: StepType): FormField[] {
  return Object.entries(type.config).map(([key, definition], index): FormField => {
    const shown = definition as typeof definition & Shown;
    const { display, advanced = false } = shown;
    return {
      ...{ key, variant: null, path: [key], group: '', section: '', order: index + 1 },
      ...{ label: labelOf(key, shown), help: definition.description ?? '', unit: null },
      ...{ required: !definition.optional, default: definition.default, write_only: false, bounds: {} },
      ...controlOf(key, definition.type, shown),
      options: display?.options?.map((value) => ({ value, label: say(value) })) ?? null,
      items: definition.type === 'list' && textLists.has(key) ? { type: 'string', bounds: {} } : null,
      ...{ fields: null, references: (display?.refers_to ?? null) as FormField['references'], shown_when: null },
      ...{ advanced, lock: null, layers: [], class: null, stricter: null, permission: [], reference_permission: null },
      pending: false,
    };
  });
}
