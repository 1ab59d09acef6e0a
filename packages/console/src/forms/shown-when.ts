import type { FormField, ShownWhen } from './form-types.ts';

type Condition = Extract<ShownWhen, { all: unknown }>['all'][number];

/** Whether a field has an effect, by the values of other fields, which are read by their key. */
export function hasEffect({ shown_when }: Pick<FormField, 'shown_when'>, readValue: (key: string) => unknown): boolean {
  if (!shown_when) return true;
  const holds = ({ key, field, is }: Condition) => {
    const value = readValue(key);
    const compared =
      field && typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : value;
    return (is as readonly unknown[]).includes(compared);
  };
  return 'all' in shown_when ? shown_when.all.every(holds) : shown_when.any.some(holds);
}
