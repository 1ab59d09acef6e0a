import { InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import { type IdType, idValueType } from '@atrium/contract/tables/types.ts';
import type { ColumnRow } from '../store.ts';
import {
  isUnfitValue,
  makeColumnReader,
  makeValueReader,
  readDefault,
  type UnfitValue,
  type ValueReader,
  valueTypeOf,
} from '../value-reader.ts';

export type Cells = Record<string, unknown>;

interface Shape {
  id_type: IdType;
  columns: readonly ColumnRow[];
}

const maxValidationErrors = 1000;
const unknownColumn: UnfitValue = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted', ctx: {} };

/** Reads rows for a table and collects their validation errors. */
export function makeRowReader({ id_type, columns }: Shape) {
  const readers = new Map<string, ValueReader>([
    ['id', makeValueReader(idValueType(id_type))],
    ...columns.map((column) => [column.name, makeColumnReader(column)] as const),
  ]);
  const validationErrors: ValidationError[] = [];

  return {
    validationErrors,
    /** The given cells of a row; null counts as given. */
    read(input: object, at: string[]): Cells {
      const cells: Cells = {};
      for (const [name, value] of Object.entries(input)) {
        const result = readers.get(name)?.(value) ?? unknownColumn;
        if (!isUnfitValue(result)) cells[name] = result.value;
        else if (validationErrors.length < maxValidationErrors)
          validationErrors.push({
            loc: [...at, name],
            msg: result.msg,
            type: result.type,
            input: value,
            ctx: result.ctx,
          });
      }
      return cells;
    },
    done(): void {
      if (validationErrors.length) throw new InvalidRequest(validationErrors);
    },
  };
}

/** The defaults of the cells that a new row does not give. */
export function defaultsOf(columns: readonly ColumnRow[]): Cells {
  const cells: Cells = {};
  for (const column of columns) {
    const read = column.default_value === null ? undefined : readDefault(valueTypeOf(column), column.default_value);
    cells[column.name] = read && !isUnfitValue(read) ? read.value : null;
  }
  return cells;
}
