import { InvalidRequest } from '@atrium/contract/errors.ts';
import { idValueType } from '@atrium/contract/tables/types.ts';
import type { Db } from '../../../db/database.ts';
import type { TableRow } from '../store.ts';
import { isUnfitValue, makeValueReader } from '../value-reader.ts';
import { findDanglingReferences } from './find-dangling-references.ts';
import { type Cells, makeRowReader } from './read-row-input.ts';
import type { RowSource } from './row-source.ts';

/** Reads the id of a row, from the path unless another place is given. */
export function readRowId(
  { id_type }: Pick<RowSource, 'id_type'>,
  input: string | number,
  loc: string[] = ['path', 'row_id'],
): string | number {
  const read = makeValueReader(idValueType(id_type))(input);
  if (!isUnfitValue(read)) return read.value as string | number;
  throw new InvalidRequest([{ loc, ...read, input }]);
}

/** Checks rows against the columns of the table and their references against the tables they refer to. */
export async function readRows(
  tx: Db,
  table: TableRow,
  inputs: readonly object[],
  placeOf: (index: number) => string[],
): Promise<Cells[]> {
  const reader = makeRowReader(table);
  const rows = inputs.map((input, index) => reader.read(input, placeOf(index)));
  reader.done();
  const dangling = await findDanglingReferences(tx, table, rows, placeOf);
  if (dangling.length) throw new InvalidRequest(dangling);
  return rows;
}
