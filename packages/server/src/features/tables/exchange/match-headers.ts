import { invalid } from '@atrium/contract/errors.ts';
import { columnNameFor, plainName } from '../column-names.ts';
import type { ColumnRow } from '../store.ts';

/** What stands above a column of a file, and the column of the table it is for. */
export interface Header {
  title: string;
  name: string;
  /** The table has none for it yet. */
  isNew: boolean;
}

const folded = (text: string) => text.trim().toLowerCase();

/** Finds the column for each title: by its name, by its label, or by how its name would be written. */
export function matchHeaders(titles: readonly (string | null)[], columns: readonly ColumnRow[]): Header[] {
  const taken = new Set(['id', ...columns.map(({ name }) => name.toLowerCase())]);
  const used = new Set<string>();
  return titles.map((title, index) => {
    const text = title ?? `column ${index + 1}`;
    const known =
      folded(text) === 'id'
        ? 'id'
        : (
            columns.find(({ name }) => folded(name) === folded(text)) ??
            columns.find(({ label }) => label !== null && folded(label) === folded(text)) ??
            columns.find(({ name }) => folded(name) === plainName(text, 'column'))
          )?.name;
    if (known && used.has(known)) throw invalid(['body', 'file'], `two columns of the file are called ${known}`, text);
    const name = known ?? columnNameFor(text, taken);
    taken.add(name.toLowerCase());
    used.add(name);
    return { title: text.trim().slice(0, 200), name, isNew: known === undefined };
  });
}
