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
import { dryRunDdl, runDdl } from '../ddl/ddl-transaction.ts';
import { droppedTableName } from '../ddl/sql-names.ts';
import * as ddl from '../ddl/statements.ts';
import { presentTable, type TableUsers } from '../present-table.ts';
import { explainRowErrors } from '../rows/explain-row-errors.ts';
import type { Tables } from '../service.ts';
import { type ColumnRow, type TableRow, touchTable } from '../store.ts';
import { retype } from './change-column-type.ts';
import { insertColumn, setColumnDropped, updateColumn } from './column-store.ts';
import { defaultErrors, nameErrors, planColumns, rejectReferenceCycle } from './plan-columns.ts';
import { reattachReferences } from './reattach-references.ts';

export type Columns = ReturnType<typeof makeColumns>;

interface Needs {
  db: Database;
  tables: Pick<Tables, 'hold'>;
  usersOf: TableUsers;
}

/** Something is done to a held table; what it says of the rows is told with the table. */
type Change = (tx: Db, table: TableRow) => Promise<ChangeReport | null>;

function columnOf(table: TableRow, name: string): ColumnRow {
  const column = table.columns.find((one) => one.name === name);
  if (!column) throw notFound('column');
  return column;
}

const namesOf = (columns: readonly ColumnRow[]) => new Set(columns.map(({ name }) => name.toLowerCase()));

export function makeColumns({ db, tables, usersOf }: Needs) {
  /** One transaction, seen whole or not at all; a dry run is the same, undone. */
  function change(scope: Scope, table_id: string, dry_run: boolean, work: Change): Promise<Table> {
    const whole = async (tx: Db) => {
      const table = await tables.hold(tx, scope, table_id);
      const report = await explainRowErrors(db, table, () => work(tx, table));
      await touchTable(tx, scope.workspace_id, table_id);
      const after = await tables.hold(tx, scope, table_id);
      await tx.run(ddl.dropView(table));
      await tx.run(ddl.createView(after));
      const users = await usersOf(tx, scope.workspace_id, [table_id]);
      const told = report ?? (dry_run ? { failing_rows: 0, examples: [] } : null);
      return presentTable(after, users.get(table_id) ?? [], told && { ...told, dry_run });
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
    }
  }

  return {
    add: (scope: Scope, table_id: string, input: ColumnCreate, { dry_run }: { dry_run: boolean }) =>
      change(scope, table_id, dry_run, async (tx, table) => {
        await addTo(tx, table, [input]);
        return null;
      }),

    /** Several at once, to a table that is held, in a transaction of the caller's; the table as it is then. */
    async addIn(tx: Db, scope: Scope, table: TableRow, inputs: readonly ColumnCreate[]): Promise<TableRow> {
      if (inputs.length === 0) return table;
      await addTo(tx, table, inputs);
      await touchTable(tx, scope.workspace_id, table.id);
      const after = await tables.hold(tx, scope, table.id);
      await tx.run(ddl.dropView(table));
      await tx.run(ddl.createView(after));
      return after;
    },

    /** Its label, its default for rows to come, whether it is indexed, what a deleted row does to those that refer to it. */
    patch: (scope: Scope, table_id: string, name: string, input: ColumnPatch, { dry_run }: { dry_run: boolean }) =>
      change(scope, table_id, dry_run, async (tx, table) => {
        const before = columnOf(table, name);
        const after: ColumnRow = {
          ...before,
          label: input.label ?? before.label,
          default_value: input.default ?? before.default_value,
          indexed: input.indexed ?? before.indexed,
          on_delete: input.on_delete ?? before.on_delete,
        };
        const validationErrors = defaultErrors(after, ['body']);
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
        return null;
      }),

    rename: (scope: Scope, table_id: string, name: string, new_name: string, { dry_run }: { dry_run: boolean }) =>
      change(scope, table_id, dry_run, async (tx, table) => {
        const column = columnOf(table, name);
        const validationErrors = nameErrors(new_name, new Set(), ['body', 'new_name']);
        if (validationErrors.length) throw new InvalidRequest(validationErrors);
        if (namesOf(table.columns.filter((one) => one !== column)).has(new_name.toLowerCase()))
          throw conflict(`The table has a column ${new_name} already`, 'column_exists');
        if (new_name === name) return null;
        await tx.run(ddl.dropView(table));
        await tx.run(ddl.renameColumn(table, name, new_name));
        await updateColumn(tx, scope.workspace_id, { ...column, name: new_name });
        return null;
      }),

    retype: (scope: Scope, table_id: string, name: string, input: ColumnRetype, query: FailureQuery) =>
      change(scope, table_id, query.dry_run, (tx, table) => retype(tx, table, columnOf(table, name), input, query)),

    /** Puts the column away for a week; its cells stay where they are, seen by nobody. */
    drop: (scope: Scope, table_id: string, name: string, { dry_run }: { dry_run: boolean }) =>
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

    /** The one of this name that was dropped last. */
    restore: (scope: Scope, table_id: string, name: string, query: FailureQuery) =>
      change(scope, table_id, query.dry_run, async (tx, table) => {
        if (namesOf(table.columns).has(name.toLowerCase()))
          throw conflict(`The table has a column ${name} by now; rename that one first`, 'column_exists');
        const column = table.dropped_columns.find((one) => one.name === name);
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
