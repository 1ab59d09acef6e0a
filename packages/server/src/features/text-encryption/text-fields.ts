import type { FieldDef } from 'pg';
import type { Db } from '../../db/database.ts';
import { type TextColumn, textColumns } from '../../db/stored-text/text-columns.ts';
import { readColumnNumbers } from './text-column-store.ts';

/** A field of a result that comes from a column of texts. */
export interface TextField {
  name: string;
  column: TextColumn;
  /** The fields that hold the workspace and each column that names the row; none where the result lacks it. */
  keys(): string[][];
}

export type FindTextFields = (fields: readonly Pick<FieldDef, 'name' | 'tableID' | 'columnID'>[]) => TextField[];

interface TableNumbers {
  texts: Map<number, TextColumn>;
  numbers: Map<string, number>;
}

const none: TextField[] = [];
const names = Object.keys(textColumns) as TextColumn[];

/** PostgreSQL says of each field which column it comes from, so that no statement that reads texts can be forgotten. */
export async function loadTextFields(db: Db): Promise<FindTextFields> {
  const tables = new Map<number, TableNumbers>();
  const wanted = [...new Set(names.map((column) => column.split('.')[0] ?? ''))];
  for (const { table_id, table_name, number, name } of await readColumnNumbers(db, wanted)) {
    const table = tables.get(table_id) ?? { texts: new Map(), numbers: new Map() };
    tables.set(table_id, table);
    table.numbers.set(name, number);
    const column = names.find((candidate) => candidate === `${table_name}.${name}`);
    if (column) table.texts.set(number, column);
  }

  return (fields) => {
    let found = none;
    for (const { name, tableID, columnID } of fields) {
      const table = tables.get(tableID);
      const column = table?.texts.get(columnID);
      if (!table || !column) continue;
      // Looked for only when a text is sealed, so that plain ones cost little.
      const keys = () =>
        ['workspace_id', ...textColumns[column].id].map((key) =>
          fields
            .filter((field) => field.tableID === tableID && field.columnID === table.numbers.get(key))
            .map((field) => field.name),
        );
      if (found === none) found = [];
      found.push({ name, column, keys });
    }
    return found;
  };
}
