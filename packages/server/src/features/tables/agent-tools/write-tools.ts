import { z } from 'zod';
import type { Tool } from '../../tools/ports.ts';
import { defineTool } from '../../tools/service.ts';
import type { RowService } from '../rows/row-service.ts';
import { type AgentTables, explainToModel } from './agent-tables.ts';

/** Tools that write to the tables whose entry in the settings allows it. */
export function makeWriteTools(
  agentTables: AgentTables,
  rows: Pick<RowService, 'insertMany' | 'update' | 'remove'>,
): Tool[] {
  const names = agentTables.writable.map(({ sql_name }) => sql_name);
  if (names.length === 0) return [];
  const target = z.enum(names);
  const row = z.record(z.string(), z.unknown());
  return [
    defineTool({
      tool: 'tables_insert',
      description: `Adds rows to a table. Columns are as tables_query describes them; the id is made. Tables: ${names.join(', ')}`,
      input: z.object({ table: target, rows: z.array(row).min(1).max(100) }),
      output: z.object({ inserted: z.int(), ids: z.array(z.union([z.string(), z.int()])) }),
      repeatable: false,
      brings: ['private'],
      permission: 'tables_edit',
      run: (own, { table: name, rows: given }, _signal, _reveal, { taint: brings }) =>
        explainToModel(rows.insertMany({ ...own, brings }, agentTables.get(name).id, given)),
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
        const changed = await explainToModel(
          rows.update({ ...own, brings: call.taint }, agentTables.get(name).id, String(id), values),
        );
        await agentTables.noteRead(own, [name], call);
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
        await explainToModel(rows.remove(own, agentTables.get(name).id, String(id)));
        return { deleted: true };
      },
    }),
  ];
}
