import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { z } from 'zod';
import type { Scope } from '../../lib/scope.ts';
import type { Tool, ToolCall } from '../tools/ports.ts';
import { defineTool, ToolError } from '../tools/service.ts';
import { columnsShape, describeTables, filterShape, type ToolTable } from './describe-tables.ts';
import type { RowService } from './rows/row-service.ts';
import { searchRows } from './rows/search-row-store.ts';
import type { AnyTable, Tables } from './service.ts';
import type { ColumnRow } from './store.ts';

interface Needs {
  tables: Pick<Tables, 'find'>;
  rows: Pick<RowService, 'reading' | 'search' | 'get' | 'insertMany' | 'update' | 'remove'>;
}

const shapeOf = (
  found: AnyTable,
): { id: string; sql_name: string; name: string; description: string | null; columns: ColumnRow[] } =>
  found.source === 'custom' ? found.row : found.table;

/** Shows refused requests to the model, which may have misspelt a column. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof InvalidRequest)
      throw new ToolError(error.validationErrors.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; '));
    if (error instanceof AppError) throw new ToolError(error.message);
    throw error;
  }
}

/** The existing tables of the settings, by their SQL names. */
async function tablesIn(scope: Scope, settings: Settings, tables: Needs['tables']): Promise<Map<string, ToolTable>> {
  const named = new Map<string, ToolTable>();
  for (const entry of settings.tables) {
    const { id, enabled = true, access = 'read', trusted = false } = typeof entry === 'string' ? { id: entry } : entry;
    if (!enabled) continue;
    try {
      const found = await tables.find(scope, id.toLowerCase());
      const shape = shapeOf(found);
      const writes = access === 'write' && found.source === 'custom';
      const id_type = found.source === 'custom' ? found.row.id_type : 'uuid';
      named.set(shape.sql_name, { ...shape, id_type, writes, trusted });
    } catch (error) {
      // The table was deleted or the caller may not read it: the agent works without it.
      if (!(error instanceof AppError && error.kind === 'not_found')) throw error;
    }
  }
  return named;
}

/** Tools that read the tables of the settings, and write to those whose entry allows it. */
export const makeTableTools =
  ({ tables, rows }: Needs) =>
  async (scope: Scope, settings: Settings): Promise<Tool[]> => {
    if (settings.tables.length === 0) return [];
    const named = await tablesIn(scope, settings, tables);
    if (named.size === 0) return [];
    const idOf = (name: string) => (named.get(name) as ToolTable).id;
    const all = [...named.values()];
    const writable = all.filter(({ writes }) => writes);
    const table = z.enum(all.map(({ sql_name }) => sql_name) as [string, ...string[]]);
    const row = z.record(z.string(), z.unknown());
    const about = describeTables(all);
    /**
     * Taints the run if a table may hold untrusted text. Checked after reading, so that a row and its mark fit
     * together.
     */
    async function noteRead(own: Scope, names: readonly string[], call: ToolCall): Promise<void> {
      for (const name of new Set(names)) {
        const { id, trusted } = named.get(name) as ToolTable;
        const found = await told(tables.find(own, id));
        // Platform tables hold messages of users, which are untrusted.
        if (!trusted && (found.source === 'platform' || found.row.untrusted)) call.brings('untrusted');
      }
    }

    const reading: Tool[] = [
      defineTool({
        tool: 'tables_query',
        description: `Rows of a table that fit all of these filters, sorted. Tables:\n${about}`,
        input: z.object({
          table,
          filters: z.array(filterShape).optional(),
          sort: z
            .string()
            .optional()
            .describe('Columns with commas between; - before one turns it around: -amount,name'),
          limit: z.int().min(1).max(100).optional(),
          cursor: z.string().optional().describe('next_cursor of the page before'),
        }),
        output: z.object({ rows: z.array(row), next_cursor: z.string().nullable() }),
        repeatable: true,
        brings: ['private'],
        permission: 'tables_read',
        run: async (own, { table: name, filters = [], sort, limit = 20, cursor }, _signal, _reveal, call) => {
          const query = { sort, cursor, size: limit, total: false };
          const page = await told(rows.search(own, idOf(name), query, filters));
          if (page.items.length) await noteRead(own, [name], call);
          return { rows: page.items, next_cursor: page.next_cursor };
        },
      }),
      defineTool({
        tool: 'tables_search',
        description: `Rows of the tables ${all.map(({ sql_name }) => sql_name).join(', ')} in which words stand, best first.`,
        input: z.object({ query: z.string().describe('Words to look for'), table: table.optional() }),
        output: z.object({ results: z.array(z.object({ table: z.string(), content: z.string(), row })) }),
        repeatable: true,
        brings: ['private'],
        permission: 'tables_read',
        run: async (own, { query, table: name }, _signal, _reveal, call) => {
          const results = [];
          for (const one of name ? [named.get(name) as ToolTable] : all) {
            const found = await told(rows.reading(own, one.id, (from, source) => searchRows(from, source, query, 10)));
            for (const item of found) results.push({ table: one.sql_name, content: columnsShape(item), row: item });
          }
          await noteRead(
            own,
            results.map((one) => one.table),
            call,
          );
          return { results };
        },
      }),
      defineTool({
        tool: 'tables_get',
        description: 'One row of a table by its id.',
        input: z.object({ table, id: z.union([z.string(), z.int()]) }),
        output: row,
        repeatable: true,
        brings: ['private'],
        permission: 'tables_read',
        run: async (own, { table: name, id }, _signal, _reveal, call) => {
          const found = await told(rows.get(own, idOf(name), String(id)));
          await noteRead(own, [name], call);
          return found;
        },
      }),
      defineTool({
        tool: 'tables_count',
        description: 'How many rows of a table fit all of these filters.',
        input: z.object({ table, filters: z.array(filterShape).optional() }),
        output: z.object({ count: z.int() }),
        repeatable: true,
        brings: ['private'],
        permission: 'tables_read',
        run: async (own, { table: name, filters = [] }) => {
          const query = { sort: undefined, cursor: undefined, size: 1, total: true };
          return { count: (await told(rows.search(own, idOf(name), query, filters))).total ?? 0 };
        },
      }),
      defineTool({
        tool: 'tables_describe',
        description: 'What tables there are, and their columns.',
        input: z.object({}),
        output: z.object({ tables: z.string() }),
        repeatable: true,
        brings: ['private'],
        permission: 'tables_read',
        run: async () => ({ tables: about }),
      }),
    ];
    if (writable.length === 0) return reading;

    const target = z.enum(writable.map(({ sql_name }) => sql_name) as [string, ...string[]]);
    const writing: Tool[] = [
      defineTool({
        tool: 'tables_insert',
        description: `Adds rows to a table. Columns are as tables_query describes them; the id is made. Tables: ${writable.map(({ sql_name }) => sql_name).join(', ')}`,
        input: z.object({ table: target, rows: z.array(row).min(1).max(100) }),
        output: z.object({ inserted: z.int(), ids: z.array(z.union([z.string(), z.int()])) }),
        repeatable: false,
        brings: ['private'],
        permission: 'tables_edit',
        run: (own, { table: name, rows: given }, _signal, _reveal, { taint: brings }) =>
          told(rows.insertMany({ ...own, brings }, idOf(name), given)),
      }),
      defineTool({
        tool: 'tables_update',
        description: 'Changes cells of one row of a table; null empties one.',
        input: z.object({ table: target, id: z.union([z.string(), z.int()]), values: row }),
        output: row,
        repeatable: true,
        brings: ['private'],
        permission: 'tables_edit',
        run: async (own, { table: name, id, values }, _signal, _reveal, call) => {
          const changed = await told(rows.update({ ...own, brings: call.taint }, idOf(name), String(id), values));
          await noteRead(own, [name], call);
          return changed;
        },
      }),
      defineTool({
        tool: 'tables_delete',
        description: 'Deletes one row of a table.',
        input: z.object({ table: target, id: z.union([z.string(), z.int()]) }),
        output: z.object({ deleted: z.boolean() }),
        repeatable: false,
        brings: ['private'],
        permission: 'tables_delete',
        run: async (own, { table: name, id }) => {
          await told(rows.remove(own, idOf(name), String(id)));
          return { deleted: true };
        },
      }),
    ];
    return [...reading, ...writing];
  };
