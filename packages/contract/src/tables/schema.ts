import * as z from 'zod';
import { etag, groupId } from '../fields.ts';
import { namedList } from '../list-query.ts';
import { mayField } from '../may.ts';
import * as s from '../schema/schema.ts';
import { columnTypes, idTypes } from './types.ts';

/** How a cell can be compared in a filter. */
export const filterOperators = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'ends_with',
  'is_null',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

export const deletePolicies = ['restrict', 'cascade', 'set_null'] as const;
export type DeletePolicy = (typeof deletePolicies)[number];

const choice = z.strictObject({
  value: z.string().describe('What the cell holds.'),
  label: z.string().nullable().describe('What people see; null: the value.'),
});
export type Choice = z.output<typeof choice>;

const tableColumn = z
  .strictObject({
    name: z.string().describe('The name in rows, filters and SQL.'),
    type: z.enum(columnTypes).describe('The type of the cells; a `reference` holds the id of a row of another table.'),
    label: z.string().nullable().describe('The title that people see; null: the name.'),
    default: z.string().nullable().describe('The value of new rows that give none, as text; null: an empty cell.'),
    references: z.guid().nullable().describe('The table that a `reference` refers to; null for other types.'),
    on_delete: z
      .enum(deletePolicies)
      .nullable()
      .describe('What happens to this row when the row it refers to is deleted; null unless it is a `reference`.'),
    indexed: z.boolean().describe('Whether filters and sorts by this column use an index.'),
    choices: z
      .array(choice)
      .nullable()
      .describe('The only values that cells of a `text` column may have, in their order; null: any text.'),
  })
  .meta({ id: 'TableColumn' });

const user = z.strictObject({
  kind: z.enum(['agent', 'workflow']).describe('What uses the table.'),
  id: z.guid().describe('The id of the agent or workflow.'),
  name: z.string().describe('Its name.'),
});

const changeReport = z.strictObject({
  dry_run: z.boolean().describe('Whether the change was only tried.'),
  failing_rows: z.int().describe('How many rows have a value that does not fit the new type.'),
  examples: z
    .array(
      z.strictObject({
        id: z.union([z.string(), z.int()]).describe('The id of the row.'),
        value: z.string().describe('Its value, as text.'),
      }),
    )
    .describe('Some of these rows.'),
});

export const table = z
  .strictObject({
    id: z.guid().describe('The id of the table.'),
    group_id: groupId,
    name: z.string().describe('The name that people see.'),
    sql_name: z.string().describe('The name in SQL; stays when the table is renamed.'),
    description: z.string().nullable().describe('What the table holds; agents that use the table read it.'),
    id_type: z.enum(idTypes).describe('Whether the ids of rows are UUIDs or numbers counted up from 1.'),
    columns: z.array(tableColumn).describe('The columns in their order, without `id`.'),
    meta: z.record(z.string(), z.unknown()).describe('Data of the client, stored as it is.'),
    created_at: z.iso
      .datetime()
      .nullable()
      .describe('When the table was created (ISO 8601, UTC); null for a platform table.'),
    updated_at: z.iso
      .datetime()
      .nullable()
      .describe('When the table or its columns were last changed (ISO 8601, UTC); null for a platform table.'),
    etag: etag
      .nullable()
      .describe('Changes with the table and its columns, for `If-Match`; null for a platform table.'),
    source: z
      .enum(['custom', 'platform'])
      .describe('`custom`: created in the workspace. `platform`: a read-only view of the records of Atrium.'),
    deleted_at: z.iso
      .datetime()
      .nullable()
      .describe('When the table was deleted; it can be restored for seven days. Null: it is not deleted.'),
    dropped_columns: z
      .array(
        z.strictObject({
          name: z.string().describe('The name that the column had.'),
          type: z.enum(columnTypes).describe('The type of its cells.'),
          dropped_at: z.iso.datetime().describe('When it was dropped (ISO 8601, UTC).'),
        }),
      )
      .describe('Columns that can still be restored, newest first.'),
    used_by: z.array(user).describe('The agents and workflows that use the table.'),
    report: changeReport
      .nullable()
      .describe(
        'What a change of type did to values that do not fit. Only in the answer to such a change or a dry run.',
      ),
    may: mayField('table'),
  })
  .meta({ id: 'Table' });

export type Table = z.output<typeof table>;
export type TableColumn = z.output<typeof tableColumn>;
export type ChangeReport = z.output<typeof changeReport>;

const name = s.str({ min: 1, max: 200 }).describe('The name that people see.');
/** Longer than a name in PostgreSQL can be: the service refuses such a name with the reason. */
const columnName = s.str({ min: 1, max: 1000 });
const label = s.optional(s.str({ max: 200 })).describe('The title that people see; the name unless given.');
const defaultValue = s
  .optional(
    z.preprocess(
      (input) => (typeof input === 'number' || typeof input === 'boolean' ? String(input) : input),
      s.str({ max: 10_000 }),
    ),
  )
  .describe('The value of new rows that give none, as text; a number or a boolean is accepted too.');
const indexed = s
  .optional(s.bool())
  .describe('Whether filters and sorts by this column use an index; false unless given.');
const choices = s
  .optional(
    s.list(
      s.object({
        value: s.str({ min: 1, max: 200 }).describe('What the cell holds; unique in the column.'),
        label: s.optional(s.str({ max: 200 })).describe('What people see; the value unless given.'),
      }),
      { max: 200 },
    ),
  )
  .describe(
    'The only values that cells may have, for a column of type `text`; at most 200. An empty list takes the restriction away.',
  );
const references = s
  .optional(s.uuid('table'))
  .describe('The table that a column of type `reference` refers to; needed for this type and refused for others.');
const on_delete = s
  .optional(s.oneOf(deletePolicies))
  .describe(
    'What happens to this row when the row it refers to is deleted: `restrict` (unless given) refuses the deletion, `cascade` deletes this row, `set_null` empties the cell.',
  );
const description = s
  .optional(s.str({ max: 10_000 }))
  .describe('What the table holds; agents that use the table read it.');
const meta = s.optional(s.dict()).describe('Data of the client, stored as it is.');

export const columnCreate = s
  .object({
    name: columnName.describe('The name in rows, filters and SQL; unique in the table. `id` is taken.'),
    type: s.withDefault(s.oneOf(columnTypes), 'text').describe('The type of the cells; `text` unless given.'),
    label,
    default: defaultValue,
    references,
    on_delete,
    indexed,
    choices,
  })
  .meta({ id: 'TableColumnCreate' });

export const tableCreate = s
  .object({
    name,
    id_type: s
      .withDefault(s.oneOf(idTypes), 'uuid')
      .describe('Whether the ids of rows are UUIDs or numbers counted up from 1; `uuid` unless given.'),
    description,
    columns: s
      .withDefault(s.list(columnCreate, { max: 500 }), () => [])
      .describe('The columns besides `id`; none unless given.'),
    meta,
  })
  .meta({ id: 'TableCreate' });

export const tablePatch = s
  .object({ name: s.optional(name).describe('The name that people see.'), description, meta })
  .meta({ id: 'TablePatch' });

export const columnPatch = s
  .object({ label, default: defaultValue, indexed, on_delete, choices })
  .meta({ id: 'TableColumnPatch' });
export const columnRename = s
  .object({ new_name: columnName.describe('The new name; unique in the table.') })
  .meta({ id: 'TableColumnRename' });
export const columnRetype = s
  .object({
    new_type: s.oneOf(columnTypes).describe('The type that the cells are converted to.'),
    references,
    on_delete,
  })
  .meta({ id: 'TableColumnRetype' });

const table_id = s.uuid('table').describe('The id of the table.');
export const tableParams = s.object({ table_id });
export const columnParams = s.object({ table_id, name: s.str().describe('The name of the column.') });

export const tableListQuery = s.query({
  ...namedList(['name', 'created_at', 'updated_at'], { order: 'the newest first; those of the platform come last' }),
  source: s
    .optional(s.oneOf(['custom', 'platform']))
    .describe('Only tables of the workspace, or only those of the platform; both unless given.'),
  deleted: s.withDefault(s.bool(), false).describe('List the deleted tables that can be restored instead.'),
});
const dry_run = s
  .withDefault(s.bool(), false)
  .describe('Show what would become of the table, without changing anything.');
export const dryRunQuery = s.query({ dry_run });
const on_failure = s
  .optional(s.oneOf(['refuse', 'null']))
  .describe('What to do with values that do not fit: `refuse` the request (unless given), or make them `null`.');
export const failureQuery = s.query({ dry_run, on_failure });
export const restoreQuery = s.query({ on_failure });

export type ColumnCreate = z.output<typeof columnCreate>;
export type TableCreate = z.output<typeof tableCreate>;
export type TablePatch = z.output<typeof tablePatch>;
export type ColumnPatch = z.output<typeof columnPatch>;
export type ColumnRetype = z.output<typeof columnRetype>;
export type TableListQuery = z.output<typeof tableListQuery>;
export type FailureQuery = z.output<typeof failureQuery>;
