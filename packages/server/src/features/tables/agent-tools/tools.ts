import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Tool } from '../../tools/ports.ts';
import type { TableQueries } from '../query/service.ts';
import type { RowService } from '../rows/row-service.ts';
import type { Tables } from '../service.ts';
import { findAgentTables } from './agent-tables.ts';
import type { ToolTable } from './describe-tables.ts';
import { makeReadTools } from './read-tools.ts';
import { makeSqlTool } from './sql-tool.ts';
import { makeWriteTools } from './write-tools.ts';

interface Needs {
  tables: Pick<Tables, 'find'>;
  rows: Pick<RowService, 'reading' | 'search' | 'get' | 'insertMany' | 'update' | 'remove'>;
  queries: Pick<TableQueries, 'prepare'>;
}

/** The call chooses the table, so the approval rules of every entry hold for the tool; those of the chosen table decide. */
const withEntries = (tool: Tool, tables: readonly ToolTable[]): Tool => ({
  ...tool,
  entries: tables.map(({ entry }) => entry),
  called(input) {
    const { table } = input as { table?: string };
    return tables.filter(({ sql_name }) => table === undefined || sql_name === table).map(({ entry }) => entry);
  },
});

/** Tools that read the tables of the settings, and write to those whose entry allows it. */
export const makeTableTools =
  ({ tables, rows, queries }: Needs) =>
  async (scope: Scope, settings: Settings): Promise<Tool[]> => {
    if (settings.tables.length === 0) return [];
    const agentTables = await findAgentTables(scope, settings, tables);
    if (!agentTables) return [];
    return [
      ...[...makeReadTools(agentTables, rows), makeSqlTool({ agentTables, rows, queries, scope, settings })].map(
        (tool) => withEntries(tool, agentTables.all),
      ),
      ...makeWriteTools(agentTables, rows).map((tool) => withEntries(tool, agentTables.writable)),
    ];
  };
