import * as z from 'zod';
import { decodeCursor, encodeCursor, type Position } from './cursor.ts';
import * as s from './schema/schema.ts';

/** Items as summaries instead of whole records; for every list that has summaries. */
export const viewField = () =>
  s
    .optional(s.oneOf(['full', 'summary']))
    .describe(
      '`full` unless given. `summary`: each item has only the fields that lists show and is smaller than 600 bytes; long texts are cut.',
    );

/** Clients send `page_size` as another name of `size`, often both; the proper name wins. */
export const windowFields = {
  page: s.withDefault(s.int({ ge: 1 }), 1).describe('Which page to return; the first is 1.'),
  size: s.optional(s.int({ ge: 1, le: 100 })).describe('Entries on a page; 50 unless given.'),
  page_size: s.optional(s.int({ ge: 1, le: 100 })).describe('Another name of `size`, which wins.'),
  view: viewField(),
};

export const pageFields = {
  ...windowFields,
  after: s
    .optional(s.str({ min: 1, max: 4000 }))
    .describe(
      '`next` of the page before, which this page follows; `page` is then ignored. Every page costs the same by this, however far in the list it is, and no entry is missed or returned twice when others are added meanwhile. Filters and `sort` stay as they were.',
    ),
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
  after?: string | undefined;
  facets?: boolean | undefined;
}

/** The part of a list that a query asks for. */
export interface PageWindow {
  size: number;
  /** Entries to leave out before the page; 0 when it follows a position. */
  offset: number;
  /** The page begins after this entry. */
  after?: Position;
  /** The total that a page before has counted. */
  total?: number;
  sort?: string | undefined;
  /** Whether values are counted beside the page. */
  facets?: boolean | undefined;
}

interface NumberedWindow extends PageWindow {
  page: number;
}

/** The window a list query reads. */
export function pageOf(query: PageQuery & { sort?: string | undefined }): NumberedWindow {
  const { after: text, sort, page, facets } = query;
  const size = query.size ?? query.page_size ?? 50;
  if (text === undefined) return { page, size, offset: (page - 1) * size, sort, facets };
  const { after, total, page: number } = decodeCursor(text, sort);
  if ('offset' in after) return { page: number, size, offset: after.offset, sort, facets };
  return { page: number, size, offset: 0, after, total, sort, facets };
}

/** The fields of the summaries in a list, by the schema of its answer. */
const summaries = z.registry<{ fields: readonly string[] }>();
export const summaryFieldsOf = (answer: z.ZodType): readonly string[] | undefined => summaries.get(answer)?.fields;

/** Some fields of an item, as its summary. A text of a summary may be cut, so a field of a fixed form must be short. */
export function summaryOf<O extends z.ZodObject, K extends keyof O['shape'] & string>(item: O, fields: readonly K[]) {
  const mask = Object.fromEntries(fields.map((field) => [field, true])) as never;
  const id = item.meta()?.id;
  const summary = item.pick(mask) as unknown as z.ZodObject<Pick<O['shape'], K>, z.core.$strict>;
  return id === undefined ? summary : summary.meta({ id: `${id}Summary` });
}

const fieldsOf = (summary: z.ZodType): string[] => {
  if (summary instanceof z.ZodObject) return Object.keys(summary.shape);
  return summary instanceof z.ZodUnion ? summary.options.flatMap((option) => fieldsOf(option as z.ZodType)) : [];
};

function rememberSummary<A extends z.ZodType>(answer: A, summary: z.ZodType): A {
  summaries.add(answer, { fields: [...new Set(fieldsOf(summary))] });
  return answer;
}

/** A list without pages, whose items can be summaries. */
export const listed = <S extends z.ZodType, T extends z.ZodType>(item: S, summary: T) =>
  rememberSummary(z.array(z.union([item, summary])), summary);

/** A page of a list; with `view=summary` its items are summaries. */
export const paged = <S extends z.ZodType, T extends z.ZodType>(item: S, summary: T) =>
  rememberSummary(pageObject(z.union([item, summary])), summary);

const facetCounts = z
  .record(
    z.string(),
    z.array(
      z.strictObject({
        value: z.string().nullable().describe('A value of the field; null: entries without one.'),
        count: z.int().describe('How many entries have it.'),
      }),
    ),
  )
  .describe('With `facets=true`: how many of the first 10,000 matching entries have each value, by field.');
export type Facets = z.output<typeof facetCounts>;
export const facetsField = () =>
  s.optional(s.bool()).describe('Whether the answer has `facets`: counts beside the filters of the list.');

const pageObject = <S extends z.ZodType>(item: S) =>
  z.strictObject({
    items: z.array(item).describe('The entries of this page.'),
    total: z.int().describe('How many entries there are on all pages.'),
    page: z.int().describe('Which page this is; the first is 1.'),
    size: z.int().describe('The most entries that a page has.'),
    pages: z.int().describe('How many pages there are.'),
    next: z.string().nullable().describe('Send it as `after` for the next page; null on the last one.'),
    facets: facetCounts.optional(),
  });

export interface Paged<T> {
  items: T[];
  total: number;
  page: number;
  size: number;
  pages: number;
  next: string | null;
  facets?: Facets;
}

/** `last`: the last entry of the page, or null if none follows. Only lists that are short in any case go without it. */
export function pageAnswer<T>(items: T[], total: number, window: NumberedWindow, last?: Position | null): Paged<T> {
  const { page, size, offset, sort } = window;
  const until = offset + size;
  const after = last === undefined && until < total ? { offset: until } : last;
  const next = after ? encodeCursor({ ...(sort !== undefined && { sort }), page: page + 1, total, after }) : null;
  return { items, total, page, size, pages: Math.ceil(total / size), next };
}

/** The answer of an operation that has no other result. */
export const success = z.strictObject({
  success: z.literal(true).describe('Always true; failures have an error status.'),
});
export const done = { success: true } as const;
