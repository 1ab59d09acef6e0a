import type { TextColumn } from './text-columns.ts';

/** Text on its way into a column that is encrypted at rest when the switch is on. */
export class StoredText {
  readonly column: TextColumn;
  readonly workspace_id: string;
  /** Names the row, as `id` in `textColumns` says; the sealed text opens in no other one. */
  readonly row: string;
  /** For a JSON column: JSON text. */
  readonly text: string;

  constructor(column: TextColumn, workspace_id: string, row: string, text: string) {
    this.column = column;
    this.workspace_id = workspace_id;
    this.row = row;
    this.text = text;
  }
}

type Key = string | number | null;

/** A key as it stands in the name of a row, whose keys are separated by slashes and whose end is a colon. */
export const encodeKey = (key: Key) => String(key ?? '').replaceAll(/[%/:]/g, encodeURIComponent);

export const rowName = (keys: readonly Key[]) => keys.map(encodeKey).join('/');

/** A value for a statement: `text` as it is to be stored in this column of this row. */
export const storedText = (column: TextColumn, workspace_id: string, keys: Key | readonly Key[], text: string) =>
  new StoredText(column, workspace_id, rowName(Array.isArray(keys) ? keys : [keys as Key]), text);

export const storedTextOrNull = (
  column: TextColumn,
  workspace_id: string,
  keys: Key | readonly Key[],
  text: string | null | undefined,
) => (text === null || text === undefined ? null : storedText(column, workspace_id, keys, text));

/** Whether a value is a list with such texts; the others in it may be null. */
export const isTextList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.some((item) => item instanceof StoredText);

export const isStoredText = (value: unknown): boolean => value instanceof StoredText || isTextList(value);
