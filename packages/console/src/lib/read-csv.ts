/** What separates the values: the one that the first line has most of. */
function separatorOf(text: string): string {
  const end = text.indexOf('\n');
  const line = end < 0 ? text : text.slice(0, end);
  const counted = [',', ';', '\t'].map((mark) => ({ mark, count: line.split(mark).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

/** The rows of a CSV file, at most so many. Quoted values may have separators and lines in them. */
export function readCsv(text: string, most = Number.POSITIVE_INFINITY): string[][] {
  const source = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(source);
  const rows: string[][] = [];
  let row: string[] = [];
  let value = '';
  let isQuoted = false;
  const endValue = () => {
    row.push(value);
    value = '';
  };
  const endRow = () => {
    endValue();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = 0; at < source.length && rows.length < most; at++) {
    const letter = source[at];
    if (isQuoted) {
      if (letter !== '"') value += letter;
      else if (source[at + 1] === '"') value += source[at++];
      else isQuoted = false;
    } else if (letter === '"' && value === '') isQuoted = true;
    else if (letter === separator) endValue();
    else if (letter === '\n') endRow();
    else if (letter !== '\r') value += letter;
  }
  if (rows.length < most && (value !== '' || row.length > 0)) endRow();
  return rows;
}

/** Whether a cell is a number, with or without a percent sign. */
export const isFigure = (value: string) => /^[-+]?[\d.,\s]*\d\s*%?$/.test(value.trim());
