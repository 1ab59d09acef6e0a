import * as z from 'zod';
import { invalid } from './errors.ts';

/** An entry's place in the order of its list: the text of the value that the list is sorted by, and its id. */
export interface Position {
  key: string | null;
  id: string;
}

const cursor = z.strictObject({
  /** The `sort` that the position belongs to. */
  sort: z.string().optional(),
  page: z.int().min(1),
  /** Counted for the first page and carried along, so that the pages after it count nothing. */
  total: z.int().min(0),
  /** The last entry of the page before; or how many entries come before, in lists that are short. */
  after: z.union([
    z.strictObject({ key: z.string().nullable(), id: z.string() }),
    z.strictObject({ offset: z.int().min(0).max(1_000_000_000) }),
  ]),
});
export type Cursor = z.output<typeof cursor>;

export const encodeCursor = (value: Cursor): string =>
  btoa(String.fromCodePoint(...new TextEncoder().encode(JSON.stringify(value))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export const invalidCursor = (text: string) =>
  invalid(['query', 'after'], 'is not the `next` of an answer of this list', text);

export function decodeCursor(text: string, sort: string | undefined): Cursor {
  let value: unknown;
  try {
    const bytes = Uint8Array.from(
      atob(text.replaceAll('-', '+').replaceAll('_', '/')),
      (letter) => letter.codePointAt(0) ?? 0,
    );
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidCursor(text);
  }
  const { data } = cursor.safeParse(value);
  if (!data) throw invalidCursor(text);
  if (data.sort !== sort) throw invalid(['query', 'after'], 'belongs to the same list in another `sort`', text);
  return data;
}
