import { cutWarning, fitted } from './text/fitted.ts';
import { wholeRows } from './text/whole-rows.ts';

const quotedRows = /^text\/csv\b/;
const rows = /^text\/(?:csv|tab-separated-values)\b|spreadsheetml/;
/** What an extractor says of a text that ends before its file. */
const saysCut = /^Only the (?:beginning is|first line is|first \d+ lines are) shown\b/;

/** Whether the text ends before its file does. */
export const isCut = ({ warnings }: { warnings: readonly string[] }) =>
  warnings.some((warning) => saysCut.test(warning) || warning.startsWith('Only the first '));

/** The beginning of a text with a warning that it is one; a table is cut between two rows. */
export function shortenText<T extends { text: string; warnings: string[] }>(
  read: T,
  content_type: string,
  max_chars: number,
): T {
  if (read.text.length <= max_chars) return read;
  const others = read.warnings.filter((warning) => !saysCut.test(warning));
  if (!rows.test(content_type))
    return { ...read, text: fitted(read.text, max_chars), warnings: [cutWarning(max_chars), ...others] };
  const { text, warning } = wholeRows(read.text, max_chars, quotedRows.test(content_type));
  return { ...read, text, warnings: [warning, ...others] };
}
