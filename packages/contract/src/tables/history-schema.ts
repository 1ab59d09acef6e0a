import * as z from 'zod';
import { actorField } from '../actor.ts';
import { refuse, scalar } from '../schema/scalar.ts';
import * as s from '../schema/schema.ts';
import { mostRows, rowFilters, rowIds } from './rows-schema.ts';

/** The fields that say who made a change, and when. */
const madeBy = {
  changed_at: z.iso.datetime().describe('When it was made (ISO 8601, UTC).'),
  changed_by: z
    .guid()
    .nullable()
    .describe('Who made it: a person, a key, a trigger …; null: the platform, or a person who was erased.'),
  changed_by_actor: actorField('The same with name and kind.'),
  run_id: z
    .string()
    .nullable()
    .describe('The agent run or workflow run that made it for that actor; null: a request made it.'),
};

const cells = z.record(z.string(), z.unknown()).nullable();

const rowChange = z
  .strictObject({
    change_id: z.guid().describe('The change that it is a part of.'),
    kind: z.enum(['created', 'updated', 'deleted']).describe('What happened to the row.'),
    ...madeBy,
    before: cells.describe('The cells before: those that were changed, or all of a deleted row. Null: it was created.'),
    after: cells.describe('The cells after: those that were changed, or all of a created row. Null: it was deleted.'),
  })
  .meta({ id: 'TableRowChange' });

export const rowHistory = z
  .strictObject({
    items: z.array(rowChange).describe('The changes of the row, the newest first.'),
    exists: z.boolean().describe('Whether the row is there now; a deleted one can be restored.'),
  })
  .meta({ id: 'TableRowHistory' });

export const historyQuery = s.query({
  size: s.withDefault(s.int({ ge: 1, le: 500 }), 50).describe('The most changes to answer; 50 unless given.'),
});

export const changeKinds = ['insert', 'update', 'upsert', 'delete', 'import', 'restore', 'undo'] as const;

const change = z.strictObject({
  id: z.guid().describe('The id of the change.'),
  table_id: z.guid().describe('The table that was written to.'),
  kind: z.enum(changeKinds).describe('What was done.'),
  created: z.int().describe('How many rows were created.'),
  updated: z.int().describe('How many rows were changed.'),
  deleted: z.int().describe('How many rows were deleted.'),
  cascaded: z.int().describe('How many rows of other tables were changed or deleted by their references to these.'),
  ...madeBy,
  undoes: z.guid().nullable().describe('For `undo`: the change that was undone. Null for others.'),
  undone_in: z.guid().nullable().describe('The last change that undid this one; null: it was not undone.'),
  has_rows: z
    .boolean()
    .describe('Whether its rows are kept, so that it can be undone; not those of an import of more than 10,000 rows.'),
});
export const tableChange = change.meta({ id: 'TableChange' });

export const tableChangePage = z
  .strictObject({
    items: z.array(tableChange).describe('The changes of this page, the newest first.'),
    next_cursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
  })
  .meta({ id: 'TableChangePage' });

export const tableChangeWithRows = change
  .extend({
    rows: z
      .array(
        z.strictObject({
          table_id: z.guid().describe('The table of the row; another one for rows that referred to deleted ones.'),
          row_id: z.string().describe('The id of the row.'),
          kind: z.enum(['created', 'updated', 'deleted']).describe('What happened to it.'),
          before: cells.describe('The cells before; null for a created row.'),
          after: cells.describe('The changed cells after; null for a deleted row, and for a created one.'),
        }),
      )
      .describe('The first 100 rows.'),
  })
  .meta({ id: 'TableChangeWithRows' });

export const changeListQuery = s.query({
  kind: s.optional(s.oneOf(changeKinds)).describe('Only changes of this kind.'),
  changed_by: s.optional(s.uuid()).describe('Only changes that this actor made.'),
  size: s.withDefault(s.int({ ge: 1, le: 100 }), 50).describe('Changes on a page; 50 unless given.'),
  cursor: s.optional(s.uuid()).describe('`next_cursor` of the page before; the first page unless given.'),
});

export const changeParams = s.object({
  table_id: s.uuid('table').describe('The id of the table.'),
  change_id: s.uuid('table_change').describe('The id of the change.'),
});

/** Text or number; the type depends on the table, so the service checks it. */
const givenId = scalar<string | number>({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, (input) =>
  typeof input === 'number' || (typeof input === 'string' && input.length <= 100)
    ? input
    : refuse('string_type', 'Input should be a valid string'),
);
const givenIds = s.list(givenId, { min: 1, max: mostRows });

export const rowsBulk = s
  .object({
    action: s.oneOf(['update', 'delete']).describe('What to do with the rows.'),
    ids: s.optional(givenIds).describe('The rows by their ids, at most 10,000; instead of `filter` and `search`.'),
    etags: s
      .optional(s.list(s.str({ max: 40 }), { max: mostRows }))
      .describe(
        'The versions of the rows in the order of `ids`, as `If-Match` has one: if a row is newer, nothing is done.',
      ),
    filter: s.optional(rowFilters).describe('The rows that meet all of these conditions, at most 10,000 of them.'),
    search: s.optional(s.str({ min: 1, max: 255 })).describe('The rows of which a text contains this.'),
    values: s.optional(s.dict()).describe('For `update`: the cells to set in every row; null empties one.'),
  })
  .meta({ id: 'TableRowsBulk' });

export const rowsBulkAnswer = z
  .strictObject({
    dry_run: z.boolean().describe('Whether the rows were only counted.'),
    matched: z.int().describe('How many rows there are.'),
    changed: z.int().describe('How many were changed or deleted; 0 in a dry run.'),
    missing: rowIds.describe('Those of `ids` that are no rows of the table.'),
    change_id: z.guid().nullable().describe('The change, to undo it; null where nothing was changed.'),
  })
  .meta({ id: 'TableRowsBulkAnswer' });

export const rowsRestore = s
  .object({ ids: givenIds.describe('The deleted rows by their ids, at most 10,000.') })
  .meta({ id: 'TableRowsRestore' });

export const reversal = z
  .strictObject({
    dry_run: z.boolean().describe('Whether it was only tried.'),
    created: z.int().describe('How many deleted rows came back.'),
    updated: z.int().describe('How many rows got their former cells.'),
    deleted: z.int().describe('How many created rows were deleted.'),
    missing: rowIds.describe('Ids of which the history has no deleted row.'),
    change_id: z.guid().nullable().describe('The change that this made, to undo it; null where nothing was changed.'),
  })
  .meta({ id: 'TableReversal' });

export type RowsBulk = z.output<typeof rowsBulk>;
export type RowsBulkAnswer = z.output<typeof rowsBulkAnswer>;
export type RowHistory = z.output<typeof rowHistory>;
export type TableChange = z.output<typeof tableChange>;
export type TableChangeWithRows = z.output<typeof tableChangeWithRows>;
export type ChangeListQuery = z.output<typeof changeListQuery>;
export type Reversal = z.output<typeof reversal>;
