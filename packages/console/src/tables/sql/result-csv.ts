/** Rows as CSV. Texts that a spreadsheet would run as a formula are made harmless. */
export function writeCsv(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const quote = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const harmless = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
  const cell = (value: unknown) => {
    if (value === null || value === undefined) return '';
    if (typeof value === 'string') return quote(harmless(value));
    return quote(typeof value === 'object' ? JSON.stringify(value) : String(value));
  };
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','));
  return `${[columns.map(quote).join(','), ...lines].join('\r\n')}\r\n`;
}
