import { conflict, notFound } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { FailureQuery, Table, TableCreate, TableListQuery, TablePatch } from '@atrium/contract/tables/schema.ts';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import { sqlNameFor } from './column-names.ts';
import { insertColumn, listReferences } from './columns/column-store.ts';
import { planColumns } from './columns/plan-columns.ts';
import { reattachReferences } from './columns/reattach-references.ts';
import * as ddl from './ddl/ddl-store.ts';
import { runDdl } from './ddl/ddl-transaction.ts';
import { ensureSpace, prepareSpace } from './ddl/workspace-schema-store.ts';
import { type PlatformTable, platformTablesOf } from './platform-tables.ts';
import { presentPlatform, presentTable, type TableUsers } from './present-table.ts';
import * as store from './store.ts';

export { tableNames } from './store.ts';

/** The tables of a workspace. */
export interface Tables {
  /** A table that the caller may read, of the workspace or of the platform; fails with `not_found`. */
  find(scope: Scope, id: string): Promise<AnyTable>;
  /** Locks a table of the workspace until the transaction ends. */
  hold(tx: Db, scope: Scope, id: string, dropped?: boolean): Promise<store.TableRow>;
  get(scope: Scope, id: string): Promise<Table>;
  /** The tables of the workspace, newest first, then those of the platform. */
  list(scope: Scope, query: TableListQuery): Promise<Paged<Table>>;
  /** Creates a table in the caller's transaction; one of an archive has its id and keeps its SQL name where it is free. */
  createIn(tx: Db, scope: Scope, input: TableCreate, given?: GivenTable): Promise<store.TableRow>;
  create(scope: Scope, input: TableCreate): Promise<Table>;
  update(scope: Scope, id: string, patch: TablePatch): Promise<Table>;
  /** Deletes a table so that it can be restored for a week; refuses it while columns refer to it. */
  remove(scope: Scope, id: string): Promise<void>;
  /** Restores a deleted table, under another SQL name if the old one is taken. */
  restore(scope: Scope, id: string, query: Pick<FailureQuery, 'on_failure'>): Promise<Table>;
}

/** What a table has before it is created. */
export interface GivenTable {
  id: string;
  sql_name: string;
}

/** A table that can be read: one of the workspace or one of the platform. */
export type AnyTable =
  | { source: 'custom'; row: store.TableRow }
  | { source: 'platform'; table: PlatformTable & { id: string } };

/** The platform's tables hold all conversations, so callers need the permission to read those. */
const platformFor = (scope: Scope) =>
  allows(scope.permissions, 'conversations_read') ? platformTablesOf(scope.workspace_id) : [];

export const readOnly = () => conflict("The platform's own tables can only be read", 'table_is_read_only');

export function makeTables({ db, usersOf }: { db: Database; usersOf: TableUsers }): Tables {
  async function present(from: Db, scope: Scope, row: store.TableRow): Promise<Table> {
    const users = await usersOf(from, scope.workspace_id, [row.id]);
    return presentTable(row, users.get(row.id) ?? []);
  }

  async function find(scope: Scope, id: string): Promise<AnyTable> {
    const row = await store.findTable(db, scope.workspace_id, id);
    if (row) return { source: 'custom', row };
    const table = platformFor(scope).find((candidate) => candidate.id === id);
    if (!table) throw notFound('table');
    return { source: 'platform', table };
  }

  async function hold(tx: Db, scope: Scope, id: string, dropped = false): Promise<store.TableRow> {
    const row = await store.lockTable(tx, scope.workspace_id, id, dropped);
    if (row) return row;
    if (platformFor(scope).some((table) => table.id === id)) throw readOnly();
    throw notFound('table');
  }

  async function createIn(
    tx: Db,
    scope: Scope,
    { columns: inputs, ...input }: TableCreate,
    given?: GivenTable,
  ): Promise<store.TableRow> {
    const { workspace_id } = scope;
    const placeOf = (index: number) => ['body', 'columns', String(index)];
    const planned = await planColumns(tx, workspace_id, inputs, undefined, placeOf);
    await ensureSpace(tx, workspace_id);
    const id = given?.id ?? newId();
    const sql_name = sqlNameFor(input.name, await store.sqlNames(tx, workspace_id), given?.sql_name);
    const { name, id_type, description = null, meta = {} } = input;
    await store.insertTable(tx, workspace_id, { id, sql_name, name, description, id_type, meta });
    for (const column of planned.columns) await insertColumn(tx, workspace_id, id, column);
    const table = required(await store.findTable(tx, workspace_id, id));
    await tx.run(ddl.createTable(table));
    for (const column of table.columns) {
      const target = planned.targets.get(column.references_table ?? '');
      if (target) await tx.run(ddl.addReference(table, column, target));
      if (ddl.needsIndex(column)) await tx.run(ddl.addIndex(table, column));
      if (column.choices) await tx.run(ddl.addChoices(table, column));
    }
    await tx.run(ddl.createView(table));
    return table;
  }

  async function platformList(scope: Scope, query: TableListQuery): Promise<Table[]> {
    const { search = '', source, deleted, created_after, created_before, updated_after } = query;
    // Tables of the platform have no times.
    if (deleted || source === 'custom' || created_after || created_before || updated_after) return [];
    const found = platformFor(scope).filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
    const users = await usersOf(
      db,
      scope.workspace_id,
      found.map(({ id }) => id),
    );
    return found.map((table) => presentPlatform(scope.workspace_id, table, users.get(table.id) ?? []));
  }

  return {
    find,
    hold,

    async get(scope, id) {
      const found = await find(scope, id);
      if (found.source === 'custom') return present(db, scope, found.row);
      const users = await usersOf(db, scope.workspace_id, [id]);
      return presentPlatform(scope.workspace_id, found.table, users.get(id) ?? []);
    },

    async list(scope, query) {
      const page = pageOf(query);
      const filter = { ...query, dropped: query.deleted };
      const platform = await platformList(scope, query);
      const own = query.source === 'platform' ? 0 : await store.countTables(db, scope.workspace_id, filter);
      const rows = page.offset < own ? await store.listTables(db, scope.workspace_id, filter, page) : [];
      const users = await usersOf(
        db,
        scope.workspace_id,
        rows.map(({ id }) => id),
      );
      const items = rows.map((row) => presentTable(row, users.get(row.id) ?? []));
      const from = Math.max(0, page.offset - own);
      items.push(...platform.slice(from, from + page.size - items.length));
      return pageAnswer(items, own + platform.length, page);
    },

    createIn,

    async create(scope, input) {
      await prepareSpace(db, scope.workspace_id);
      return runDdl(db, scope, async (tx) => {
        const table = await createIn(tx, scope, input);
        scope.audit?.note({ target: { kind: 'table', id: table.id, name: table.name } });
        return present(tx, scope, table);
      });
    },

    update: (scope, id, patch) =>
      db.transaction(scope, async (tx) => {
        await hold(tx, scope, id);
        await store.updateTable(tx, scope.workspace_id, id, patch);
        return present(tx, scope, await hold(tx, scope, id));
      }),

    remove: (scope, id) =>
      runDdl(db, scope, async (tx) => {
        const table = await hold(tx, scope, id);
        const references = await listReferences(tx, scope.workspace_id);
        const users = references.filter(({ references_table }) => references_table === id);
        if (users.length)
          throw conflict(
            `Columns refer to it: ${users.map(({ table_name, column_name }) => `${table_name}.${column_name}`).join(', ')}`,
            'table_is_referenced',
          );
        await tx.run(ddl.dropView(table));
        // The foreign keys of a deleted table must not keep rows of other tables from being deleted.
        for (const column of table.columns)
          if (column.type === 'reference') await tx.run(ddl.dropReference(table, column));
        await tx.run(ddl.hideDroppedTable(table));
        await store.setTableDropped(tx, scope.workspace_id, id, true, table.sql_name);
      }),

    restore: (scope, id, { on_failure }) =>
      runDdl(db, scope, async (tx) => {
        const dropped = await store.lockTable(tx, scope.workspace_id, id, true);
        if (!dropped) return present(tx, scope, await hold(tx, scope, id));
        const others = await store.sqlNames(tx, scope.workspace_id);
        const sql_name = others.has(dropped.sql_name) ? sqlNameFor(dropped.name, others) : dropped.sql_name;
        await tx.run(ddl.restoreTable(dropped, sql_name));
        await store.setTableDropped(tx, scope.workspace_id, id, false, sql_name);
        const table = await hold(tx, scope, id);
        for (const column of table.columns) await reattachReferences(tx, table, column, on_failure);
        await tx.run(ddl.createView(table));
        return present(tx, scope, table);
      }),
  };
}
