import { createdFields, pageFields } from './page.ts';
import * as s from './schema/schema.ts';

const searchField = (fields: string) =>
  s
    .optional(s.str({ max: 255 }))
    .describe(`Only entries whose ${fields} contains this text; upper and lower case are equal.`);

const sortField = <const K extends string>(fields: readonly K[], order: string) =>
  s
    .optional(s.oneOf(fields.flatMap((field): (K | `-${K}`)[] => [field, `-${field}`])))
    .describe(`The field to sort by; with \`-\` before it, the largest or latest come first. Unless given: ${order}.`);

/** The parameters of a list whose entries have a time, but no name. `order` is the one without `sort`. */
export const timedList = (order = 'the newest first') => ({
  ...pageFields,
  ...createdFields,
  sort: sortField(['created_at'], order),
});

/** The parameters of a list whose entries have a name, or something like it, and change. */
export const namedList = <const K extends string>(
  sort: readonly K[],
  { search = 'name', order = 'the newest first' } = {},
) => ({
  ...pageFields,
  ...createdFields,
  updated_after: s
    .optional(s.datetime({ example: '2026-01-01T00:00:00Z' }))
    .describe('Only entries that were last changed at this time or later.'),
  search: searchField(search),
  sort: sortField(sort, order),
});

/** The same for entries that do not change. */
export const namedFixedList = <const K extends string>(
  sort: readonly K[],
  { search = 'name', order = 'the newest first' } = {},
) => ({ ...pageFields, ...createdFields, search: searchField(search), sort: sortField(sort, order) });

/** What stores read of such a query. */
export interface ListFilter {
  search?: string | undefined;
  sort?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  updated_after?: string | undefined;
}
