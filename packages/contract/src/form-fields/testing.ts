import type { FormField } from './form.ts';
import type { FormBounds, ValueType } from './form-field.ts';

/** Texts of which one fits most patterns, and one fits few. */
const fitting = ['x', 'https://example.com', 'a@example.com', '#12ab34', 'api.example.com'];
const misfits = ['', ' ', '\\', 'a b\n(', '://'];

const wrongTypes: Record<ValueType, unknown[]> = {
  ...{ boolean: ['maybe'], integer: ['x', 0.5], number: ['x'], string: [{}], list: [5], object: [5], any: [] },
};

interface Values {
  accepted: unknown[];
  refused: unknown[];
}

function textsAround({ pattern, min_length, max_length }: FormBounds): Values {
  const values: Values = { accepted: [], refused: [] };
  if (min_length) values.refused.push('x'.repeat(min_length - 1));
  if (max_length !== undefined) values.refused.push('x'.repeat(max_length + 1));
  if (pattern === undefined) {
    if (min_length) values.accepted.push('x'.repeat(min_length));
    if (max_length !== undefined) values.accepted.push('x'.repeat(max_length));
    return values;
  }
  const matches = (text: string) => new RegExp(pattern, 'u').test(text) && text.length >= (min_length ?? 0);
  values.accepted.push(...fitting.filter(matches).slice(0, 1));
  values.refused.push(...misfits.filter((text) => !matches(text)).slice(0, 1));
  return values;
}

function numbersAround(type: ValueType, { min, above, max }: FormBounds): Values {
  const step = type === 'integer' ? 1 : 1e-6;
  const values: Values = { accepted: [], refused: [] };
  if (min !== undefined) values.accepted.push(min);
  if (min !== undefined) values.refused.push(min - step);
  if (above !== undefined) values.accepted.push(above + step);
  if (above !== undefined) values.refused.push(above);
  if (max !== undefined) values.accepted.push(max);
  if (max !== undefined) values.refused.push(max + step);
  return values;
}

/** Values at the bounds of a field, which are accepted, and just past them, of another type or no option, which are refused. */
export function valuesAround({ type, bounds, options, items, control }: FormField): Values {
  const refused = [...wrongTypes[type]];
  if (options) {
    const sent = (value: string) => (type === 'list' ? [value] : value);
    return {
      accepted: options.map(({ value }) => sent(value)),
      refused: [...refused, sent(`no ${options[0]?.value}`)],
    };
  }
  if (type === 'string' && control !== 'none') {
    const texts = textsAround(bounds);
    return { accepted: texts.accepted, refused: [...refused, ...texts.refused] };
  }
  if (type === 'integer' || type === 'number') {
    const numbers = numbersAround(type, bounds);
    return { accepted: numbers.accepted, refused: [...refused, ...numbers.refused] };
  }
  if (type !== 'list') return { accepted: [], refused };
  const { min_items, max_items } = bounds;
  if (min_items) refused.push([]);
  if (max_items !== undefined) refused.push(Array(max_items + 1).fill('x'));
  if (!items) return { accepted: [], refused };
  const each = items.type === 'string' ? textsAround(items.bounds) : numbersAround(items.type, items.bounds);
  return {
    accepted: each.accepted.map((value) => [value]),
    refused: [...refused, ...each.refused.map((value) => [value])],
  };
}
