import { z } from 'zod';
import { pageFields } from '../page.ts';
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

const tableColumn = z
  .strictObject({
    name: z.string(),
    type: z.enum(columnTypes),
    label: z.string().nullable(),
    default: z.string().nullable(),
    references: z.guid().nullable(),
    on_delete: z.enum(deletePolicies).nullable(),
    indexed: z.boolean(),
  })
  .meta({ id: 'TableColumn' });

const user = z.strictObject({ kind: z.enum(['agent', 'workflow']), id: z.guid(), name: z.string() });

/** What a change of type did, or would do, to the values that do not fit the new one. */
const changeReport = z.strictObject({
  dry_run: z.boolean(),
  failing_rows: z.int(),
  examples: z.array(z.strictObject({ id: z.union([z.string(), z.int()]), value: z.string() })),
});

export const table = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    name: z.string(),
    /** What it is called in SQL. Stays when the table is renamed. */
    sql_name: z.string(),
    description: z.string().nullable(),
    id_type: z.enum(idTypes),
    columns: z.array(tableColumn),
    meta: z.record(z.string(), z.unknown()),
    created_at: z.iso.datetime().nullable(),
    updated_at: z.iso.datetime().nullable(),
    source: z.enum(['custom', 'platform']),
    deleted_at: z.iso.datetime().nullable(),
    /** Columns that can still be restored, the newest first. */
    dropped_columns: z.array(
      z.strictObject({ name: z.string(), type: z.enum(columnTypes), dropped_at: z.iso.datetime() }),
    ),
    used_by: z.array(user),
    report: changeReport.nullable(),
  })
  .meta({ id: 'Table' });

export type Table = z.output<typeof table>;
export type TableColumn = z.output<typeof tableColumn>;
export type ChangeReport = z.output<typeof changeReport>;

const name = s.str({ min: 1, max: 200 });
/** Longer than any name the database takes: whether it does is told with the reason. */
const columnName = s.str({ min: 1, max: 1000 });
const label = s.optional(s.str({ max: 200 }));
/** Kept as text, whatever the type; a number or a boolean may be sent as one. */
const defaultValue = s.optional(
  z.preprocess(
    (input) => (typeof input === 'number' || typeof input === 'boolean' ? String(input) : input),
    s.str({ max: 10_000 }),
  ),
);
const indexed = s.optional(s.bool());
const references = s.optional(s.uuid('table'));
const on_delete = s.optional(s.oneOf(deletePolicies));

export const columnCreate = s
  .object({
    name: columnName,
    type: s.withDefault(s.oneOf(columnTypes), 'text'),
    label,
    default: defaultValue,
    references,
    on_delete,
    indexed,
  })
  .meta({ id: 'TableColumnCreate' });

export const tableCreate = s
  .object({
    name,
    id_type: s.withDefault(s.oneOf(idTypes), 'uuid'),
    description: s.optional(s.str({ max: 10_000 })),
    columns: s.withDefault(s.list(columnCreate, { max: 500 }), () => []),
    meta: s.optional(s.dict()),
  })
  .meta({ id: 'TableCreate' });

export const tablePatch = s
  .object({ name: s.optional(name), description: s.optional(s.str({ max: 10_000 })), meta: s.optional(s.dict()) })
  .meta({ id: 'TablePatch' });

export const columnPatch = s
  .object({ label, default: defaultValue, indexed, on_delete })
  .meta({ id: 'TableColumnPatch' });
export const columnRename = s.object({ new_name: columnName }).meta({ id: 'TableColumnRename' });
export const columnRetype = s
  .object({ new_type: s.oneOf(columnTypes), references, on_delete })
  .meta({ id: 'TableColumnRetype' });

export const tableParams = s.object({ table_id: s.uuid('table') });
export const columnParams = s.object({ table_id: s.uuid('table'), name: s.str() });

export const tableListQuery = s.query({
  ...pageFields,
  search: s.optional(s.str({ max: 200 })),
  source: s.optional(s.oneOf(['custom', 'platform'])),
  deleted: s.withDefault(s.bool(), false),
});
const dry_run = s.withDefault(s.bool(), false);
export const dryRunQuery = s.query({ dry_run });
/** `null`: a value that can't become the new type is given up instead of refused. */
const on_failure = s.optional(s.oneOf(['refuse', 'null']));
export const failureQuery = s.query({ dry_run, on_failure });
export const restoreQuery = s.query({ on_failure });

export type ColumnCreate = z.output<typeof columnCreate>;
export type TableCreate = z.output<typeof tableCreate>;
export type TablePatch = z.output<typeof tablePatch>;
export type ColumnPatch = z.output<typeof columnPatch>;
export type ColumnRetype = z.output<typeof columnRetype>;
export type TableListQuery = z.output<typeof tableListQuery>;
export type FailureQuery = z.output<typeof failureQuery>;
