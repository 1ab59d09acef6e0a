import { readFileSync } from 'node:fs';
import type { EvalTable } from './answer-set.ts';

const readCell = (cell: string, type: string) =>
  type === 'boolean' ? cell === 'true' : type === 'integer' || type === 'number' ? Number(cell) : cell;

/** The table of a CSV file without quoted cells, named after the table; columns without a type are texts. */
export function csvTable(folder: string, name: string, types: Record<string, string>): EvalTable {
  const file = new URL(`${folder}/${name.toLowerCase()}.csv`, import.meta.url);
  const [names = [], ...rows] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const columns = names.map((column) => ({ name: column, type: types[column] ?? 'text' }));
  return {
    name,
    columns,
    rows: rows.map((cells) =>
      Object.fromEntries(columns.map((one, at) => [one.name, readCell(cells[at] ?? '', one.type)])),
    ),
  };
}
