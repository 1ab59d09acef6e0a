/** Cells as spreadsheets exchange them: tabs between cells, line breaks between rows, quotes around what holds either. */
export function writeCells(rows: readonly (readonly string[])[]): string {
  const quote = (cell: string) => (/["\t\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((cells) => cells.map(quote).join('\t')).join('\n');
}

/** Reads cells that a spreadsheet has copied. */
export function readCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const piece = /"((?:[^"]|"")*)"(?=\t|\r?\n|$)|[^\t\n\r]*/y;
  const end = /\t|\r?\n|\r|$/y;
  for (let at = 0; at <= text.length; ) {
    piece.lastIndex = at;
    const found = piece.exec(text);
    row.push(found?.[1] === undefined ? (found?.[0] ?? '') : found[1].replaceAll('""', '"'));
    end.lastIndex = at + (found?.[0].length ?? 0);
    const mark = end.exec(text)?.[0] ?? '';
    if (mark !== '\t') {
      rows.push(row);
      row = [];
    }
    at = end.lastIndex;
    if (mark === '') break;
  }
  // Spreadsheets end the last row with a line break too.
  if (rows.length > 1 && rows.at(-1)?.length === 1 && rows.at(-1)?.[0] === '') rows.pop();
  return rows;
}
