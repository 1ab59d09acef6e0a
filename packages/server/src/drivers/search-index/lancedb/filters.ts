import type { IndexFilter } from '../driver.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The only way a value gets into a filter, which the engine takes as text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Also checks that the id is a UUID; any other value is a bug in the server. */
export function quotedId(id: string): string {
  if (!uuid.test(id)) throw new TypeError('An id was expected');
  return `'${id}'`;
}

const idList = (ids: readonly string[]) => ids.map(quotedId).join(', ');

export const ofDocuments = (ids: readonly string[]) => `document_id IN (${idList(ids)})`;

/** All paths that begin so, as a range: an index by order finds it, a pattern would have to look at every row. */
function below(path: string): string {
  // A folder ends with a slash, and the sign after the slash is the zero.
  const end = `${path.slice(0, -1)}0`;
  return `path >= ${quoted(path)} AND path < ${quoted(end)}`;
}

/** Undefined: everything. */
export function renderFilter({ path, document_ids }: IndexFilter): string | undefined {
  if (path !== undefined && !path.endsWith('/')) throw new TypeError('A folder ends with a slash');
  const parts = [
    ...(path !== undefined && path !== '/' ? [below(path)] : []),
    ...(document_ids?.length ? [ofDocuments(document_ids)] : []),
  ];
  return parts.length ? parts.join(' AND ') : undefined;
}

/** About this many of the rows, by the random end of their ids. Undefined: all rows are that few. */
export function sampleFilter(most: number, rows: number): string | undefined {
  if (rows <= most) return undefined;
  const digits = most * 16 >= rows ? 1 : 2;
  const ends = Math.max(1, Math.floor((most / rows) * 16 ** digits));
  const isEnd = (_: unknown, end: number) => `id LIKE ${quoted(`%${end.toString(16).padStart(digits, '0')}`)}`;
  return Array.from({ length: ends }, isEnd).join(' OR ');
}
