import { conflict, InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import type { Choice, ColumnCreate, DeletePolicy } from '@atrium/contract/tables/schema.ts';
import type { ColumnType } from '@atrium/contract/tables/types.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { columnNameError } from '../column-names.ts';
import { type ColumnRow, type TableRow, tablesById } from '../store.ts';
import { chosen, isUnfitValue, readDefault, valueTypeOf } from '../value-reader.ts';
import { listReferences } from './column-store.ts';

/** Columns that can be made, and the tables they refer to, by id. */
export interface PlannedColumns {
  columns: ColumnRow[];
  targets: Map<string, TableRow>;
}

export const mostColumns = 500;

const valueError = (loc: string[], error: string, input: unknown): ValidationError => ({
  loc,
  msg: `Value error, ${error}`,
  type: 'value_error',
  input: input ?? null,
  ctx: { error },
});

interface Referring {
  type: ColumnType;
  references?: string | undefined;
  on_delete?: DeletePolicy | undefined;
}

/** Validation errors of a reference; `own` is the id of its table, if it exists already. */
export function referenceErrors(
  { type, references, on_delete }: Referring,
  targets: ReadonlyMap<string, TableRow>,
  own: string | undefined,
  at: string[],
): ValidationError[] {
  if (type !== 'reference')
    return [
      ...(references
        ? [valueError([...at, 'references'], 'only a column of type reference refers to a table', references)]
        : []),
      ...(on_delete ? [valueError([...at, 'on_delete'], 'only a column of type reference has it', on_delete)] : []),
    ];
  if (references === undefined)
    return [valueError([...at, 'references'], 'a reference names the table it refers to', null)];
  if (references === own) return [valueError([...at, 'references'], 'a table can not refer to itself', references)];
  return targets.has(references)
    ? []
    : [valueError([...at, 'references'], 'no such table in this workspace', references)];
}

/** The default has to be a value of the column's type. */
export function defaultErrors(column: ColumnRow, at: string[]): ValidationError[] {
  if (column.default_value === null) return [];
  if (column.type === 'reference')
    return [valueError([...at, 'default'], 'a reference has no default', column.default_value)];
  const read = chosen(column, readDefault(valueTypeOf(column), column.default_value));
  return isUnfitValue(read) ? [{ loc: [...at, 'default'], ...read, input: column.default_value }] : [];
}

/** The choices as they are kept; an empty list is none. */
export const choicesOf = (given: ColumnCreate['choices']): Choice[] | null =>
  given?.length ? given.map(({ value, label }) => ({ value, label: label ?? null })) : null;

export function choiceErrors({ type, choices }: ColumnRow, at: string[]): ValidationError[] {
  if (!choices) return [];
  if (type !== 'text') return [valueError([...at, 'choices'], 'only a column of type text has choices', null)];
  const seen = new Set<string>();
  return choices.flatMap(({ value }, index) => {
    const isKnown = seen.has(value);
    seen.add(value);
    return isKnown ? [valueError([...at, 'choices', String(index), 'value'], 'two choices are the same', value)] : [];
  });
}

export function nameErrors(name: string, taken: ReadonlySet<string>, at: string[]): ValidationError[] {
  const error =
    columnNameError(name) ?? (taken.has(name.toLowerCase()) ? 'the table has a column of this name' : undefined);
  return error ? [valueError(at, error, name)] : [];
}

/** Checks the new columns of a table; every validation error is reported at its location. */
export async function planColumns(
  tx: Db,
  workspace_id: string,
  inputs: readonly ColumnCreate[],
  table: TableRow | undefined,
  placeOf: (index: number) => string[],
): Promise<PlannedColumns> {
  const ids = inputs.flatMap(({ references }) => references ?? []);
  const targets = new Map((await tablesById(tx, workspace_id, ids)).map((row) => [row.id, row]));
  const taken = new Set(table?.columns.map(({ name }) => name.toLowerCase()));
  const validationErrors: ValidationError[] = [];
  const columns = inputs.map((input, index) => {
    const at = placeOf(index);
    const isReference = input.type === 'reference';
    const column: ColumnRow = {
      id: newId(),
      position: index,
      name: input.name,
      type: input.type,
      label: input.label ?? null,
      default_value: input.default ?? null,
      references_table: isReference ? (input.references ?? null) : null,
      references_id_type: targets.get(input.references ?? '')?.id_type ?? null,
      on_delete: isReference ? (input.on_delete ?? 'restrict') : null,
      indexed: input.indexed ?? false,
      choices: choicesOf(input.choices),
      dropped_at: null,
    };
    validationErrors.push(...nameErrors(input.name, taken, [...at, 'name']));
    validationErrors.push(...referenceErrors(input, targets, table?.id, at));
    validationErrors.push(...choiceErrors(column, at), ...defaultErrors(column, at));
    taken.add(input.name.toLowerCase());
    return column;
  });
  if ((table?.columns.length ?? 0) + inputs.length > mostColumns)
    validationErrors.push(valueError(placeOf(0), `a table has at most ${mostColumns} columns`, null));
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
  return { columns, targets };
}

/** Tables that refer to each other in a circle could never be filled, nor dropped. */
export async function rejectReferenceCycle(tx: Db, workspace_id: string, from: TableRow, to: string): Promise<void> {
  const references = await listReferences(tx, workspace_id);
  const seen = new Set<string>();
  const reaches = (table_id: string): boolean => {
    if (table_id === from.id) return true;
    if (seen.has(table_id)) return false;
    seen.add(table_id);
    return references.some((one) => one.table_id === table_id && reaches(one.references_table));
  };
  if (reaches(to))
    throw conflict(`That table refers to ${from.name} already, itself or through others`, 'circular_reference');
}
