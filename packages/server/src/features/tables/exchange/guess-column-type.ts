import type { ValueType } from '@atrium/contract/tables/types.ts';
import { isUnfitValue, readDefault } from '../value-reader.ts';

/** From the narrowest to the widest; a text is always a text. */
const candidates = ['boolean', 'integer', 'number', 'date', 'datetime', 'uuid'] as const;

/** The form of a cell for each type. "007" is not a number: the zeros are meant. */
const shapes: Record<(typeof candidates)[number], RegExp> = {
  boolean: /^(?:true|false|yes|no)$/i,
  integer: /^[+-]?(?:0|[1-9]\d*)$/,
  number: /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  datetime: /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?$/,
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
};

/** Finds the narrowest type that fits all cells of a column. */
export function makeTypeGuesser() {
  let left: (typeof candidates)[number][] = [...candidates];
  let seen = false;
  return {
    see(text: string): void {
      seen = true;
      if (left.length) left = left.filter((type) => shapes[type].test(text) && !isUnfitValue(readDefault(type, text)));
    },
    type: (): ValueType => (seen ? (left[0] ?? 'text') : 'text'),
  };
}
