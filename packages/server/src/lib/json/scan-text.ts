/**
 * What in a string no store or client downstream can keep: PostgreSQL text refuses NUL, and a lone surrogate has no
 * UTF-8 form. Values from a path or a query come through here too.
 */
export function scanText(value: string): 'nul' | 'surrogate' | undefined {
  if (value.includes('\0')) return 'nul';
  if (!value.isWellFormed()) return 'surrogate';
  return undefined;
}

/** The string with what `scanText` objects to replaced, to be named in `loc`. */
export function displayText(value: string): string {
  return value.toWellFormed().replaceAll('\0', '\uFFFD');
}
