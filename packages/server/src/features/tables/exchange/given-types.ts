import { invalid } from '@atrium/contract/errors.ts';
import { columnTypes, type ValueType } from '@atrium/contract/tables/types.ts';
import type { Header } from './match-headers.ts';

/** The types that a caller chose for new columns, by their names. */
export type GivenTypes = Readonly<Record<string, ValueType>>;

const at = ['query', 'types'];
const isValueType = (type: unknown): type is ValueType =>
  typeof type === 'string' && type !== 'reference' && columnTypes.includes(type as ValueType);

/** Reads `{"amount":"number"}`. */
export function readGivenTypes(text: string | undefined): GivenTypes {
  if (text === undefined) return {};
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw invalid(at, 'it is not JSON', text);
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(at, 'it is not an object', text);
  for (const [name, type] of Object.entries(given))
    if (!isValueType(type)) throw invalid(at, `the type of ${name} is not one that a file can fill`, String(type));
  return given as GivenTypes;
}

/** Refuses types of columns that the file does not create. */
export function checkGivenColumns(given: GivenTypes, headers: readonly Header[]): void {
  const created = new Set(headers.filter(({ isNew }) => isNew).map(({ name }) => name));
  const unknown = Object.keys(given).find((name) => !created.has(name));
  if (unknown !== undefined) throw invalid(at, `the import creates no column ${unknown}`, unknown);
}
