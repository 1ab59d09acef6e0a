import type { ValidationError } from '@atrium/contract/errors.ts';
import { typesOf } from '../rows/row-source.ts';
import type { TableRow } from '../store.ts';
import { chosen, isUnfitValue } from '../value-reader.ts';
import { type CellFormat, readCell } from './cell-format.ts';
import type { Header } from './match-headers.ts';
import type { Line } from './open-sheet.ts';

/** Reads the lines of a file as rows of a table: every cell is text, read as its column and the format of the file say. */
export function makeLineReader(table: TableRow, headers: readonly Header[], format: CellFormat | undefined) {
  const types = typesOf(table);
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  return ({
    line,
    cells,
    typed,
  }: Line): { cells: Record<string, unknown> } | { validationErrors: ValidationError[] } => {
    const at = ['body', 'file', String(line)];
    if (cells.length > headers.length && cells.slice(headers.length).some((cell) => cell !== null)) {
      const error = `the line has ${cells.length} cells, and there are ${headers.length} columns`;
      return {
        validationErrors: [{ loc: at, msg: `Value error, ${error}`, type: 'value_error', input: null, ctx: { error } }],
      };
    }
    const row: Record<string, unknown> = {};
    const validationErrors: ValidationError[] = [];
    headers.forEach(({ name }, index) => {
      const text = cells[index] ?? null;
      const type = types.get(name);
      // An empty cell is left to the default of its column.
      if (text === null || !type) return;
      const cell = readCell(type, text, typed?.[index] ? undefined : format);
      const column = columns.get(name);
      const read = column ? chosen(column, cell) : cell;
      if (isUnfitValue(read)) validationErrors.push({ loc: [...at, name], ...read, input: text.slice(0, 200) });
      else row[name] = read.value;
    });
    return validationErrors.length ? { validationErrors } : { cells: row };
  };
}
