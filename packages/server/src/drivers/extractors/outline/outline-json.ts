import { emptyOutline, type FileOutline, most, type OneLine } from './outline.ts';

function holds(value: unknown, oneLine: OneLine): string {
  if (Array.isArray(value)) return `list of ${value.length}`;
  if (value === null) return 'null';
  if (typeof value === 'object') return `object with ${Object.keys(value).length} keys`;
  return `${typeof value}, such as ${typeof value === 'string' ? `"${oneLine(value, most.cell)}"` : String(value)}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function outlineOf(value: unknown, entries: number | null, oneLine: OneLine): FileOutline {
  const all = isObject(value) ? Object.entries(value) : [];
  const keys = all
    .slice(0, most.keys)
    .map(([name, held]) => ({ name: oneLine(name, most.cell), holds: holds(held, oneLine) }));
  return { ...emptyOutline(), kind: 'json', entries, keys, key_count: all.length };
}

/** The keys of JSON, of a list those of its first entry. Undefined where the text is not JSON, or not all of it. */
export function outlineJson(text: string, oneLine: OneLine): FileOutline | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? outlineOf(value[0], value.length, oneLine) : outlineOf(value, null, oneLine);
  } catch {
    return undefined;
  }
}

/** The keys of the first line, and how many lines there are. */
export function outlineJsonLines(text: string, oneLine: OneLine): FileOutline | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first = outlineJson(lines[0] ?? '', oneLine);
  return first && { ...first, entries: lines.length };
}
