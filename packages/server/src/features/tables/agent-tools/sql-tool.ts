import { allows } from '@atrium/contract/permissions.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { queryBody } from '@atrium/contract/tables/query/schema.ts';
import { z } from 'zod';
import type { Scope } from '../../../lib/scope.ts';
import type { Tool, ToolSample } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import type { TableQueries } from '../query/service.ts';
import type { RowService } from '../rows/row-service.ts';
import { type AgentTables, explainToModel } from './agent-tables.ts';
import type { ToolTable } from './describe-tables.ts';
import { sampleTables } from './sample-tables.ts';

interface SqlToolOptions {
  agentTables: AgentTables;
  rows: Pick<RowService, 'reading'>;
  queries: Pick<TableQueries, 'prepare'>;
  scope: Scope;
  settings: Pick<Settings, 'tool_grant_scope'>;
}

const mostRows = 200;
/** The largest answer that a model is given; people get more by the API. */
const mostBytes = 1024 * 1024;
const longestSample = 8000;
const longestColumns = 2000;

const intro =
  'Answers a question over several rows or tables with one SELECT of PostgreSQL: GROUP BY, sums, averages, joins, WITH, window functions. ' +
  `It only reads, at most ${mostRows} rows. Values go into params as $1, $2 …; no regular expressions. Tables and columns are named as tables_query describes them; below stand how many rows they have and the first of these.`;

const nameColumns = (tables: readonly ToolTable[]) =>
  tables
    .map(({ sql_name, columns }) => `${sql_name} (${['id', ...columns.map(({ name }) => name)].join(', ')})`)
    .join(', ')
    .slice(0, longestColumns);

/** The tool for SQL over the tables of the agent, behind the same checks as the SQL endpoint. */
export function makeSqlTool({ agentTables, rows, queries, scope, settings }: SqlToolOptions): Tool {
  const names = new Set(agentTables.all.map(({ sql_name }) => sql_name));

  /** Models read these rows before any call, so tables with untrusted text are left out: tables_describe shows them. */
  async function sample(): Promise<ToolSample | undefined> {
    if (settings.tool_grant_scope === 'user' && !allows(scope.permissions, 'tables_read')) return undefined;
    const samples = await sampleTables(scope, agentTables.all, rows);
    const data: string[] = [];
    let room = longestSample;
    let isPrivate = false;
    for (const { table, rows: count, sample: rowsShown } of samples) {
      const isUntrusted = await agentTables.isUntrusted(scope, agentTables.get(table));
      const text = JSON.stringify({ table, rows: count, first: rowsShown });
      if (isUntrusted || text.length > room) data.push(JSON.stringify({ table, rows: count }));
      else {
        data.push(text);
        room -= text.length;
        isPrivate ||= rowsShown.length > 0;
      }
    }
    return { data, brings: isPrivate ? ['private'] : [] };
  }

  return defineTool({
    tool: 'tables_sql',
    description: intro,
    sample,
    input: z.object({
      sql: z.string().min(1).max(20_000).describe('One SELECT statement'),
      params: z
        .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .max(100)
        .optional()
        .describe('The values of $1, $2 …'),
    }),
    output: z.object({
      columns: z.array(z.string()),
      rows: z.array(z.record(z.string(), z.unknown())),
      truncated: z.boolean(),
    }),
    repeatable: true,
    reads_only: true,
    brings: ['private'],
    permission: 'tables_read',
    run: async (own, { sql, params = [] }, _signal, _reveal, call) => {
      const body = queryBody.safeParse({ sql, params, max_rows: mostRows });
      if (!body.success)
        throw new ToolError(body.error.issues.map(({ message }) => message).join('; '), { begun: false });
      const query = await explainToModel(queries.prepare(own, body.data, names, mostBytes), { begun: false });
      try {
        const { columns, items, truncated } = await explainToModel(query.run());
        return { columns: columns.map(({ name }) => name), rows: items, truncated };
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        throw new ToolError(`${error.message.replace(/\.$/, '')}. Tables: ${nameColumns(agentTables.all)}`);
      } finally {
        // Errors of the database quote values, so a failed query has read them too.
        await agentTables.noteRead(own, query.used, call);
      }
    },
  });
}
