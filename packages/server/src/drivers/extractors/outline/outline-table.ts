import { makeColumnType } from './column-type.ts';
import { most, type OneLine, type TableOutline } from './outline.ts';

/** A first row with a number or a date in it is data. */
const isValue = (cell: string) => /^[+-]?[\d.,:/ -]+%?$/.test(cell.trim()) && /\d/.test(cell);

function makeColumn(oneLine: OneLine) {
  const type = makeColumnType();
  const examples: string[] = [];
  return {
    add(value: string) {
      const cell = value.trim();
      type.add(cell);
      if (cell === '' || examples.length >= most.examples) return;
      const example = oneLine(cell, most.cell);
      if (!examples.includes(example)) examples.push(example);
    },
    end: (name: string) => ({ name, type: type.type(), examples }),
  };
}

/** Collects the outline of a table row by row. `header`: whether the first row has names, where that is known. */
export function makeTableOutline(oneLine: OneLine, name: string | null, header?: boolean) {
  const columns: ReturnType<typeof makeColumn>[] = [];
  const first_rows: string[][] = [];
  let names: string[] | undefined;
  let [rows, width] = [0, 0];
  return {
    row(cells: readonly string[]): void {
      if (cells.every((cell) => cell.trim() === '')) return;
      width = Math.max(width, cells.length);
      if (names === undefined) {
        const isHeader = header ?? !cells.some(isValue);
        names = isHeader ? cells.slice(0, most.columns).map((cell) => oneLine(cell, most.cell)) : [];
        if (isHeader) return;
      }
      rows++;
      const shown = cells.slice(0, most.columns);
      for (const [index, cell] of shown.entries()) {
        columns[index] ??= makeColumn(oneLine);
        columns[index].add(cell);
      }
      if (first_rows.length < most.rows) first_rows.push(shown.map((cell) => oneLine(cell, most.cell)));
    },
    end(): TableOutline {
      const count = Math.min(width, most.columns);
      const all = Array.from({ length: count }, (_, index) =>
        (columns[index] ?? makeColumn(oneLine)).end(names?.[index] || `column ${index + 1}`),
      );
      return { name, rows, columns: all, column_count: width, first_rows };
    },
  };
}
