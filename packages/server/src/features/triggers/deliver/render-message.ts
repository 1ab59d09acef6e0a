import { valueUnder } from '@atrium/contract/keys-of.ts';
import type { TriggerRow } from '../store.ts';

/** A value of the input by its path, `order.id`; a key that contains the dot wins. */
function valueAt(input: unknown, path: string): unknown {
  if (typeof input !== 'object' || input === null) return undefined;
  if (Object.hasOwn(input, path)) return valueUnder(input, path);
  const dot = path.indexOf('.');
  if (dot < 0) return undefined;
  const first = path.slice(0, dot);
  return Object.hasOwn(input, first) ? valueAt(valueUnder(input, first), path.slice(dot + 1)) : undefined;
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, null, 1);

/** The message for an agent: that of the trigger with ((order.id)) filled in, or else the whole input. */
export function messageFor(
  { definition, name }: Pick<TriggerRow, 'definition' | 'name'>,
  input: Record<string, unknown>,
) {
  const words = definition.message ?? (typeof input['message'] === 'string' ? '((message))' : undefined);
  const said = words?.replaceAll(/\(\(([^()]{1,200})\)\)/g, (_, path: string) => textOf(valueAt(input, path.trim())));
  return said?.trim() ? said : `The trigger "${name}" has fired:\n\n${JSON.stringify(input, null, 1)}`;
}
