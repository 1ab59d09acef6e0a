import * as z from 'zod';
import * as s from './schema/schema.ts';

/** Clients send `page_size` as another name of `size`, often both; the proper name wins. */
export const pageFields = {
  page: s.withDefault(s.int({ ge: 1 }), 1).describe('Which page to return; the first is 1.'),
  size: s.optional(s.int({ ge: 1, le: 100 })).describe('Entries on a page; 50 unless given.'),
  page_size: s.optional(s.int({ ge: 1, le: 100 })).describe('Another name of `size`, which wins.'),
};

/** Bounds of the time at which the entries of a list were created. */
export const createdFields = {
  created_after: s
    .optional(s.datetime({ example: '2026-01-01T00:00:00Z' }))
    .describe('Only entries that were created at this time or later.'),
  created_before: s
    .optional(s.datetime({ example: '2026-02-01T00:00:00Z' }))
    .describe('Only entries that were created before this time.'),
};

export interface PageQuery {
  page: number;
  size?: number | undefined;
  page_size?: number | undefined;
}

/** The window a list query reads. */
export function pageOf(query: PageQuery): { page: number; size: number; offset: number } {
  const size = query.size ?? query.page_size ?? 50;
  return { page: query.page, size, offset: (query.page - 1) * size };
}

export const paged = <S extends z.ZodType>(item: S) =>
  z.strictObject({
    items: z.array(item).describe('The entries of this page.'),
    total: z.int().describe('How many entries there are on all pages.'),
    page: z.int().describe('Which page this is; the first is 1.'),
    size: z.int().describe('The most entries that a page has.'),
    pages: z.int().describe('How many pages there are.'),
  });

export interface Paged<T> {
  items: T[];
  total: number;
  page: number;
  size: number;
  pages: number;
}

export function pageAnswer<T>(items: T[], total: number, { page, size }: { page: number; size: number }): Paged<T> {
  return { items, total, page, size, pages: Math.ceil(total / size) };
}

/** The answer of an operation that has no other result. */
export const success = z.strictObject({
  success: z.literal(true).describe('Always true; failures have an error status.'),
});
export const done = { success: true } as const;
