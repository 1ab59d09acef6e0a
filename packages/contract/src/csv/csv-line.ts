/** Writes CSV by RFC 4180: fields separated by commas, lines ended by CRLF. */

export interface CsvOptions {
  /** Puts a ' before texts that a spreadsheet would run as a formula; true unless given. Numbers stay as they are. */
  escape_formulas?: boolean;
  /** Quotes texts that begin or end with white space, which some programs cut off. */
  quote_outer_space?: boolean;
}

// Texts that look escaped are escaped once more, so that taking one ' away gives every text back.
const formulaStart = /^'*[=+\-@\t\r]/;
const escapedStart = /^'+[=+\-@\t\r]/;
const needsQuotes = /[",\r\n]/;
const hasOuterSpace = /^\s|\s$/;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';

function csvField(value: unknown, { escape_formulas = true, quote_outer_space = false }: CsvOptions): string {
  const text = textOf(value);
  const safe = escape_formulas && !isNumber(value) && formulaStart.test(text) ? `'${text}` : text;
  const quoted = needsQuotes.test(safe) || (quote_outer_space && hasOuterSpace.test(safe));
  return quoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line with its end; empty for null, JSON for objects. */
export const csvLine = (values: readonly unknown[], options: CsvOptions = {}): string =>
  `${values.map((value) => csvField(value, options)).join(',')}\r\n`;

/** The text of a cell without the ' that `csvLine` puts before formulas; undefined when it has none. */
export const unescapedFormula = (cell: string): string | undefined =>
  escapedStart.test(cell) ? cell.slice(1) : undefined;
