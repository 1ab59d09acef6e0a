import { z } from 'zod';
import * as s from './schema/schema.ts';

/** Clients send `page_size` as another name of `size`, often both; the proper name wins. */
export const pageFields = {
  page: s.withDefault(s.int({ ge: 1 }), 1),
  size: s.optional(s.int({ ge: 1, le: 100 })),
  page_size: s.optional(s.int({ ge: 1, le: 100 })),
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
  z.strictObject({ items: z.array(item), total: z.int(), page: z.int(), size: z.int(), pages: z.int() });

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

/** What an operation answers that has nothing to say but that it worked. */
export const success = z.strictObject({ success: z.literal(true) });
export const done = { success: true } as const;
