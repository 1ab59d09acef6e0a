/** A typed text as a value: JSON where it is a list, an object, a number, true, false or null; else the text itself. */
export function readValue(text: string): unknown {
  if (text === '') return undefined;
  if (!/^\s*(?:[[{"]|-?\d|true|false|null)/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The text that is read as that value again. */
export function writeValue(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return readValue(value) === value ? value : JSON.stringify(value);
}
