import type { ColumnType } from './outline.ts';

const patterns: readonly [ColumnType, RegExp][] = [
  ['integer', /^[+-]?\d{1,18}$/],
  ['number', /^[+-]?(?:\d[\d.,' ]*|\.\d+)(?:e[+-]?\d+)?\s?[%€$£]?$/i],
  ['date', /^(?:\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})$/],
  ['boolean', /^(?:true|false|yes|no)$/i],
];
const typeOf = (cell: string): ColumnType => patterns.find(([, pattern]) => pattern.test(cell))?.[0] ?? 'text';

/** The type that all values of a column have; whole and broken numbers together are numbers. */
export function makeColumnType() {
  const found = new Set<ColumnType>();
  return {
    add(cell: string) {
      if (cell !== '' && !found.has('text')) found.add(typeOf(cell));
    },
    type(): ColumnType {
      if (found.size === 0) return 'empty';
      const [only] = found;
      if (found.size === 1 && only) return only;
      return found.size === 2 && found.has('integer') && found.has('number') ? 'number' : 'text';
    },
  };
}
