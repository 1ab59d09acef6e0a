import { formTexts } from '../text/forms.ts';
import { placeOf } from './field-values.ts';
import type { FormField } from './form-types.ts';

/** One validation error of a request, as the server answers it. */
export interface Fault {
  loc: readonly string[];
  msg: string;
  type: string;
  ctx?: Readonly<Record<string, unknown>>;
}

const words = formTexts.faults;

/** A fault in words for the person who typed the value; the server's own where there are no better ones. */
export function sayFault({ type, msg, ctx = {} }: Fault, field: FormField): string {
  const { bounds, options } = field;
  const [min, max] = [bounds.min ?? bounds.above, bounds.max];
  const isRange = /^(?:less|greater)_than/.test(type);
  if (isRange && bounds.min !== undefined && max !== undefined) return words.between(bounds.min, max);
  if (isRange && bounds.above !== undefined && max !== undefined) return words.aboveUpTo(bounds.above, max);
  if (isRange && min !== undefined) return words.atLeast(Number(ctx['ge'] ?? ctx['gt'] ?? min));
  if (isRange && max !== undefined) return words.atMost(max);
  if (/^int_/.test(type)) return words.whole;
  if (/^float_|^decimal_/.test(type)) return words.number;
  if (type === 'missing' || (type === 'string_too_short' && bounds.min_length === 1)) return words.missing;
  if (type === 'string_too_long') return words.longest(Number(ctx['max_length'] ?? bounds.max_length));
  if (type === 'string_too_short') return words.shortest(Number(ctx['min_length'] ?? bounds.min_length));
  if (type === 'too_long') return words.most(Number(ctx['max_length'] ?? bounds.max_items));
  if (type === 'too_short') return words.least(Number(ctx['min_length'] ?? bounds.min_items));
  if (type === 'string_pattern_mismatch') return words.pattern;
  if (options && /^(?:literal|enum)/.test(type)) return words.oneOf(options.map(({ label }) => label));
  return words.other(msg);
}

export interface FieldFault {
  field: FormField;
  text: string;
  /** Where inside of the field's value it is. */
  path: readonly string[];
}

const startsWith = (loc: readonly string[], path: readonly string[]) =>
  path.every((name, index) => loc[index] === name);

/** The faults of a request by the field that they belong to, in the order of the form; and those of no field. */
export function placeFaults(faults: readonly Fault[], fields: readonly FormField[]) {
  const byPlace = new Map<string, FieldFault>();
  const others: string[] = [];
  for (const fault of faults) {
    const loc = fault.loc.slice(1);
    const fitting = fields.filter(({ path }) => startsWith(loc, path));
    const field = fitting.sort((one, other) => other.path.length - one.path.length)[0];
    if (!field) others.push(words.at(loc.join('.'), fault.msg));
    else if (!byPlace.has(placeOf(field)))
      byPlace.set(placeOf(field), { field, text: sayFault(fault, field), path: loc.slice(field.path.length) });
  }
  return { byPlace, others };
}
