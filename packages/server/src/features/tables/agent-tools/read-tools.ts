import { z } from 'zod';
import type { Tool } from '../../tools/ports.ts';
import { defineTool } from '../../tools/service.ts';
import type { RowService } from '../rows/row-service.ts';
import { searchRows } from '../rows/search-row-store.ts';
import { type AgentTables, explainToModel } from './agent-tables.ts';
import { columnsShape, describeTables, filterShape } from './describe-tables.ts';
import { sampleTables } from './sample-tables.ts';

/** Tools that read rows of one table at a time. */
export function makeReadTools(agentTables: AgentTables, rows: Pick<RowService, 'reading' | 'search' | 'get'>): Tool[] {
  const table = z.enum(agentTables.all.map(({ sql_name }) => sql_name));
  const row = z.record(z.string(), z.unknown());
  const about = describeTables(agentTables.all);
  return [
    defineTool({
      tool: 'tables_query',
      description: `Rows of one table that fit all of these filters, sorted. It takes no SQL: for sums, groups and joins there is tables_sql. Tables:\n${about}`,
      input: z.object({
        table,
        filters: z.array(filterShape).optional(),
        sort: z.string().optional().describe('Columns with commas between; - before one turns it around: -amount,name'),
        limit: z.int().min(1).max(100).optional(),
        cursor: z.string().optional().describe('next_cursor of the page before'),
      }),
      output: z.object({ rows: z.array(row), next_cursor: z.string().nullable() }),
      repeatable: true,
      reads_only: true,
      brings: ['private'],
      permission: 'tables_read',
      run: async (own, { table: name, filters = [], sort, limit = 20, cursor }, _signal, _reveal, call) => {
        const query = { sort, cursor, size: limit, total: false };
        const page = await explainToModel(rows.search(own, agentTables.get(name).id, query, filters));
        if (page.items.length) await agentTables.noteRead(own, [name], call);
        return { rows: page.items, next_cursor: page.next_cursor };
      },
    }),
    defineTool({
      tool: 'tables_search',
      description: `Rows of the tables ${agentTables.all.map(({ sql_name }) => sql_name).join(', ')} in which words stand, best first.`,
      input: z.object({ query: z.string().describe('Words to look for'), table: table.optional() }),
      output: z.object({ results: z.array(z.object({ table: z.string(), content: z.string(), row })) }),
      repeatable: true,
      reads_only: true,
      brings: ['private'],
      permission: 'tables_read',
      run: async (own, { query, table: name }, _signal, _reveal, call) => {
        const results = [];
        for (const one of name ? [agentTables.get(name)] : agentTables.all) {
          const found = await explainToModel(
            rows.reading(own, one.id, (from, source) => searchRows(from, source, query, 10)),
          );
          for (const item of found) results.push({ table: one.sql_name, content: columnsShape(item), row: item });
        }
        await agentTables.noteRead(
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
      reads_only: true,
      brings: ['private'],
      permission: 'tables_read',
      run: async (own, { table: name, id }, _signal, _reveal, call) => {
        const found = await explainToModel(rows.get(own, agentTables.get(name).id, String(id)));
        await agentTables.noteRead(own, [name], call);
        return found;
      },
    }),
    defineTool({
      tool: 'tables_count',
      description: 'How many rows of a table fit all of these filters.',
      input: z.object({ table, filters: z.array(filterShape).optional() }),
      output: z.object({ count: z.int() }),
      repeatable: true,
      reads_only: true,
      brings: ['private'],
      permission: 'tables_read',
      run: async (own, { table: name, filters = [] }) => {
        const query = { sort: undefined, cursor: undefined, size: 1, total: true };
        return { count: (await explainToModel(rows.search(own, agentTables.get(name).id, query, filters))).total ?? 0 };
      },
    }),
    defineTool({
      tool: 'tables_describe',
      description: 'What tables there are, with their columns, how many rows they have and a few of these rows.',
      input: z.object({ table: table.optional() }),
      output: z.object({
        tables: z.string(),
        samples: z.array(z.object({ table: z.string(), rows: z.string(), sample: z.array(row) })),
      }),
      repeatable: true,
      reads_only: true,
      brings: ['private'],
      permission: 'tables_read',
      run: async (own, { table: name }, _signal, _reveal, call) => {
        const described = name ? [agentTables.get(name)] : agentTables.all;
        const samples = await explainToModel(sampleTables(own, described, rows));
        const read = samples.flatMap(({ table: of, sample }) => (sample.length ? of : []));
        await agentTables.noteRead(own, read, call);
        return { tables: name ? describeTables(described) : about, samples };
      },
    }),
  ];
}
