import { conflict, InvalidRequest, notFound } from '@atrium/contract/errors.ts';
import type {
  ChangeReport,
  ColumnCreate,
  ColumnPatch,
  ColumnRetype,
  FailureQuery,
  Table,
} from '@atrium/contract/tables/schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import * as ddl from '../ddl/ddl-store.ts';
import { dryRunDdl, runDdl } from '../ddl/ddl-transaction.ts';
import { droppedTableName } from '../ddl/sql-names.ts';
import { newChange } from '../history/record-change-store.ts';
import { presentTable, type TableUsers } from '../present-table.ts';
import { explainRowErrors } from '../rows/explain-row-errors.ts';
import type { Tables } from '../service.ts';
import { type ColumnRow, type TableRow, touchTable } from '../store.ts';
import { changeChoices } from './change-choices.ts';
import { changeColumnType } from './change-column-type.ts';
import { insertColumn, setColumnDropped, updateColumn } from './column-store.ts';
import {
  choiceErrors,
  choicesOf,
  defaultErrors,
  nameErrors,
  planColumns,
  rejectReferenceCycle,
} from './plan-columns.ts';
import { reattachReferences } from './reattach-references.ts';

type DryRun = { dry_run: boolean };

/** Changes the columns of tables; each change is one transaction, and a dry run is rolled back. */
export interface Columns {
  add(scope: Scope, table_id: string, input: ColumnCreate, query: DryRun): Promise<Table>;
  /** Adds columns to a locked table in the caller's transaction; returns the changed table. */
  addIn(tx: Db, scope: Scope, table: TableRow, inputs: readonly ColumnCreate[]): Promise<TableRow>;
  patch(scope: Scope, table_id: string, name: string, input: ColumnPatch, query: FailureQuery): Promise<Table>;
  rename(scope: Scope, table_id: string, name: string, new_name: string, query: DryRun): Promise<Table>;
  retype(scope: Scope, table_id: string, name: string, input: ColumnRetype, query: FailureQuery): Promise<Table>;
  /** Hides a column for a week; its cells stay in the database. */
  drop(scope: Scope, table_id: string, name: string, query: DryRun): Promise<Table>;
  /** Restores the column of this name that was dropped last. */
  restore(scope: Scope, table_id: string, name: string, query: FailureQuery): Promise<Table>;
}

interface Needs {
  db: Database;
  tables: Pick<Tables, 'hold'>;
  usersOf: TableUsers;
}

/** A change of a locked table; its report is returned with the table. */
type Change = (tx: Db, table: TableRow) => Promise<ChangeReport | null>;

function columnOf(table: TableRow, name: string): ColumnRow {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (!column) throw notFound('column');
  return column;
}

const namesOf = (columns: readonly ColumnRow[]) => new Set(columns.map(({ name }) => name.toLowerCase()));

/** What the audit log says of columns: each as one text. */
const auditedColumns = ({ columns }: TableRow) =>
  Object.fromEntries(
    columns.map(({ name, type, label, default_value, references_table, on_delete, indexed, choices }) => {
      const values = choices?.map(({ value }) => value).join(' | ') ?? null;
      const more = { label, default: default_value, references: references_table, on_delete, choices: values };
      const texts = Object.entries(more).flatMap(([key, value]) => (value === null ? [] : `${key} ${value}`));
      return [name, [type, ...texts, ...(indexed ? ['indexed'] : [])].join('; ')];
    }),
  );

export function makeColumns({ db, tables, usersOf }: Needs): Columns {
  /** Makes a change in one transaction; rolls it back in a dry run. */
  function change(scope: Scope, table_id: string, dry_run: boolean, work: Change): Promise<Table> {
    const whole = async (tx: Db) => {
      const table = await tables.hold(tx, scope, table_id);
      const report = await explainRowErrors(db, table, () => work(tx, table));
      await touchTable(tx, scope.workspace_id, table_id);
      const after = await tables.hold(tx, scope, table_id);
      await tx.run(ddl.dropView(table));
      await tx.run(ddl.createView(after));
      if (!dry_run)
        scope.audit?.note({
          target: { kind: 'table', id: table_id, name: after.name },
          ...{ before: auditedColumns(table), after: auditedColumns(after) },
        });
      const users = await usersOf(tx, scope.workspace_id, [table_id]);
      const shownReport = report ?? (dry_run ? { failing_rows: 0, examples: [] } : null);
      return presentTable(after, users.get(table_id) ?? [], shownReport && { ...shownReport, dry_run });
    };
    return dry_run ? dryRunDdl(db, whole) : runDdl(db, scope, whole);
  }

  async function addTo(tx: Db, table: TableRow, inputs: readonly ColumnCreate[]): Promise<void> {
    const planned = await planColumns(tx, table.group_id, inputs, table, () => ['body']);
    for (const column of planned.columns) {
      const target = planned.targets.get(column.references_table ?? '');
      if (target) await rejectReferenceCycle(tx, table.group_id, table, target.id);
      await insertColumn(tx, table.group_id, table.id, column);
      await tx.run(ddl.addColumn(table, column));
      if (target) await tx.run(ddl.addReference(table, column, target));
      if (ddl.needsIndex(column)) await tx.run(ddl.addIndex(table, column));
      if (column.choices) await tx.run(ddl.addChoices(table, column));
    }
  }

  return {
    add: (scope, table_id, input, { dry_run }) =>
      change(scope, table_id, dry_run, async (tx, table) => {
        await addTo(tx, table, [input]);
        return null;
      }),

    async addIn(tx, scope, table, inputs) {
      if (inputs.length === 0) return table;
      await addTo(tx, table, inputs);
      await touchTable(tx, scope.workspace_id, table.id);
      const after = await tables.hold(tx, scope, table.id);
      await tx.run(ddl.dropView(table));
      await tx.run(ddl.createView(after));
      return after;
    },

    patch: (scope, table_id, name, input, query) =>
      change(scope, table_id, query.dry_run, async (tx, table) => {
        const before = columnOf(table, name);
        const after: ColumnRow = {
          ...before,
          label: input.label ?? before.label,
          default_value: input.default ?? before.default_value,
          indexed: input.indexed ?? before.indexed,
          on_delete: input.on_delete ?? before.on_delete,
          choices: input.choices === undefined ? before.choices : choicesOf(input.choices),
        };
        const validationErrors = [...choiceErrors(after, ['body']), ...defaultErrors(after, ['body'])];
        if (input.on_delete && before.type !== 'reference') {
          const error = 'only a column of type reference has it';
          const validationError = { msg: `Value error, ${error}`, type: 'value_error', ctx: { error } };
          validationErrors.push({ loc: ['body', 'on_delete'], ...validationError, input: input.on_delete });
        }
        if (validationErrors.length) throw new InvalidRequest(validationErrors);
        await updateColumn(tx, scope.workspace_id, after);
        if (after.default_value !== before.default_value) await tx.run(ddl.setDefault(table, after));
        if (after.on_delete !== before.on_delete) {
          await tx.run(ddl.dropReference(table, before));
          await reattachReferences(tx, table, after, undefined);
        }
        if (ddl.needsIndex(after) !== ddl.needsIndex(before))
          await tx.run(ddl.needsIndex(after) ? ddl.addIndex(table, after) : ddl.dropIndex(table, after));
        if (input.choices === undefined) return null;
        return changeChoices(tx, newChange(scope, table, 'update'), table, after, query);
      }),

    rename: (scope, table_id, name, new_name, { dry_run }) =>
      change(scope, table_id, dry_run, async (tx, table) => {
        const column = columnOf(table, name);
        const validationErrors = nameErrors(new_name, new Set(), ['body', 'new_name']);
        if (validationErrors.length) throw new InvalidRequest(validationErrors);
        if (namesOf(table.columns.filter((other) => other !== column)).has(new_name.toLowerCase()))
          throw conflict(`The table has a column ${new_name} already`, 'column_exists');
        if (new_name === name) return null;
        await tx.run(ddl.dropView(table));
        await tx.run(ddl.renameColumn(table, name, new_name));
        await updateColumn(tx, scope.workspace_id, { ...column, name: new_name });
        return null;
      }),

    retype: (scope, table_id, name, input, query) =>
      change(scope, table_id, query.dry_run, (tx, table) =>
        changeColumnType(tx, table, columnOf(table, name), input, query),
      ),

    drop: (scope, table_id, name, { dry_run }) =>
      change(scope, table_id, dry_run, async (tx, table) => {
        const column = columnOf(table, name);
        await tx.run(ddl.dropView(table));
        if (column.type === 'reference') await tx.run(ddl.dropReference(table, column));
        if (ddl.needsIndex(column)) await tx.run(ddl.dropIndex(table, column));
        await tx.run(ddl.dropDefault(table, column));
        await tx.run(ddl.renameColumn(table, name, droppedTableName(column.id)));
        await setColumnDropped(tx, scope.workspace_id, column.id, true);
        return null;
      }),

    restore: (scope, table_id, name, query) =>
      change(scope, table_id, query.dry_run, async (tx, table) => {
        if (namesOf(table.columns).has(name.toLowerCase()))
          throw conflict(`The table has a column ${name} by now; rename that one first`, 'column_exists');
        const column = table.dropped_columns.find((dropped) => dropped.name === name);
        if (!column) throw notFound('dropped column');
        await tx.run(ddl.renameColumn(table, droppedTableName(column.id), name));
        if (column.default_value !== null) await tx.run(ddl.setDefault(table, column));
        await setColumnDropped(tx, scope.workspace_id, column.id, false);
        await reattachReferences(tx, table, column, query.on_failure);
        if (ddl.needsIndex(column)) await tx.run(ddl.addIndex(table, column));
        return null;
      }),
  };
}
