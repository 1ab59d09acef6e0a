import type { QueryAnswer } from '@atrium/contract/tables/query/schema.ts';
import type { FirstRows } from '../../../db/first-rows.ts';
import { required } from '../../../lib/required.ts';
import { firstFreeName } from '../column-names.ts';

/** The names of PostgreSQL's types in the API, by their OID. */
const typeNames: Record<number, string> = {
  16: 'boolean',
  20: 'integer',
  21: 'integer',
  23: 'integer',
  700: 'number',
  701: 'number',
  1700: 'number',
  1082: 'date',
  1114: 'datetime',
  1184: 'datetime',
  114: 'json',
  3802: 'json',
  2950: 'uuid',
};

/** Numbers that JSON cannot carry exactly are shown as text. */
function asNumber(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(text)) ? value : text;
}

const asTime = (text: string) => {
  const time = new Date(`${text.replace(' ', 'T').replace(/[+-]\d{2}(?::?\d{2})?$/, '')}Z`);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
};

const readers: Record<string, (text: string) => unknown> = {
  boolean: (text) => text === 't',
  integer: asNumber,
  number: asNumber,
  datetime: asTime,
  json: (text) => JSON.parse(text),
};

/** Numbers columns of the same name. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const free = firstFreeName(name, (candidate) => taken.has(candidate));
    taken.add(free);
    return free;
  });
}

export function presentAnswer({ fields, rows, truncated }: FirstRows): QueryAnswer {
  const names = uniqueNames(fields.map(({ name }) => name));
  const columns = fields.map(({ type }, index) => ({ name: required(names[index]), type: typeNames[type] ?? 'text' }));
  const items = rows.map((row) =>
    Object.fromEntries(
      columns.map(({ name, type }, index) => {
        const text = row[index] ?? null;
        return [name, text === null ? null : (readers[type]?.(text) ?? text)];
      }),
    ),
  );
  return { columns, items, row_count: items.length, truncated };
}
