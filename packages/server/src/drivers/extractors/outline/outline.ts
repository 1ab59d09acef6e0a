/** The build of a file, as far as a reader needs it to know what to ask the file for. Made by code from the text alone. */
export interface FileOutline {
  kind: 'table' | 'document' | 'json' | 'text';
  title: string | null;
  /** Pages or slides of the whole file. */
  pages: number | null;
  /** Of workbooks and tables in text; documents name theirs by number only. */
  tables: TableOutline[];
  /** How many there are, also those that are left out. */
  table_count: number;
  headings: { level: number; text: string; page: number | null }[];
  heading_count: number;
  first_paragraph: string;
  /** Of JSON: the keys of the outermost object, or of the first one in a list, with what they hold. */
  keys: { name: string; holds: string }[];
  key_count: number;
  /** Of JSON: how many entries the outermost list has. */
  entries: number | null;
  /** Of text and programs. */
  first_lines: string[];
  line_count: number;
}

export interface TableOutline {
  /** The name of a sheet. */
  name: string | null;
  /** Rows below the header, as far as the file was read. */
  rows: number;
  columns: { name: string; type: ColumnType; examples: string[] }[];
  column_count: number;
  first_rows: string[][];
}

export type ColumnType = 'integer' | 'number' | 'date' | 'boolean' | 'text' | 'empty';

/** The most of each that an outline names; the counts say how many there are. */
export const most = {
  tables: 10,
  columns: 60,
  rows: 5,
  examples: 3,
  headings: 60,
  keys: 60,
  lines: 30,
  cell: 60,
  line: 200,
  paragraph: 1000,
} as const;

export const emptyOutline = (): FileOutline => ({
  ...{ kind: 'text', title: null, pages: null, tables: [], table_count: 0, headings: [], heading_count: 0 },
  ...{ first_paragraph: '', keys: [], key_count: 0, entries: null, first_lines: [], line_count: 0 },
});

/** Where a text may be cut at most so far in, so that no name, number or address is torn: an anonymizer finds whole ones. */
export type CutBefore = (text: string, at: number) => number;
/** A text on one line, of at most so many characters and a mark. */
export type OneLine = (text: string, length: number) => string;

export const makeOneLine =
  (cutBefore: CutBefore): OneLine =>
  (text, length) => {
    // Of a very long text only the beginning is looked at.
    const line = text
      .slice(0, length * 10)
      .replaceAll(/\s+/g, ' ')
      .trim();
    return line.length > length ? `${line.slice(0, cutBefore(line, length)).toWellFormed()}…` : line;
  };
