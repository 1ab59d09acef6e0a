/** Writes CSV by RFC 4180: fields separated by commas, lines ended by CRLF. */

export interface CsvOptions {
  /** Puts a ' before texts that a spreadsheet would run as a formula. Numbers stay as they are. */
  escape_formulas?: boolean;
  /** Quotes texts that begin or end with white space, which some programs cut off. */
  quote_outer_space?: boolean;
}

const formulaStart = /^[=+\-@\t\r]/;
const needsQuotes = /[",\r\n]/;
const hasOuterSpace = /^\s|\s$/;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function csvField(value: unknown, { escape_formulas = false, quote_outer_space = false }: CsvOptions): string {
  const text = textOf(value);
  const safe = escape_formulas && typeof value !== 'number' && formulaStart.test(text) ? `'${text}` : text;
  const quoted = needsQuotes.test(safe) || (quote_outer_space && hasOuterSpace.test(safe));
  return quoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line with its end; empty for null, JSON for objects. */
export const csvLine = (values: readonly unknown[], options: CsvOptions = {}): string =>
  `${values.map((value) => csvField(value, options)).join(',')}\r\n`;
