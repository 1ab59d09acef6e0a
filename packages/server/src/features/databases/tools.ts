import { z } from 'zod';
import { DatabaseQueryError, type Databases } from '../../drivers/databases/driver.ts';
import { explainRefusal, requireAllowedHost, WebRefused } from '../../drivers/web/driver.ts';
import { required } from '../../lib/required.ts';
import type { Tool, ToolCall, ToolProvider } from '../tools/ports.ts';
import { defineTool, ToolError } from '../tools/service.ts';

const mostRows = 500;
const mostParameterBytes = 256 * 1024;

/** Lists the tables and columns outside PostgreSQL's own schemas. */
const schemaQuery = `select table_schema as schema, table_name as table, string_agg(column_name || ' ' || data_type, ', '
    order by ordinal_position) as columns
  from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema')
  group by 1, 2 order by 1, 2`;

interface Entry {
  name: string;
  dsn_variable: string;
  access?: 'read' | 'write' | undefined;
  enabled?: unknown;
  trusted?: unknown;
  [key: string]: unknown;
}

interface DatabaseToolOptions {
  databases: Databases;
  /** The longest that one statement may take. */
  timeout_ms?: number;
}

/** Tools that read databases outside of this installation, and write to those whose entry allows it. */
export function makeDatabaseTools({ databases, timeout_ms = 30_000 }: DatabaseToolOptions): ToolProvider {
  return async (scope, settings, { secrets }) => {
    const entries = new Map<string, Entry>();
    for (const entry of settings.databases) if (entry.enabled !== false) entries.set(entry.name, entry);
    if (entries.size === 0) return [];
    const writable = [...entries.values()].filter(({ access }) => access === 'write');
    const list = [...entries.values()].map(({ name, access = 'read' }) => `"${name}" (${access})`).join(', ');
    const database = z.enum([...entries.keys()]);
    const parameters = z
      .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .max(100)
      .refine((values) => Buffer.byteLength(JSON.stringify(values)) <= mostParameterBytes, {
        error: `The parameters are larger than ${mostParameterBytes / 1024} KB together`,
      })
      .optional();

    async function runQuery(
      name: string,
      sql: string,
      values: readonly unknown[],
      { writes, signal, call }: { writes: boolean; signal: AbortSignal; call: ToolCall },
    ) {
      const { dsn_variable, trusted } = required(entries.get(name));
      // The rows may hold text of strangers, unless the author of the agent vouches for the database.
      if (trusted !== true) call.brings('untrusted');
      // The connection string is revealed only here, and a call cannot name another variable.
      const handle = `{{secret.${dsn_variable}}}`;
      const dsn = await secrets.reveal(handle, { address: handle, setting: 'databases' });
      try {
        const target = URL.parse(dsn);
        if (target) requireAllowedHost(target, settings.allowed_hosts);
        else if (settings.allowed_hosts.length > 0)
          throw new ToolError(`The address of "${name}" names no host, and this agent has a list of allowed_hosts`);
        const options = { writes, max_rows: mostRows, timeout_ms, signal };
        return await databases.query(dsn, sql, values, options);
      } catch (error) {
        if (error instanceof WebRefused) throw new ToolError(`The database "${name}" was not asked: ${error.message}`);
        if (error instanceof DatabaseQueryError)
          throw new ToolError(
            `The database "${name}" did not answer: ${explainRefusal(error, { ...scope, permission: 'agents_edit' })}`,
          );
        throw error;
      }
    }

    // The call chooses the database, so the approval rules of every entry hold for the tool; those who decide are those of the chosen one.
    const called = (input: unknown) => [required(entries.get((input as { database: string }).database))];
    const shared = { entries: [...entries.values()], called };
    const row = z.record(z.string(), z.unknown());
    const reading: Tool[] = [
      defineTool({
        ...shared,
        tool: 'databases_query',
        description: `Asks a PostgreSQL database with one SELECT; at most ${mostRows} rows come back. databases_schema tells its tables. Databases: ${list}`,
        input: z.object({
          database,
          sql: z.string().min(1).max(50_000).describe('One SELECT, with $1, $2 … for parameters'),
          parameters,
        }),
        output: z.object({ columns: z.array(z.string()), rows: z.array(row), more_rows: z.boolean() }),
        repeatable: true,
        brings: ['private'],
        async run(_own, { database: name, sql, parameters: values = [] }, signal, _reveal, call) {
          const { columns, rows, cut } = await runQuery(name, sql, values, { writes: false, signal, call });
          return { columns, rows, more_rows: cut };
        },
      }),
      defineTool({
        ...shared,
        tool: 'databases_schema',
        description: `The tables of a database and their columns. Databases: ${list}`,
        input: z.object({ database }),
        output: z.object({ tables: z.array(row), more_tables: z.boolean() }),
        repeatable: true,
        brings: ['private'],
        async run(_own, { database: name }, signal, _reveal, call) {
          const { rows, cut } = await runQuery(name, schemaQuery, [], { writes: false, signal, call });
          return { tables: rows, more_tables: cut };
        },
      }),
    ];
    if (writable.length === 0) return reading;
    const writing = defineTool({
      tool: 'databases_execute',
      entries: writable,
      called,
      description: `Changes a PostgreSQL database with one statement, in a transaction of its own. Databases: ${writable.map(({ name }) => `"${name}"`).join(', ')}`,
      input: z.object({
        database: z.enum(writable.map(({ name }) => name)),
        sql: z.string().min(1).max(50_000),
        parameters,
      }),
      output: z.object({ changed: z.int().nullable(), rows: z.array(row), more_rows: z.boolean() }),
      repeatable: false,
      brings: ['private'],
      sends: true,
      async run(_own, { database: name, sql, parameters: values = [] }, signal, _reveal, call) {
        const { changed, rows, cut } = await runQuery(name, sql, values, { writes: true, signal, call });
        return { changed, rows, more_rows: cut };
      },
    });
    return [...reading, writing];
  };
}
